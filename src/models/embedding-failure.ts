import { KbError } from '../core/errors.ts';
import { connectionReason, type Refusal } from './failure.ts';
import { presentable, sentenceOf } from './server-words.ts';
import type { Endpoint } from './settings.ts';

export function embedderRejected(refusal: Refusal, endpoint: Endpoint): KbError<'embedder-rejected'> {
  const sentence = presentable(sentenceOf(refusal.body) ?? '', endpoint.apiKey);
  const said = sentence === '' ? '' : `: ${sentence}`;
  const how = refusal.status === 200 ? 'reported an error' : `answered with status ${refusal.status}`;
  return new KbError(
    'embedder-rejected',
    `the embeddings server at ${endpoint.baseUrl} ${how}${said}`,
    { status: refusal.status, body: presentable(refusal.body, endpoint.apiKey) },
    { hint: rejectionHint(refusal, endpoint) },
  );
}

function rejectionHint({ status, location, body }: Refusal, endpoint: Endpoint): string {
  if (status >= 300 && status < 400) {
    const target = presentable(location ?? 'another address', endpoint.apiKey);
    return `it redirects to ${target}; kb does not follow: set embeddings.base_url to the address that answers`;
  }
  if (status === 401 || status === 403) {
    return endpoint.apiKeyEnv === undefined
      ? 'the server wants a key: name the environment variable that holds it with embeddings.api_key_env'
      : `check the key in the environment variable ${endpoint.apiKeyEnv}`;
  }
  if (/not (?:support|allow)\w* .*embed|--embedding|is not (?:an )?embedding/iu.test(body)) {
    return 'name a model made for embeddings with embeddings.model (llama.cpp: start llama-server with --embeddings)';
  }
  if (/dimension/iu.test(body))
    return 'remove embeddings.dimensions: not every model can shorten its vectors';
  if (status === 404 || status === 405) {
    return `check that the server has a model ${endpoint.model} (Ollama: ollama pull ${endpoint.model}), and embeddings.base_url, which for most servers ends in /v1`;
  }
  if (status >= 500 && !(status in HINTS)) return "look into the server's own log";
  return HINTS[status] ?? 'check embeddings.model and embeddings.base_url: kb doctor';
}

const BUSY = 'the server is overloaded or still loading the model: try again';
const HINTS: Readonly<Record<number, string>> = {
  402: 'the account has no credit left',
  429: 'the server limits requests: wait, then run the same command again; it goes on where it stopped',
  503: BUSY,
  529: BUSY,
};

export function embedderMalformed(reason: string, endpoint: Endpoint): KbError<'embedder-malformed'> {
  const shown = presentable(reason, endpoint.apiKey);
  return new KbError(
    'embedder-malformed',
    `the reply of the embeddings server at ${endpoint.baseUrl} cannot be used: ${shown}`,
    { reason: shown },
    {
      hint: 'check with kb doctor that the model is made for embeddings, and that embeddings.base_url is the address of the API (for most servers it ends in /v1)',
    },
  );
}

/** @param reason as {@link connectionReason} gives it */
export function embedderUnreachable(
  reason: string,
  endpoint: Endpoint,
  cause?: unknown,
): KbError<'embedder-unreachable'> {
  return new KbError(
    'embedder-unreachable',
    `no reply from the embeddings server at ${endpoint.baseUrl}: ${reason}`,
    { url: endpoint.baseUrl },
    {
      hint: 'start the server (Ollama: ollama serve; llama.cpp: llama-server --embeddings; LM Studio: lms server start), or set embeddings.base_url to where it runs',
      cause,
    },
  );
}

export function embedderTimeout(seconds: number, isQuery: boolean): KbError<'embedder-timeout'> {
  const setting = isQuery ? 'embeddings.query_timeout' : 'embeddings.timeout';
  return new KbError(
    'embedder-timeout',
    `the embeddings server did not answer within ${seconds} seconds`,
    { seconds },
    {
      hint: `raise ${setting}, or take a smaller model; a server that is loading its model answers faster the next time`,
    },
  );
}

export function embeddingAborted(): KbError<'aborted'> {
  return new KbError('aborted', 'embedding was stopped', {});
}

/** An error of the connection as a KbError; any other comes back as it is. */
export function connectionFailure(error: unknown, endpoint: Endpoint): unknown {
  const reason = error instanceof KbError ? undefined : connectionReason(error);
  return reason === undefined ? error : embedderUnreachable(reason, endpoint, error);
}

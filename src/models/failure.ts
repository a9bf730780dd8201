import { KbError } from '../core/errors.ts';
import type { CallWatch } from './call-watch.ts';
import { isRecord, textOf } from './json.ts';
import { overflowIn, presentable, refusesTools, sentenceOf } from './server-words.ts';
import type { Endpoint } from './settings.ts';

/** What a failure is explained with. */
export interface CallContext {
  readonly endpoint: Endpoint;
  readonly watch: CallWatch;
  readonly toolsOffered: boolean;
  readonly maxOutputTokens: number;
}

/** How a server said no. */
export interface Refusal {
  /** HTTP status; 200 for an error inside a reply. */
  readonly status: number;
  /** As it came. */
  readonly body: string;
  /** Where a redirect points. */
  readonly location?: string;
  /** Characters of the answer that had come before. */
  readonly partial?: number;
}

/**
 * The KbError a caller gets for anything that went wrong in a call. An exception that is neither the server's nor the
 * connection's is a bug of ours and comes back as it is.
 */
export function failureOf(error: unknown, context: CallContext): unknown {
  const ended = context.watch.ended();
  if (ended !== undefined) return ended;
  if (error instanceof KbError) return error;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return rejection(refusal, context);
  const reason = connectionReason(error);
  return reason === undefined ? error : unreachable(reason, context.endpoint, error);
}

/** A refusal as the SDKs throw it (both give `status`, `error` and `headers`), its body kept by createFetch. */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  const kept = 'error' in error ? error.error : undefined;
  const inner = isRecord(kept) && isRecord(kept['error']) ? kept['error'] : kept;
  const body = isRecord(inner) && typeof inner['raw'] === 'string' ? inner['raw'] : '';
  const location = header(error, 'location');
  return { status: error.status, body, ...(location === undefined ? {} : { location }) };
}

/** A header of the response behind an SDK's error. */
export function header(error: unknown, name: string): string | undefined {
  if (!(error instanceof Error) || !('headers' in error) || !(error.headers instanceof Headers))
    return undefined;
  return textOf(error.headers.get(name));
}

export function rejection(refusal: Refusal, context: CallContext): KbError {
  const { endpoint } = context;
  const sentence = presentable(sentenceOf(refusal.body) ?? '', endpoint.apiKey);
  const overflow = overflowIn(refusal.body, sentence, context.maxOutputTokens);
  if (overflow !== undefined) return overflowError(overflow, sentence);
  if (context.toolsOffered && refusesTools(sentence)) return noTools(endpoint, sentence);
  const said = sentence === '' ? '' : `: ${sentence}`;
  const partial = refusal.partial ? ` after ${refusal.partial} characters of the answer` : '';
  const how =
    refusal.status === 200
      ? `reported an error${partial}`
      : `answered with status ${refusal.status}${partial}`;
  return new KbError(
    'model-rejected',
    `the model server at ${endpoint.baseUrl} ${how}${said}`,
    { status: refusal.status, body: presentable(refusal.body, endpoint.apiKey) },
    { hint: rejectionHint(refusal, endpoint) },
  );
}

export function overflowError(
  overflow: { readonly window?: number; readonly prompt?: number },
  sentence: string,
): KbError<'model-overflow'> {
  const numbers = [
    ...(overflow.prompt === undefined ? [] : [`the prompt has ${overflow.prompt} tokens`]),
    ...(overflow.window === undefined ? [] : [`the server's window holds ${overflow.window}`]),
  ];
  const facts = numbers.length === 0 ? '' : ` (${numbers.join(', ')})`;
  return new KbError(
    'model-overflow',
    `the prompt does not fit the model's context window${facts}${sentence === '' ? '' : `: ${sentence}`}`,
    overflow,
    {
      hint: 'lower knowledge.max_injected_tokens, or give the server a larger window (Ollama: OLLAMA_CONTEXT_LENGTH; llama.cpp: -c; LM Studio: context length when the model is loaded; vLLM: --max-model-len)',
    },
  );
}

function noTools(endpoint: Endpoint, sentence: string): KbError<'model-no-tools'> {
  return new KbError(
    'model-no-tools',
    `${endpoint.model} cannot call tools on this server: ${sentence}`,
    { model: endpoint.model },
    { hint: `${toolsHint(sentence)}, or use --mode direct, which needs no tools` },
  );
}

function toolsHint(sentence: string): string {
  if (/jinja|unsupported param/iu.test(sentence)) return 'start llama-server with --jinja';
  if (/enable-auto-tool-choice/u.test(sentence)) {
    return 'start vLLM with --enable-auto-tool-choice --tool-call-parser and the parser of the model';
  }
  return "set llm.model to a model that calls tools (with Ollama it is the model's template that decides)";
}

function rejectionHint(refusal: Refusal, endpoint: Endpoint): string {
  const { status } = refusal;
  if (status >= 300 && status < 400) {
    const target = presentable(refusal.location ?? 'another address', endpoint.apiKey);
    return `it redirects to ${target}; kb does not follow: set llm.base_url to the address that answers`;
  }
  if (status === 401 || status === 403) {
    if (endpoint.apiKeyEnv === undefined) {
      return 'the server wants a key: name the environment variable that holds it with --key-env or llm.api_key_env';
    }
    return `check the key in the environment variable ${endpoint.apiKeyEnv}`;
  }
  if (status === 404 || status === 405) {
    return `check that the server has a model ${endpoint.model} (Ollama: ollama pull ${endpoint.model}), and llm.base_url, which for most servers ends in /v1`;
  }
  if (status === 402) return 'the account has no credit left';
  if (status === 429) return 'the server limits requests: wait and try again';
  if (status === 529 || status === 503)
    return 'the server is overloaded or still loading the model: try again';
  if (status >= 500) return "look into the server's own log";
  return 'check llm.model and llm.base_url';
}

/** Codes of Node's sockets, TLS and HTTP parser. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no network',
  ETIMEDOUT: 'the connection timed out',
  EPROTO: 'the server does not speak TLS; is it http instead of https?',
};

/** In words, when an error comes from the connection; the causes are searched, since SDKs wrap them. */
export function connectionReason(error: unknown): string | undefined {
  const chain: Error[] = [];
  for (let link = error; link instanceof Error && chain.length < 6; link = link.cause) chain.push(link);
  const coded = chain.map(codedReason).find((reason) => reason !== undefined);
  if (coded !== undefined) return coded;
  if (chain.some(({ message }) => message === 'aborted' || message === 'terminated'))
    return REASONS['ECONNRESET'];
  const fromSdk = chain.some((link) => /^API(?:Connection|UserAbort)/u.test(link.constructor.name));
  return fromSdk ? 'no connection' : undefined;
}

function codedReason(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  if (typeof code !== 'string' || !/^(?:E[A-Z_]+|HPE_\w+|\w*CERT\w*|UNABLE_\w+)$/u.test(code))
    return undefined;
  if (code.startsWith('HPE_')) return `what answers there does not speak HTTP (${code})`;
  return REASONS[code] ?? `${presentable(error.message, undefined)} (${code})`;
}

export function unreachable(
  reason: string,
  endpoint: Endpoint,
  cause?: unknown,
): KbError<'model-unreachable'> {
  return new KbError(
    'model-unreachable',
    `no reply from the model server at ${endpoint.baseUrl}: ${reason}`,
    { url: endpoint.baseUrl },
    {
      hint: 'start the server (Ollama: ollama serve; llama.cpp: llama-server; LM Studio: lms server start), or set llm.base_url to where it runs',
      cause,
    },
  );
}

/** The stream ended although the reply had not. */
export function cutOff(partial: number, endpoint: Endpoint): KbError<'model-unreachable'> {
  const after = partial > 0 ? ` after ${partial} characters of the answer` : '';
  return unreachable(`the reply broke off${after} without an end mark`, endpoint);
}

export function malformed(reason: string, endpoint: Endpoint): KbError<'model-malformed'> {
  const shown = presentable(reason, endpoint.apiKey);
  return new KbError(
    'model-malformed',
    `the reply of the model server at ${endpoint.baseUrl} cannot be read: ${shown}`,
    { reason: shown },
    {
      hint: 'check that llm.base_url is the address of the API (for most servers it ends in /v1), not of a web page',
    },
  );
}

import type { EmbeddingsConfig, LlmConfig } from '../core/config.ts';
import { endpointProblem, isLoopback } from '../core/endpoint.ts';
import { KbError } from '../core/errors.ts';

/** A model server, resolved: everything a request is made from. Nothing else decides where one goes. */
export interface Endpoint {
  /** Without query and closing slash. */
  readonly baseUrl: string;
  readonly query: Readonly<Record<string, string>>;
  readonly model: string;
  readonly apiKey?: string;
  readonly apiKeyEnv?: string;
  /** Seconds a call may be silent. */
  readonly silenceSeconds: number;
}

const KEY = /^[\u0021-\u007e]+$/u;

export function invalidSetting(
  problem: string,
  hint: string,
  section: 'llm' | 'embeddings' = 'llm',
): KbError<'config-invalid'> {
  return new KbError('config-invalid', problem, { file: section, problems: [problem] }, { hint });
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws KbError `config-invalid` naming the setting or variable that is missing or wrong */
export function resolveEndpoint(
  settings: LlmConfig,
  environment: Environment,
  hostedUrl: string | undefined,
): Endpoint {
  const address = settings.baseUrl ?? hostedUrl;
  const silenceSeconds = settings.budget.callTimeoutSeconds;
  return resolve(settings, { section: 'llm', example: 'qwen3:8b', address, silenceSeconds }, environment);
}

/**
 * The embeddings server; no host is ever assumed.
 * @throws KbError `config-invalid` naming the setting or variable that is missing or wrong
 */
export function resolveEmbeddingEndpoint(settings: EmbeddingsConfig, environment: Environment): Endpoint {
  return resolve(
    settings,
    {
      section: 'embeddings',
      example: 'nomic-embed-text',
      address: settings.baseUrl,
      silenceSeconds: settings.timeoutSeconds,
    },
    environment,
  );
}

interface Server {
  readonly section: 'llm' | 'embeddings';
  /** Name of a model, for messages. */
  readonly example: string;
  readonly address: string | undefined;
  readonly silenceSeconds: number;
}

function resolve(
  settings: Pick<LlmConfig, 'model' | 'apiKeyEnv'>,
  { section, example, address, silenceSeconds }: Server,
  environment: Environment,
): Endpoint {
  if (address === undefined) {
    throw invalidSetting(
      `${section}.base_url is not set: kb never picks a model server by itself`,
      `set ${section}.base_url: http://127.0.0.1:11434/v1 for Ollama, http://127.0.0.1:1234/v1 for LM Studio, https://api.openai.com/v1 for OpenAI`,
      section,
    );
  }
  const problem = endpointProblem(address);
  if (problem !== undefined)
    throw invalidSetting(`${section}.base_url ${problem}`, `change ${section}.base_url`, section);
  if (settings.model === undefined || settings.model.trim() === '') {
    throw invalidSetting(
      `${section}.model is not set`,
      `set ${section}.model to the server's name of a model, such as ${example}`,
      section,
    );
  }
  const url = new URL(address);
  const apiKey = readKey(settings.apiKeyEnv, environment, { section, isLocal: isLoopback(url.hostname) });
  return {
    baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/u, ''),
    query: Object.fromEntries(url.searchParams),
    model: settings.model,
    silenceSeconds,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(settings.apiKeyEnv === undefined ? {} : { apiKeyEnv: settings.apiKeyEnv }),
  };
}

/**
 * The key itself never becomes part of a message. A server on this machine is asked without one where the variable is
 * not set: most need none, and one that does says so.
 */
function readKey(
  name: string | undefined,
  environment: Environment,
  { section, isLocal }: { readonly section: Server['section']; readonly isLocal: boolean },
): string | undefined {
  if (name === undefined) return undefined;
  const hint = `set it in the shell (export ${name}=...), or remove ${section}.api_key_env if the server needs no key`;
  const named = `the environment variable ${name}, named by ${section}.api_key_env,`;
  // A key read from a file often ends in a line break.
  const key = environment[name]?.trim();
  if (key === undefined) {
    if (isLocal) return undefined;
    throw invalidSetting(`${named} is not set`, hint, section);
  }
  if (key === '') {
    throw invalidSetting(`${named} is empty`, hint, section);
  }
  if (!KEY.test(key)) {
    throw invalidSetting(
      `${named} holds characters no key has (blanks, line breaks or letters outside ASCII)`,
      hint,
      section,
    );
  }
  return key;
}

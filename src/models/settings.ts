import type { LlmConfig } from '../core/config.ts';
import { endpointProblem } from '../core/endpoint.ts';
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

export function invalidSetting(problem: string, hint: string): KbError<'config-invalid'> {
  return new KbError('config-invalid', problem, { file: 'llm', problems: [problem] }, { hint });
}

/** @throws KbError `config-invalid` naming the setting or variable that is missing or wrong */
export function resolveEndpoint(
  settings: LlmConfig,
  environment: Readonly<Record<string, string | undefined>>,
  hostedUrl: string | undefined,
): Endpoint {
  const address = settings.baseUrl ?? hostedUrl;
  if (address === undefined) {
    throw invalidSetting(
      'llm.base_url is not set: kb never picks a model server by itself',
      'set llm.base_url: http://127.0.0.1:11434/v1 for Ollama, http://127.0.0.1:1234/v1 for LM Studio, https://api.openai.com/v1 for OpenAI',
    );
  }
  const problem = endpointProblem(address);
  if (problem !== undefined) throw invalidSetting(`llm.base_url ${problem}`, 'change llm.base_url');
  if (settings.model === undefined || settings.model.trim() === '') {
    throw invalidSetting(
      'llm.model is not set',
      "set llm.model to the server's name of a model, such as qwen3:8b",
    );
  }
  const url = new URL(address);
  const apiKey = readKey(settings.apiKeyEnv, environment);
  return {
    baseUrl: `${url.origin}${url.pathname}`.replace(/\/+$/u, ''),
    query: Object.fromEntries(url.searchParams),
    model: settings.model,
    silenceSeconds: settings.budget.callTimeoutSeconds,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(settings.apiKeyEnv === undefined ? {} : { apiKeyEnv: settings.apiKeyEnv }),
  };
}

/** The key itself never becomes part of a message. */
function readKey(
  name: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (name === undefined) return undefined;
  const hint = `set it in the shell (export ${name}=...), or remove llm.api_key_env if the server needs no key`;
  // A key read from a file often ends in a line break.
  const key = environment[name]?.trim();
  if (key === undefined) {
    throw invalidSetting(`the environment variable ${name}, named by llm.api_key_env, is not set`, hint);
  }
  if (key === '') {
    throw invalidSetting(`the environment variable ${name}, named by llm.api_key_env, is empty`, hint);
  }
  if (!KEY.test(key)) {
    throw invalidSetting(
      `the environment variable ${name}, named by llm.api_key_env, holds characters no key has (blanks, line breaks or letters outside ASCII)`,
      hint,
    );
  }
  return key;
}

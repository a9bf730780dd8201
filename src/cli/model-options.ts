import type { Overrides } from '../config/overrides.ts';
import type { CommonOptions } from './context.ts';

export interface ModelOptions extends CommonOptions {
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly keyEnv?: string;
  readonly maxTokens?: string;
  readonly maxIterations?: string;
  readonly callTimeout?: string;
}

/** Flags of a model as overrides of the settings. */
export function overridesOf(options: ModelOptions): Overrides {
  const { provider, baseUrl, model, keyEnv, maxTokens, maxIterations, callTimeout } = options;
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(model === undefined ? {} : { model }),
    ...(keyEnv === undefined ? {} : { apiKeyEnv: keyEnv }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxIterations === undefined ? {} : { maxIterations }),
    ...(callTimeout === undefined ? {} : { callTimeout }),
  };
}

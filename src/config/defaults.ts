import type { LlmConfig } from '../core/config.ts';

/** Most sections one search may hand to a model. */
export const TOP_K_CEILING = 20;

export const KNOWLEDGE_DEFAULTS = {
  enabled: true,
  anchors: 'auto',
  expandToSection: true,
  readTool: true,
  topK: 5,
  maxInjectedTokens: 6000,
} as const;

export const EMBEDDINGS_DEFAULTS = {
  provider: 'openai',
  timeoutSeconds: 30,
  /** A search waits no longer for the vector of its query before it does without. */
  queryTimeoutSeconds: 3,
  allowDownload: false,
} as const;

export const LLM_DEFAULTS: LlmConfig = {
  provider: 'none',
  budget: {
    maxTokens: 100_000,
    maxIterations: 20,
    maxToolCalls: 60,
    callTimeoutSeconds: 120,
    totalSeconds: 600,
  },
  maxOutputTokens: 2048,
};

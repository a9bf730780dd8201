/** Variables of the process, passed in: nothing below the command line reads `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings given for one run; they win over the environment, which wins over the file. */
export interface Overrides {
  readonly provider?: string;
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKeyEnv?: string;
  readonly embeddingsBaseUrl?: string;
  readonly embeddingsModel?: string;
  readonly embeddingsKeyEnv?: string;
  readonly topK?: string | number;
  readonly maxInjectedTokens?: string | number;
  readonly maxTokens?: string | number;
  readonly maxIterations?: string | number;
  readonly callTimeout?: string | number;
}

interface OverrideRow {
  readonly name: keyof Overrides;
  readonly variable: string;
  readonly flag: string;
  /** Place in the file format. */
  readonly path: readonly string[];
  readonly kind: 'text' | 'number' | 'duration';
}

/** Everything that can be set from outside the file. */
export const OVERRIDES: readonly OverrideRow[] = [
  row('provider', 'KB_LLM_PROVIDER', '--provider', 'llm.provider', 'text'),
  row('baseUrl', 'KB_LLM_BASE_URL', '--base-url', 'llm.base_url', 'text'),
  row('model', 'KB_LLM_MODEL', '--model', 'llm.model', 'text'),
  row('apiKeyEnv', 'KB_LLM_KEY_ENV', '--key-env', 'llm.api_key_env', 'text'),
  row(
    'embeddingsBaseUrl',
    'KB_EMBED_BASE_URL',
    '--embed-base-url',
    'harness.knowledge.embeddings.base_url',
    'text',
  ),
  row('embeddingsModel', 'KB_EMBED_MODEL', '--embed-model', 'harness.knowledge.embeddings.model', 'text'),
  row(
    'embeddingsKeyEnv',
    'KB_EMBED_KEY_ENV',
    '--embed-key-env',
    'harness.knowledge.embeddings.api_key_env',
    'text',
  ),
  row('topK', 'KB_TOP_K', '--top-k', 'harness.knowledge.top_k', 'number'),
  row(
    'maxInjectedTokens',
    'KB_MAX_INJECTED_TOKENS',
    '--max-injected-tokens',
    'harness.knowledge.max_injected_tokens',
    'number',
  ),
  row('maxTokens', 'KB_MAX_TOKENS', '--max-tokens', 'llm.budget.max_tokens', 'number'),
  row('maxIterations', 'KB_MAX_ITERATIONS', '--max-iterations', 'llm.budget.max_iterations', 'number'),
  row('callTimeout', 'KB_CALL_TIMEOUT', '--call-timeout', 'llm.budget.call_timeout', 'duration'),
];

function row(
  ...[name, variable, flag, path, kind]: [keyof Overrides, string, string, string, OverrideRow['kind']]
) {
  return { name, variable, flag, path: path.split('.'), kind };
}

/** One setting from outside the file, and what to call the place it came from. */
export interface AppliedOverride {
  readonly path: readonly string[];
  readonly value: string | number;
  readonly from: string;
}

/** The settings of this run that do not come from the file, flags before environment. Empty variables are unset. */
export function collectOverrides(environment: Environment, overrides: Overrides): readonly AppliedOverride[] {
  return OVERRIDES.flatMap(({ name, variable, flag, path, kind }): readonly AppliedOverride[] => {
    const flagged = overrides[name];
    if (flagged !== undefined) return [{ path, value: typed(flagged, kind), from: `flag ${flag}` }];
    const set = environment[variable]?.trim();
    return set === undefined || set === ''
      ? []
      : [{ path, value: typed(set, kind), from: `environment ${variable}` }];
  });
}

/** Text that is a number becomes one; anything else is left for validation to refuse with its own words. */
function typed(value: string | number, kind: OverrideRow['kind']): string | number {
  return kind === 'number' && typeof value === 'string' && /^-?\d+(?:\.\d+)?$/u.test(value.trim())
    ? Number(value)
    : value;
}

/** A copy of `data` with the overrides set in it. What is not a mapping on their way is left for validation. */
export function applyOverrides(data: unknown, overrides: readonly AppliedOverride[]): unknown {
  return overrides.reduce((merged, override) => setAt(merged, override.path, override.value), data);
}

function setAt(data: unknown, path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (data !== undefined && (data === null || typeof data !== 'object' || Array.isArray(data))) return data;
  const mapping = new Map<string, unknown>(Object.entries(data ?? {}));
  mapping.set(first, setAt(mapping.get(first), rest, value));
  return Object.fromEntries(mapping);
}

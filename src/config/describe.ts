import type { Config } from '../core/config.ts';
import { formatDuration } from './duration.ts';
import type { Origins } from './load.ts';
import type { Environment } from './overrides.ts';

/** One setting in force, as people read it. */
export interface SettingRow {
  /** Dotted name in the file format. */
  readonly key: string;
  readonly value: string;
  /** `default`, `agent.yaml:12`, `environment KB_TOP_K` or `flag --top-k`. */
  readonly from: string;
}

/**
 * Every setting in force and where it came from. Of a key's variable it says only whether it is set; the key is never
 * read into the result.
 */
export function describeConfig(
  config: Config,
  origins: Origins,
  environment: Environment = {},
): readonly SettingRow[] {
  return [...baseRows(config), ...embeddingRows(config, environment), ...llmRows(config, environment)]
    .filter((row): row is readonly [string, string] => row[1] !== undefined)
    .map(([key, value]) => ({ key, value, from: origins.get(key) ?? 'default' }));
}

type Row = readonly [key: string, value: string | undefined];

function baseRows(config: Config): readonly Row[] {
  const { knowledge } = config;
  const under = (key: string, value: string): Row => [`harness.knowledge.${key}`, value];
  return [
    ['identity', config.identity],
    ['icon_url', config.iconUrl],
    under('enabled', String(knowledge.enabled)),
    ...Object.entries(knowledge.sources).map(([name, source]) =>
      under(`sources.${name}`, source.ref === undefined ? source.git : `${source.git} at ${source.ref}`),
    ),
    under('paths', knowledge.paths.join(', ')),
    under('exclude', list(knowledge.exclude)),
    under('anchors', knowledge.anchors),
    under('expand_to_section', String(knowledge.expandToSection)),
    under('read_tool', String(knowledge.readTool)),
    under('top_k', String(knowledge.topK)),
    under('max_injected_tokens', String(knowledge.maxInjectedTokens)),
    under('citations', list(knowledge.citations.map((rule) => `${rule.pattern} -> ${rule.replace}`))),
    under(
      'site',
      list((knowledge.sites ?? []).map(({ generator, baseUrl }) => `${generator} at ${baseUrl}`)),
    ),
    ['system_prompt', config.systemPrompt],
  ];
}

function embeddingRows(config: Config, environment: Environment): readonly Row[] {
  const embeddings = config.knowledge.embeddings;
  if (embeddings === undefined) return [];
  const under = (key: string, value: string | undefined): Row => [
    `harness.knowledge.embeddings.${key}`,
    value,
  ];
  return [
    under('provider', embeddings.provider),
    under('base_url', embeddings.baseUrl),
    under('model', embeddings.model),
    under('api_key_env', variable(embeddings.apiKeyEnv, environment)),
    under('timeout', formatDuration(embeddings.timeoutSeconds)),
    under('query_timeout', formatDuration(embeddings.queryTimeoutSeconds)),
    under('dimensions', embeddings.dimensions?.toString()),
    under('batch.items', embeddings.batch?.items?.toString()),
    under('batch.input_tokens', embeddings.batch?.inputTokens?.toString()),
    under('batch.request_bytes', embeddings.batch?.requestBytes?.toString()),
    under(
      'allow_download',
      embeddings.provider === 'transformers' ? String(embeddings.allowDownload) : undefined,
    ),
    under('pooling', embeddings.pooling),
    under('query_prefix', embeddings.queryPrefix),
    under('document_prefix', embeddings.documentPrefix),
  ];
}

function llmRows(config: Config, environment: Environment): readonly Row[] {
  const { llm } = config;
  const { budget } = llm;
  return [
    ['llm.provider', llm.provider],
    ['llm.base_url', llm.baseUrl],
    ['llm.model', llm.model],
    ['llm.api_key_env', variable(llm.apiKeyEnv, environment)],
    ['llm.max_output_tokens', String(llm.maxOutputTokens)],
    ['llm.budget.max_tokens', String(budget.maxTokens)],
    ['llm.budget.max_iterations', String(budget.maxIterations)],
    ['llm.budget.max_tool_calls', String(budget.maxToolCalls)],
    ['llm.budget.call_timeout', formatDuration(budget.callTimeoutSeconds)],
    ['llm.budget.total_timeout', formatDuration(budget.totalSeconds)],
  ];
}

function list(values: readonly string[]): string {
  return values.length === 0 ? 'none' : values.join(', ');
}

function variable(name: string | undefined, environment: Environment): string | undefined {
  if (name === undefined) return undefined;
  const set = (environment[name] ?? '') !== '';
  return `${name} (${set ? 'set' : 'not set'})`;
}

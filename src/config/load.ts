import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type AnchorAlias,
  type AnchorRule,
  anchorRuleOf,
  type Config,
  type EmbeddingsConfig,
  type LlmConfig,
} from '../core/config.ts';
import { KbError } from '../core/errors.ts';
import { EMBEDDINGS_DEFAULTS, KNOWLEDGE_DEFAULTS, LLM_DEFAULTS } from './defaults.ts';
import { statusOf } from './file-status.ts';
import { knowledgeBaseName } from './name.ts';
import {
  type AppliedOverride,
  applyOverrides,
  collectOverrides,
  type Environment,
  type Overrides,
} from './overrides.ts';
import { normalizePath } from './path-rules.ts';
import { checkData, crossCheck, type LocatedProblem, locate } from './problems.ts';
import type { FileData } from './schema.ts';
import { normalizeSiteBase } from './url-parts.ts';
import { parseYaml, type YamlSource } from './yaml-source.ts';

/** A settings file larger than this is something else. */
const MAX_FILE_BYTES = 1_048_576;

/** Where each setting that is not a default came from, by its dotted name in the file format: `agent.yaml:12`. */
export type Origins = ReadonlyMap<string, string>;

/** A configuration and where its settings came from. */
export interface LoadedConfig {
  readonly config: Config;
  readonly origins: Origins;
}

/**
 * Reads a knowledge-base file. Flags (`overrides`) win over `environment`, which wins over the file, which wins over
 * the defaults. Throws config-missing, or config-invalid with every problem of the file at once.
 */
export function loadConfig(file: string, environment: Environment = {}, overrides: Overrides = {}): Config {
  return loadConfigWithOrigins(file, environment, overrides).config;
}

/** As {@link loadConfig}, and says where each setting came from. */
export function loadConfigWithOrigins(
  file: string,
  environment: Environment = {},
  overrides: Overrides = {},
): LoadedConfig {
  const source = parseYaml(readText(file));
  refuseBroken(file, source);
  const applied = collectOverrides(environment, overrides);
  const data = checkLayers(file, source, applied);
  const absolute = resolve(file);
  const place = { name: knowledgeBaseName(absolute), file: absolute, root: dirname(absolute) };
  const origins = new Map<string, string>();
  collectOrigins(source.data, [], (path) => origins.set(path.join('.'), `${file}:${source.keyLineOf(path)}`));
  for (const override of applied) origins.set(override.path.join('.'), override.from);
  return { config: resolveConfig(data, place), origins };
}

/** The configuration of a bare folder: everything in it is the knowledge base. Same overrides as a file. */
export function folderConfig(
  folder: string,
  environment: Environment = {},
  overrides: Overrides = {},
): Config {
  return folderConfigWithOrigins(folder, environment, overrides).config;
}

/** As {@link folderConfig}, and says where each setting came from. */
export function folderConfigWithOrigins(
  folder: string,
  environment: Environment = {},
  overrides: Overrides = {},
): LoadedConfig {
  const source: YamlSource = {
    data: { harness: { knowledge: { paths: ['.'] } } },
    problems: [],
    lineOf: () => 0,
    keyLineOf: () => 0,
  };
  const applied = collectOverrides(environment, overrides);
  const data = checkLayers(folder, source, applied);
  const root = resolve(folder);
  const origins = new Map(applied.map((override) => [override.path.join('.'), override.from]));
  return { config: resolveConfig(data, { name: knowledgeBaseName(root), root }), origins };
}

function readText(file: string): string {
  const stats = statusOf(file);
  if (stats === undefined) {
    throw new KbError(
      'config-missing',
      `no knowledge-base file ${file}`,
      { file },
      {
        hint: 'name an existing YAML file with --config, or index a folder without one: kb ingest ./FOLDER',
      },
    );
  }
  if (stats.isDirectory()) {
    throw invalid(
      file,
      [`${file} is a folder, not a YAML file`],
      `index the folder itself: kb ingest ${file}`,
    );
  }
  if (!stats.isFile()) throw invalid(file, [`${file} is not a regular file`]);
  if (stats.size > MAX_FILE_BYTES) throw invalid(file, [`${file} is larger than 1 MiB: not a settings file`]);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'EACCES' || code === 'EPERM') throw invalid(file, [`${file} may not be read (${code})`]);
    if (error instanceof TypeError) throw invalid(file, [`${file} is not UTF-8 text`]);
    throw error;
  }
}

/** Lines shown; a broken file can have hundreds that say the same. All of them are in the error's details. */
const SHOWN_PROBLEMS = 30;

function invalid(file: string, found: readonly string[], hint?: string): KbError<'config-invalid'> {
  const problems = [...new Set(found)];
  const shown = problems.slice(0, SHOWN_PROBLEMS).map((problem) => `  ${problem}`);
  if (problems.length > shown.length) shown.push(`  and ${problems.length - shown.length} more`);
  const message =
    problems.length === 1
      ? (problems[0] ?? '')
      : `${file} has ${problems.length} problems\n${shown.join('\n')}`;
  return new KbError(
    'config-invalid',
    message,
    { file, problems },
    { hint: hint ?? 'correct the settings named above, then run the same command again' },
  );
}

/** Stops where there is no data to check: syntax errors, an empty file, a list or a text. */
function refuseBroken(file: string, source: YamlSource): void {
  if (source.data !== undefined && source.data !== null && typeof source.data === 'object') {
    if (!Array.isArray(source.data)) return;
  }
  if (source.problems.length > 0) {
    throw invalid(
      file,
      source.problems.map((problem) => `${file}:${problem.line}: ${problem.text}`),
    );
  }
  const what = source.data === undefined || source.data === null ? 'is empty' : 'does not hold settings';
  throw invalid(file, [`${file}:1: the file ${what}: it must be a mapping such as "harness: …"`]);
}

/** Checks the file alone (a bad value stays an error although a flag hides it), then what is in force. */
function checkLayers(file: string, source: YamlSource, applied: readonly AppliedOverride[]): FileData {
  const merged = applyOverrides(source.data, applied);
  const inForce = checkData(merged);
  const located: LocatedProblem[] = [
    ...source.problems.map(({ line, text }) => ({ line, text: `${file}:${line}: ${text}` })),
    ...checkData(source.data).problems.map((problem) => locate(problem, file, source, [])),
    ...inForce.problems.map((problem) => locate(problem, file, source, applied)),
    ...crossCheck(merged).map((problem) => locate(problem, file, source, applied)),
  ];
  if (located.length === 0 && inForce.data !== undefined) return inForce.data;
  located.sort((left, right) => left.line - right.line);
  throw invalid(
    file,
    located.map((problem) => problem.text),
  );
}

function collectOrigins(
  data: unknown,
  path: readonly string[],
  add: (path: readonly string[]) => void,
): void {
  if (path.length > 0) add(path);
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return;
  for (const [key, value] of Object.entries(data)) collectOrigins(value, [...path, key], add);
}

function resolveConfig(data: FileData, place: Pick<Config, 'name' | 'file' | 'root'>): Config {
  const knowledge = data.harness?.knowledge ?? {};
  const embeddings = knowledge.embeddings;
  return {
    ...place,
    ...present('identity', data.identity),
    ...present('iconUrl', data.icon_url),
    ...present('systemPrompt', data.system_prompt),
    knowledge: {
      enabled: knowledge.enabled ?? KNOWLEDGE_DEFAULTS.enabled,
      sources: Object.fromEntries(
        Object.entries(knowledge.sources ?? {}).map(([name, { git, ref }]) => [
          name,
          { git, ...present('ref', ref) },
        ]),
      ),
      paths: [...new Set((knowledge.paths ?? []).map(normalizePath))],
      exclude: knowledge.exclude ?? [],
      anchors: resolveAnchors(knowledge.anchors ?? KNOWLEDGE_DEFAULTS.anchors),
      expandToSection: knowledge.expand_to_section ?? KNOWLEDGE_DEFAULTS.expandToSection,
      readTool: knowledge.read_tool ?? KNOWLEDGE_DEFAULTS.readTool,
      topK: knowledge.top_k ?? KNOWLEDGE_DEFAULTS.topK,
      maxInjectedTokens: knowledge.max_injected_tokens ?? KNOWLEDGE_DEFAULTS.maxInjectedTokens,
      ...(embeddings === undefined ? {} : { embeddings: resolveEmbeddings(embeddings, place.root) }),
      citations: knowledge.citations ?? [],
      ...resolveSites(knowledge),
    },
    llm: resolveLlm(data.llm ?? {}),
  };
}

function resolveAnchors(name: 'auto' | AnchorRule | AnchorAlias): 'auto' | AnchorRule {
  return name === 'auto' ? name : anchorRuleOf(name);
}

type KnowledgeData = NonNullable<NonNullable<FileData['harness']>['knowledge']>;

function resolveSites({ site, sites = [] }: KnowledgeData): Pick<Config['knowledge'], 'sites'> {
  const all = site === undefined ? sites : [site, ...sites];
  if (all.length === 0) return {};
  return {
    sites: all.map(({ generator, base_url: baseUrl, path, ending }) => ({
      generator,
      baseUrl: normalizeSiteBase(baseUrl),
      ...present('path', path === undefined ? undefined : normalizePath(path).replace(/^\.$/u, '')),
      ...present('ending', ending),
    })),
  };
}

type EmbeddingsData = NonNullable<KnowledgeData['embeddings']>;

function resolveEmbeddings(data: EmbeddingsData, root: string): EmbeddingsConfig {
  const provider = data.provider ?? EMBEDDINGS_DEFAULTS.provider;
  const isFolder = provider === 'transformers' && /^\.{0,2}\/|^[A-Za-z]:[/\\]|^\.{1,2}$/u.test(data.model);
  const { items, input_tokens: inputTokens, request_bytes: requestBytes } = data.batch ?? {};
  const batch = {
    ...present('items', items),
    ...present('inputTokens', inputTokens),
    ...present('requestBytes', requestBytes),
  };
  return {
    provider,
    ...present('baseUrl', data.base_url),
    model: data.model,
    ...present('modelFolder', isFolder ? resolve(root, data.model) : undefined),
    ...present('apiKeyEnv', data.api_key_env),
    timeoutSeconds: data.timeout ?? EMBEDDINGS_DEFAULTS.timeoutSeconds,
    queryTimeoutSeconds: data.query_timeout ?? EMBEDDINGS_DEFAULTS.queryTimeoutSeconds,
    ...present('dimensions', data.dimensions),
    ...present('batch', data.batch === undefined ? undefined : batch),
    allowDownload: data.allow_download ?? EMBEDDINGS_DEFAULTS.allowDownload,
    ...present('pooling', data.pooling),
    ...present('queryPrefix', data.query_prefix),
    ...present('documentPrefix', data.document_prefix),
  };
}

function resolveLlm(data: NonNullable<FileData['llm']>): LlmConfig {
  const { budget } = LLM_DEFAULTS;
  return {
    provider: data.provider ?? LLM_DEFAULTS.provider,
    ...present('baseUrl', data.base_url),
    ...present('model', data.model),
    ...present('apiKeyEnv', data.api_key_env),
    budget: {
      maxTokens: data.budget?.max_tokens ?? budget.maxTokens,
      maxIterations: data.budget?.max_iterations ?? budget.maxIterations,
      maxToolCalls: data.budget?.max_tool_calls ?? budget.maxToolCalls,
      callTimeoutSeconds: data.budget?.call_timeout ?? budget.callTimeoutSeconds,
      totalSeconds: data.budget?.total_timeout ?? budget.totalSeconds,
    },
    maxOutputTokens: data.max_output_tokens ?? LLM_DEFAULTS.maxOutputTokens,
  };
}

/** An optional property that is left out, not set to undefined. */
function present<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [name in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [name in Key]?: Value };
}

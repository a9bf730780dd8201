import { resolve } from 'node:path';
import { knowledgeBaseName } from '../config/name.ts';
import type { Environment, Overrides } from '../config/overrides.ts';
import { findWorkspace, indexFile, listKnowledgeBases, resolveKnowledgeBase } from '../config/workspace.ts';
import { INGEST } from '../core/advice.ts';
import type { Config } from '../core/config.ts';
import type { Embedder } from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';
import { type IngestProgress, ingest } from '../ingest/ingest.ts';
import type { IngestReport } from '../ingest/report.ts';
import { asPath, locateKb, type Where } from './locate.ts';
import { recallOrigin } from './recall.ts';
import { rememberSources } from './remembered-sources.ts';

export interface IngestKbOptions extends Where {
  readonly overrides?: Overrides;
  /** Name of the index instead of the file's or folder's own. */
  readonly name?: string;
  /** Local folders in place of sources, by name; relative ones are relative to `cwd`. */
  readonly local?: ReadonlyMap<string, string>;
  readonly reindex?: boolean;
  readonly force?: boolean;
  readonly compact?: boolean;
  /** Find out what would be done, and change nothing. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  /** Told what a person should know before the work begins: a source that is taken from where it was before. */
  readonly onNote?: (note: string) => void;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Told once the text is in the index, before vectors are made. */
  readonly onText?: (report: Omit<IngestReport, 'ms'>) => void;
}

/** Brings the index of a knowledge base up to date; makes it when there is none. See `ingest` for what it throws. */
export async function ingestKb(options: IngestKbOptions): Promise<IngestReport> {
  const environment = options.environment ?? {};
  const cwd = options.cwd ?? process.cwd();
  const workspace = findWorkspace(cwd, environment);
  const described = await describe(options);
  if (!described.knowledge.enabled) throw disabled(described);
  const name = options.name === undefined ? described.name : knowledgeBaseName(options.name);
  const { embedder, problem } = await tryEmbedder(described, environment);
  const given = [...(options.local ?? [])].map(([source, folder]): [string, string] => [
    source,
    resolve(cwd, folder),
  ]);
  const indexPath = indexFile(workspace, name);
  const { local, notes } = rememberSources(described, indexPath, new Map(given));
  for (const note of notes) options.onNote?.(note);
  const report = await ingest(
    { ...described, name },
    {
      indexPath,
      local,
      environment,
      signal: options.signal ?? new AbortController().signal,
      reindex: options.reindex ?? false,
      force: options.force ?? false,
      compact: options.compact ?? false,
      dryRun: options.dryRun ?? false,
      ...(embedder === undefined ? {} : { embedder }),
      ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      ...(options.onText === undefined ? {} : { onText: options.onText }),
    },
  );
  if (problem !== undefined) throw problem;
  return report;
}

/** A wrong setting of the embeddings is told after the text is in the index: it can be searched without them. */
async function tryEmbedder(
  config: Config,
  environment: Environment,
): Promise<{ readonly embedder?: Embedder | undefined; readonly problem?: KbError }> {
  try {
    return { embedder: await configuredEmbedder(config, environment) };
  } catch (error) {
    if (error instanceof KbError) return { problem: error };
    throw error;
  }
}

/** The embedder the settings name; loading its code waits for that. */
export async function configuredEmbedder(
  config: Config,
  environment: Environment,
): Promise<Embedder | undefined> {
  const { embeddings } = config.knowledge;
  if (embeddings === undefined) return undefined;
  const { createEmbedder } = await import('../models/create-embedder.ts');
  return createEmbedder(embeddings, environment);
}

/** The settings of what was named; with nothing named, of the knowledge base ingested last. */
async function describe(options: IngestKbOptions): Promise<Config> {
  const { folderConfig, loadConfig } = await import('../config/load.ts');
  const { environment = {}, overrides = {} } = options;
  const workspace = findWorkspace(options.cwd ?? process.cwd(), environment);
  const word = options.config === undefined ? options.kb : asPath(options.config);
  if (word !== undefined) {
    const meant = resolveKnowledgeBase(word, workspace);
    if (meant.kind === 'config') return loadConfig(meant.file, environment, overrides);
    if (meant.kind === 'folder') return folderConfig(meant.folder, environment, overrides);
  }
  const { indexPath } = locateKb(options);
  if (indexPath === undefined) {
    const known = listKnowledgeBases(workspace);
    const described = known.length === 0 ? '' : `, or one described in corpora/: ${known.join(', ')}`;
    throw new KbError(
      'usage-invalid',
      `name what to ingest: a folder${described}`,
      { argument: 'kb' },
      { hint: `kb ingest ${known[0] ?? '.'}` },
    );
  }
  return describedIn(indexPath, options);
}

/** A folder's knowledge base is described nowhere but in its own index. */
async function describedIn(
  indexPath: string,
  { environment = {}, overrides = {} }: IngestKbOptions,
): Promise<Config> {
  const origin = recallOrigin(indexPath);
  if (origin === undefined) {
    throw new KbError(
      'index-missing',
      `${indexPath} was never completed`,
      { path: indexPath },
      { hint: INGEST },
    );
  }
  const { folderConfig, loadConfig } = await import('../config/load.ts');
  const { file, root, name } = origin.config;
  const config =
    file === undefined
      ? folderConfig(root, environment, overrides)
      : loadConfig(file, environment, overrides);
  return { ...config, name };
}

function disabled(config: Config): KbError {
  return new KbError(
    'config-invalid',
    `${config.name} has its knowledge switched off`,
    { file: config.file ?? config.root, problems: ['harness.knowledge.enabled is false'] },
    { hint: 'set harness.knowledge.enabled to true' },
  );
}

import { statSync } from 'node:fs';
import { isFolder } from '../config/file-status.ts';
import type { Environment } from '../config/overrides.ts';
import { resetCommand } from '../core/advice.ts';
import type { Config } from '../core/config.ts';
import { KbError } from '../core/errors.ts';
import { PageLinks } from '../search/page-links.ts';
import { standingTierLine } from '../search/tier.ts';
import { allDocuments } from '../store/documents.ts';
import { pinnedIdentity } from '../store/embeddings.ts';
import type { IndexFile } from '../store/index-file.ts';
import { checkIntegrity, engineOf } from '../store/maintenance.ts';
import type { Origin } from '../store/origin.ts';
import { ingestCommand, type Place } from './next-command.ts';
import { statsOf } from './stats.ts';

export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** The command or setting that mends it. */
  readonly hint?: string;
}

/** Looks the index over: file, sources, settings. Reads only. */
export function checkIndex(index: IndexFile, origin: Origin, config: Config, place: Place): Check[] {
  const ingest = ingestCommand(origin, place);
  return [
    checkEngine(index),
    checkSoundness(index),
    checkMode(index),
    ...checkFolders(origin, ingest, resetCommand(index.path)),
    ...checkDocuments(index, origin, config, ingest),
    ...checkAnchors(origin),
    ...checkLinks(index, config),
    {
      name: 'tier',
      status: 'ok',
      text: standingTierLine(config, pinnedIdentity(index)).replace(/^tier: /u, ''),
    },
  ];
}

function checkEngine(index: IndexFile): Check {
  const { sqlite, fts5 } = engineOf(index);
  const text = `Node ${process.versions.node}, SQLite ${sqlite}`;
  return fts5
    ? { name: 'engine', status: 'ok', text: `${text} with FTS5` }
    : { name: 'engine', status: 'fail', text: `${text} without FTS5`, hint: 'npm ci' };
}

function checkSoundness(index: IndexFile): Check {
  const problems = checkIntegrity(index);
  if (problems.length === 0) return { name: 'integrity', status: 'ok', text: 'PRAGMA integrity_check: ok' };
  return {
    name: 'integrity',
    status: 'fail',
    text: problems.slice(0, 5).join('; '),
    hint: resetCommand(index.path),
  };
}

const OTHERS = 0o077;

function checkMode(index: IndexFile): Check {
  const mode = statSync(index.path).mode & 0o777;
  const shown = mode.toString(8).padStart(4, '0');
  if (process.platform === 'win32' || (mode & OTHERS) === 0) {
    return { name: 'rights', status: 'ok', text: `index file mode ${shown}` };
  }
  return {
    name: 'rights',
    status: 'warn',
    text: `index file mode ${shown}: others on this machine can read it`,
    hint: `chmod 600 ${index.path}`,
  };
}

function checkFolders(origin: Origin, ingest: string, reset: string): Check[] {
  const places = [...origin.folders].map(([name, folder]) => ({
    name: `source ${name}`,
    folder,
    hint: `name where it is now: ${ingest} --source ${name}=FOLDER`,
  }));
  const root = origin.config.root;
  const all =
    places.length === 0
      ? [{ name: 'folder', folder: root, hint: `bring it back, or delete the index: ${reset}` }]
      : places;
  return all.map(({ name, folder, hint }): Check => {
    if (isFolder(folder)) return { name, status: 'ok', text: folder };
    return { name, status: 'warn', text: `${folder} is not there any more`, hint };
  });
}

function checkDocuments(index: IndexFile, origin: Origin, config: Config, hint: string): Check[] {
  const stats = statsOf(index, origin, config);
  const { changed, missing } = stats.freshness;
  const checks: Check[] = [
    changed + missing === 0
      ? { name: 'freshness', status: 'ok', text: `all ${stats.documents} documents are as indexed` }
      : {
          name: 'freshness',
          status: 'warn',
          text: `${changed} documents changed and ${missing} missing since ${stats.ingestedAt}`,
          hint,
        },
  ];
  const failed = allDocuments(index).filter((document) => document.status === 'failed');
  for (const document of failed.slice(0, 10)) {
    checks.push({
      name: 'document',
      status: 'warn',
      text: `${document.path}: ${document.note ?? 'not indexed'}`,
    });
  }
  return checks;
}

/** How many documents the citation rules and sites have a page for; nothing where neither is configured. */
function checkLinks(index: IndexFile, config: Config): Check[] {
  const { citations, sites = [] } = config.knowledge;
  if (citations.length + sites.length === 0) return [];
  const links = new PageLinks(index, config);
  const documents = allDocuments(index).filter(({ status }) => status === 'indexed');
  const without = documents.filter(({ path }) => links.urlOf(path, undefined) === undefined);
  const linked = documents.length - without.length;
  const text = `${linked} of ${documents.length} documents have a published page`;
  if (linked > 0 || documents.length === 0) return [{ name: 'links', status: 'ok', text }];
  const hint = `citations, site and sites must fit paths such as ${without[0]?.path}`;
  return [{ name: 'links', status: 'warn', text, hint }];
}

/** One check for each folder with a rule of its own: which, why, and how many of its own links it resolves. */
function checkAnchors(origin: Origin): Check[] {
  const single = origin.anchors.length === 1;
  return origin.anchors.map(({ path, rule, by, links, resolved }) => {
    const where = single || path === '' ? '' : `${path}: `;
    const why = by === 'default' || by === 'setting' ? '' : ` (by its ${by})`;
    const evidence = links === 0 ? '' : `; resolves ${resolved} of the ${links} links to headings`;
    const status = links > 0 && resolved < links * 0.9 ? 'warn' : 'ok';
    return { name: 'anchors', status, text: `${where}${rule}${why}${evidence}` };
  });
}

const PROBE_TIMEOUT = 2000;

/** Whether the configured model could answer. Touches the network only where the settings name an endpoint. */
export async function checkModel(config: Config, environment: Environment): Promise<Check[]> {
  const { provider, baseUrl, model, apiKeyEnv } = config.llm;
  if (provider === 'none') {
    return [{ name: 'model', status: 'ok', text: 'none configured: kb ask gives extracts (--mode extract)' }];
  }
  const checks: Check[] = [];
  if (apiKeyEnv !== undefined && (environment[apiKeyEnv] ?? '') === '') {
    checks.push({
      name: 'model key',
      status: 'fail',
      text: `${apiKeyEnv} is not set`,
      hint: `export ${apiKeyEnv}=…`,
    });
  }
  if (baseUrl !== undefined) checks.push(await probe(baseUrl, model));
  return checks.length > 0
    ? checks
    : [{ name: 'model', status: 'ok', text: `${provider} ${model ?? ''}`.trim() }];
}

/** Any HTTP answer means that somebody listens; whether it accepts the key is seen at the first question. */
async function probe(baseUrl: string, model: string | undefined): Promise<Check> {
  try {
    const reply = await fetch(`${baseUrl.replace(/\/+$/u, '')}/models`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
      redirect: 'error',
    });
    await reply.body?.cancel();
    return {
      name: 'model',
      status: 'ok',
      text: `${baseUrl} answers (${reply.status})${model === undefined ? '' : `, ${model}`}`,
    };
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return {
      name: 'model',
      status: 'fail',
      text: `${baseUrl} cannot be reached: ${cause}`,
      hint: 'start the server, or set llm.base_url; kb ask --mode extract needs none',
    };
  }
}

/** The check that says why there is nothing else to check. */
export function checkOfError(error: unknown): Check {
  if (!(error instanceof KbError)) throw error;
  return {
    name: 'index',
    status: 'fail',
    text: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}

import { lstatSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isFolder, statusOf } from '../config/file-status.ts';
import { locateGit } from '../config/git-url.ts';
import { nearest } from '../config/nearest.ts';
import type { Environment } from '../config/overrides.ts';
import type { Config, SourceConfig } from '../core/config.ts';
import { KbError } from '../core/errors.ts';
import { cloneShallow, GitFailure, withoutCredentials } from './git-clone.ts';

export interface SourceProgress {
  readonly source: string;
  /** Where it comes from, without credentials. */
  readonly url: string;
  readonly stage: 'fetch' | 'checkout' | 'done';
  /** 0 to 100, when git says. */
  readonly percent?: number;
}

export interface SourceOptions {
  /** Folders given for this run in place of a source: name to path, relative to the current folder or absolute. */
  readonly local: ReadonlyMap<string, string>;
  readonly onProgress: (progress: SourceProgress) => void;
  readonly signal: AbortSignal;
  /** Variables git may see (PATH, HOME, proxies). */
  readonly environment: Environment;
}

/** Where the first folder of each document path really is. */
export interface PreparedSources {
  /** First segment of a path to an absolute folder. A segment that is not here is in the configuration's root. */
  readonly folders: ReadonlyMap<string, string>;
}

/**
 * Makes the sources that `paths` use present: a folder given for this run, else the folder beside the YAML file, as it
 * is, else a fresh shallow clone. Nothing that is there is fetched again or changed. Throws usage-invalid (a folder
 * given for an unknown name, or that is none), source-unavailable, aborted.
 */
export async function prepareSources(config: Config, options: SourceOptions): Promise<PreparedSources> {
  const { paths, sources } = config.knowledge;
  const used = new Set(paths.map((path) => path.split('/')[0] ?? path));
  const declared = Object.keys(sources);
  refuseUnknown(options.local, new Set([...declared, ...used].filter((name) => name !== '.')));
  // The path `.` is the whole folder, the sources in it included.
  const wanted = used.has('.') ? [...new Set([...used, ...declared])] : [...used];
  const folders = new Map<string, string>();
  for (const name of wanted.filter((candidate) => candidate !== '.')) {
    const given = options.local.get(name);
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (given !== undefined) folders.set(name, givenFolder(name, given));
    else if (source !== undefined) folders.set(name, await ownFolder(config, name, source, options));
    else if (isFolder(join(config.root, name))) folders.set(name, join(config.root, name));
  }
  return { folders };
}

function refuseUnknown(local: ReadonlyMap<string, string>, known: ReadonlySet<string>): void {
  for (const name of local.keys()) {
    if (known.has(name)) continue;
    const near = nearest(name, known);
    const guess = near === undefined ? '' : `; did you mean ${near}?`;
    const list =
      known.size === 0 ? 'this knowledge base has none' : `the sources are ${[...known].join(', ')}`;
    throw new KbError(
      'usage-invalid',
      `no source "${name}" (${list})${guess}`,
      { argument: '--source' },
      { hint: `--source ${near ?? [...known][0] ?? 'NAME'}=DIR` },
    );
  }
}

function givenFolder(name: string, given: string): string {
  const folder = resolve(given);
  if (isFolder(folder)) return folder;
  const what = statusOf(folder) === undefined ? 'does not exist' : 'is not a folder';
  throw new KbError(
    'usage-invalid',
    `--source ${name}=${given}: ${folder} ${what}`,
    { argument: '--source' },
    { hint: `--source ${name}=DIR with the folder that holds the files of ${name}` },
  );
}

async function ownFolder(
  config: Config,
  name: string,
  source: SourceConfig,
  options: SourceOptions,
): Promise<string> {
  const folder = join(config.root, name);
  const state = stateOf(folder);
  if (state === 'present') return folder;
  const failed = (reason: string): KbError<'source-unavailable'> => unavailable(name, source, reason);
  if (state === 'file') throw failed(`${folder} is not a folder`);
  if (state === 'broken-link') throw failed(`${folder} is a link to something that is not there`);
  if (state === 'git-only')
    throw failed(`${folder} holds a .git folder but no files: remove it to clone anew`);
  const location = locateGit(source.git);
  if ('problem' in location) throw failed(`its address ${location.problem}`);
  const local = location.kind === 'local';
  const url = local && !source.git.startsWith('file:') ? resolve(config.root, source.git) : source.git;
  const partial = join(config.root, `.${name}.partial`);
  const progress = { source: name, url: withoutCredentials(source.git) };
  const release = reserve(`${partial}.lock`, failed);
  try {
    if (stateOf(folder) === 'present') return folder;
    const ref = source.ref === undefined ? {} : { ref: source.ref };
    await cloneShallow(
      { url, local, folder, partial, ...ref },
      {
        environment: options.environment,
        signal: options.signal,
        onProgress: (stage, percent) =>
          options.onProgress({ ...progress, stage, ...(percent === undefined ? {} : { percent }) }),
      },
    );
  } catch (error) {
    throw error instanceof GitFailure ? failed(error.message) : error;
  } finally {
    release();
  }
  options.onProgress({ ...progress, stage: 'done' });
  return folder;
}

type FolderState = 'present' | 'absent' | 'file' | 'broken-link' | 'git-only';

/** An empty folder (an unfilled submodule, a `mkdir`) counts as absent: git's clone would fill it too. */
function stateOf(folder: string): FolderState {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return 'absent';
  const stats = statusOf(folder);
  if (stats === undefined) return 'broken-link';
  if (!stats.isDirectory()) return 'file';
  const entries = readdirSync(folder);
  if (entries.length === 0) return 'absent';
  return entries.length === 1 && entries[0] === '.git' ? 'git-only' : 'present';
}

/**
 * Keeps two kb processes from cloning into the same folder. A link names the process that holds it; one left by a
 * killed process is taken over. Answers with the function that gives it back.
 */
function reserve(file: string, failed: (reason: string) => KbError): () => void {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      // A link's text appears with the link: no moment in which the file exists and names nobody.
      symlinkSync(String(process.pid), file);
      return () => rmSync(file, { force: true });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code !== 'EEXIST') throw failed(`its folder cannot be written (${code || String(error)})`);
      const holder = holderOf(file);
      if (isAlive(holder)) throw failed(`process ${holder} is cloning it (if not, remove ${file})`);
      rmSync(file, { force: true });
    }
  }
  throw failed('another process began to clone it');
}

function holderOf(file: string): number {
  try {
    return Number(readlinkSync(file));
  } catch {
    return Number.NaN;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function unavailable(name: string, source: SourceConfig, reason: string): KbError<'source-unavailable'> {
  const short = /^[0-9a-f]{4,39}$/iu.test(source.ref ?? '');
  const note = short ? ' (a commit must be given by its full hash)' : '';
  return new KbError(
    'source-unavailable',
    `source ${name} could not be had from ${withoutCredentials(source.git)}: ${reason}${note}`,
    { source: name, reason },
    { hint: `run the same command again with a copy you already have: --source ${name}=FOLDER` },
  );
}

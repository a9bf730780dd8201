import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../config/overrides.ts';
import { KbError } from '../core/errors.ts';
import { stripControls } from '../core/text.ts';

/** What to clone and where to. */
export interface CloneRequest {
  /** As {@link locateGit} accepts it; local paths absolute. */
  readonly url: string;
  /** Branch, tag or full commit hash; the repository's default branch when absent. */
  readonly ref?: string;
  /** True for a repository of this machine: only then may git use its file transport. */
  readonly local: boolean;
  /** Folder to create. Must not exist, or be empty. */
  readonly folder: string;
  /** Folder beside it that the clone is made in; what a killed clone left there is used or replaced. */
  readonly partial: string;
}

export interface CloneOptions {
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly onProgress: (stage: 'fetch' | 'checkout', percent: number | undefined) => void;
}

/** Git failed: `reason` is its last line, credentials removed. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure';
}

/**
 * Settings that keep a repository's content from running anything, and git from doing more than asked: no hooks, no
 * file monitor, no submodules, no background maintenance; a stalled transfer ends after a minute.
 */
const SAFE_SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.symlinks=true',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'advice.detachedHead=false',
  'init.defaultBranch=main',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=60',
].flatMap((setting) => ['-c', setting]);

/** Variables of git that may pass: how to reach a server. The others could point git at another repository. */
const PASSED =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|SSL_.+|PROXY_SSL_.+|HTTP_.+|EXEC_PATH|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/u;

/** Note inside a partial clone that its commit has arrived: what is left to do needs no network. */
const FETCHED_NOTE = 'kb-fetched';

/**
 * Clones the newest state of a repository (one commit deep) so that `folder` appears only when it is complete. A clone
 * killed at any point is continued, or made anew, by the next call. Nothing in the repository is executed. Throws
 * {@link GitFailure}, or KbError aborted.
 */
export async function cloneShallow(request: CloneRequest, options: CloneOptions): Promise<void> {
  const target = JSON.stringify([request.url, request.ref ?? null]);
  if (!hasFetched(request.partial, target)) await fetchOrNothing(request, options, target);
  try {
    await checkOut(request, options);
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    // The note said the objects are there, but a disk can lose them: once more from nothing.
    await fetchOrNothing(request, options, target);
    await checkOut(request, options);
  }
  try {
    renameSync(request.partial, request.folder);
  } catch (error) {
    throw new GitFailure(`${request.folder} could not be put in place: ${String(error)}`);
  }
}

function hasFetched(partial: string, target: string): boolean {
  try {
    return readFileSync(join(partial, '.git', FETCHED_NOTE), 'utf8') === target;
  } catch {
    return false;
  }
}

/** Half a transfer is of no use to git: what did not arrive whole is removed at once. */
async function fetchOrNothing(request: CloneRequest, options: CloneOptions, target: string): Promise<void> {
  try {
    await fetchAnew(request, options, target);
  } catch (error) {
    rmSync(request.partial, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

async function fetchAnew(request: CloneRequest, options: CloneOptions, target: string): Promise<void> {
  const { partial, url } = request;
  options.onProgress('fetch', undefined);
  rmSync(partial, { recursive: true, force: true, maxRetries: 5 });
  mkdirSync(partial, { recursive: true });
  const format = request.ref?.length === 64 && isHash(request.ref) ? ['--object-format=sha256'] : [];
  const network = gitEnvironment(options.environment, request.local);
  await runGit(
    [...SAFE_SETTINGS, 'init', '--quiet', '--template=', ...format, '--', partial],
    network,
    options,
  );
  const fetch = ['fetch', '--progress', '--depth', '1', '--no-tags', '--no-recurse-submodules'];
  const inside = inRepository(partial);
  await runGit([...inside, ...fetch, '--', url, request.ref ?? 'HEAD'], network, options);
  writeFileSync(join(partial, '.git', FETCHED_NOTE), target);
}

/**
 * Writes the files. The person's own git settings are left out here: they may define filters (Git LFS and others)
 * that a repository's `.gitattributes` could call.
 */
async function checkOut(request: CloneRequest, options: CloneOptions): Promise<void> {
  options.onProgress('checkout', undefined);
  rmSync(join(request.partial, '.git', 'index.lock'), { force: true });
  rmSync(join(request.partial, '.git', 'HEAD.lock'), { force: true });
  const isolated = {
    ...gitEnvironment(options.environment, request.local),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
  };
  const checkout = ['checkout', '--quiet', '--force', '--detach', '--no-recurse-submodules', 'FETCH_HEAD'];
  await runGit([...inRepository(request.partial), ...checkout, '--'], isolated, options);
}

/** Names the repository outright, so that git never finds another one in a folder above. */
function inRepository(folder: string): readonly string[] {
  return [...SAFE_SETTINGS, `--git-dir=${join(folder, '.git')}`, `--work-tree=${folder}`];
}

function isHash(ref: string): boolean {
  return /^[0-9a-f]+$/iu.test(ref);
}

function gitEnvironment(environment: Environment, local: boolean): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith('GIT_') || PASSED.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_LAZY_FETCH: '1',
    GCM_INTERACTIVE: 'never',
    GIT_ALLOW_PROTOCOL: local ? 'file' : 'https:ssh',
    LC_ALL: 'C',
    LANGUAGE: '',
  };
}

/** Time a git that was told to stop has to clean up, milliseconds. */
const GRACE_MS = 2000;
/** Kept of git's messages, characters: the end, where the reason is. */
const KEPT_MESSAGES = 8000;

/** Runs git without a shell and without a terminal. Settles only when the process is gone. */
function runGit(args: readonly string[], env: NodeJS.ProcessEnv, options: CloneOptions): Promise<void> {
  const { signal, onProgress } = options;
  if (signal.aborted) return Promise.reject(aborted());
  return new Promise((settle, reject) => {
    // Its own process group: Ctrl-C reaches kb only, which then stops git and git's own children together.
    const child = spawn('git', args, { env, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    let messages = '';
    let grace: NodeJS.Timeout | undefined;
    const stop = (): void => {
      killGroup(child.pid, 'SIGTERM');
      grace = setTimeout(() => killGroup(child.pid, 'SIGKILL'), GRACE_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      messages = (messages + text).slice(-KEPT_MESSAGES);
      const percent = /Receiving objects:\s+(\d+)%[^%]*$/u.exec(text)?.[1];
      if (percent !== undefined) onProgress('fetch', Number(percent));
    });
    const finish = (failure: Error | undefined): void => {
      signal.removeEventListener('abort', stop);
      clearTimeout(grace);
      if (signal.aborted) reject(aborted());
      else if (failure === undefined) settle();
      else reject(failure);
    };
    child.once('error', (error) => finish(cannotStart(error)));
    child.once('close', (code) => finish(code === 0 ? undefined : new GitFailure(lastLine(messages))));
  });
}

function aborted(): KbError<'aborted'> {
  return new KbError(
    'aborted',
    'stopped while a source was being cloned; the same command takes it up again',
    {},
  );
}

function cannotStart(error: Error): GitFailure {
  const missing = 'code' in error && error.code === 'ENOENT';
  return new GitFailure(
    missing ? 'the program git was not found' : `git could not be started: ${error.message}`,
  );
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Gone already: nothing left to stop.
  }
}

/** The line of git's messages that says why: its last `fatal:` or `error:`, else the last one at all. */
function lastLine(messages: string): string {
  const lines = stripControls(messages)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const reasons = lines.filter((line) => /^(?:fatal|error):/u.test(line));
  return withoutCredentials(reasons.at(-1) ?? lines.at(-1) ?? 'git gave no reason');
}

/** Removes user names, tokens and passwords from the URLs of a text. */
export function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/giu, '$1');
}

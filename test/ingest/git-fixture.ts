import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { folderConfig } from '../../src/config/load.ts';
import type { Config, SourceConfig } from '../../src/core/config.ts';
import type { KbError } from '../../src/core/errors.ts';
import { prepareSources, type SourceOptions } from '../../src/ingest/sources.ts';

export const top = realpathSync(mkdtempSync(join(tmpdir(), 'kb-sources-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

export const home = join(top, 'home');
export const environment = { PATH: pathOfThisProcess(), HOME: home };
export const upstream = join(top, 'upstream');

function pathOfThisProcess(): string {
  return execFileSync('sh', ['-c', 'printf %s "$PATH"'], { encoding: 'utf8' });
}

export function git(folder: string, ...args: readonly string[]): string {
  const identity = [
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.org',
    '-c',
    'protocol.file.allow=always',
  ];
  return execFileSync('git', ['-C', folder, ...identity, ...args], {
    encoding: 'utf8',
    env: { ...environment, GIT_CONFIG_GLOBAL: '/dev/null' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

export function commit(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'change');
  return git(folder, 'rev-parse', 'HEAD');
}

/** Makes `upstream`: two commits; the tag `v1` and the branch `old` on the first, whose hash is the answer. */
export function makeUpstream(): string {
  mkdirSync(home, { recursive: true });
  mkdirSync(upstream);
  git(upstream, 'init', '-q', '-b', 'main');
  const first = commit(upstream, { 'docs/a.md': '# one\n' });
  git(upstream, 'tag', 'v1');
  git(upstream, 'branch', 'old');
  symlinkSync('a.md', join(upstream, 'docs/link.md'));
  commit(upstream, { 'docs/a.md': '# two\n' });
  return first;
}

let count = 0;
export function project(
  source: SourceConfig | undefined,
  paths: readonly string[] = ['manual/docs'],
): Config {
  count += 1;
  const root = join(top, `project-${count}`);
  mkdirSync(root);
  const config = folderConfig(root);
  const sources = source === undefined ? {} : { manual: source };
  return { ...config, name: 'kbase', knowledge: { ...config.knowledge, paths, sources } };
}

export function options(more: Partial<SourceOptions> = {}): SourceOptions {
  return {
    local: new Map(),
    onProgress: () => undefined,
    signal: new AbortController().signal,
    environment,
    ...more,
  };
}

export async function failure(config: Config, more: Partial<SourceOptions> = {}): Promise<KbError> {
  try {
    await prepareSources(config, options(more));
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error as KbError;
    throw error;
  }
  throw new Error('nothing was thrown');
}

export function leftovers(config: Config): readonly string[] {
  return readdirSync(config.root).filter((name) => name.startsWith('.'));
}

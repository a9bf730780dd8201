import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/** A file may import its own folder and folders with a smaller number; nothing else. */
const LAYER: Record<string, number> = {
  core: 0,
  config: 1,
  markdown: 1,
  store: 1,
  models: 1,
  telemetry: 1,
  ingest: 2,
  search: 2,
  tools: 3,
  agent: 4,
  kb: 5,
  mcp: 6,
  web: 6,
  bench: 6,
  cli: 7,
  index: 8,
};

/** Folders with one door: only these may import them, whatever their number. */
const USED_BY: Record<string, readonly string[]> = {
  store: ['ingest', 'search', 'kb'],
  models: ['kb'],
  markdown: ['ingest', 'web', 'bench', 'cli'],
  telemetry: ['cli', 'web', 'bench'],
};

/** Packages and node: modules that only some folders may know. */
const ONLY_IN: Record<string, readonly string[]> = {
  'better-sqlite3': ['store'],
  'sqlite-vec': ['store'],
  unified: ['markdown', 'web', 'cli'],
  'remark-parse': ['markdown', 'web', 'cli'],
  commander: ['cli'],
  hono: ['web'],
  '@modelcontextprotocol/sdk': ['mcp'],
  '@opentelemetry/api': ['telemetry'],
  'node:fs': ['config', 'ingest', 'store', 'kb', 'telemetry', 'web', 'bench', 'cli'],
  'node:child_process': ['ingest'],
  'markdown-it': ['markdown'],
  'gray-matter': ['markdown'],
  yaml: ['config'],
  openai: ['models'],
  '@anthropic-ai/sdk': ['models'],
};
const MAX_LINES = 300;

interface Module {
  readonly file: string;
  readonly folder: string;
  readonly lines: number;
  readonly imports: readonly string[];
}

const modules: readonly Module[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return {
      file,
      folder: folderOf(file),
      lines: text.split('\n').length,
      imports: ts.preProcessFile(text).importedFiles.map((found) => found.fileName),
    };
  });

function folderOf(file: string): string {
  return file.split(/[/\\]/u)[0]?.replace(/\.ts$/u, '') ?? '';
}

describe('src', () => {
  test('every folder has a layer', () => {
    expect(
      [...new Set(modules.map((module) => module.folder))].filter((folder) => LAYER[folder] === undefined),
    ).toEqual([]);
  });

  test('imports point down', () => {
    const upward = modules.flatMap((module) =>
      module.imports
        .filter((name) => name.startsWith('.'))
        .flatMap((name) => {
          const target = folderOf(relative(SRC, resolve(SRC, dirname(module.file), name)));
          const lower = (LAYER[target] ?? 99) < (LAYER[module.folder] ?? -1);
          const admitted = USED_BY[target]?.includes(module.folder) ?? true;
          const down = target === module.folder || (lower && admitted);
          return down ? [] : [`${module.file} -> ${name}`];
        }),
    );
    expect(upward).toEqual([]);
  });

  test('packages stay in the folders that own them', () => {
    const strays = modules.flatMap((module) =>
      module.imports.flatMap((name) => {
        const owner = Object.keys(ONLY_IN).find((prefix) => name === prefix || name.startsWith(`${prefix}/`));
        return owner !== undefined && !ONLY_IN[owner]?.includes(module.folder)
          ? [`${module.file} imports ${name}`]
          : [];
      }),
    );
    expect(strays).toEqual([]);
  });

  test(`no file is longer than ${MAX_LINES} lines`, () => {
    expect(
      modules.filter((module) => module.lines > MAX_LINES).map((module) => `${module.file}: ${module.lines}`),
    ).toEqual([]);
  });
});

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { readBeir } from '../../src/bench/beir.ts';
import { buildBeirIndex } from '../../src/bench/beir-index.ts';
import { checkWritable, makeTemporaryFolder, writeText } from '../../src/bench/files.ts';
import { readQuestions } from '../../src/bench/questions.ts';
import { readResult } from '../../src/bench/result.ts';
import { readRun } from '../../src/bench/trec.ts';
import { type BenchCommandOptions, benchCommand } from '../../src/cli/commands/bench.ts';
import type { Context } from '../../src/cli/context.ts';
import { terminalOf } from '../../src/cli/render/terminal.ts';
import { temporaryFolder, writeTree } from '../support/folders.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';

const folder = temporaryFolder();
const file = join(folder, 'file.txt');
writeFileSync(file, 'neither a question nor a run\n');
const collection = join(folder, 'collection');
mkdirSync(collection);
for (const name of ['corpus.jsonl', 'queries.jsonl', 'qrels']) writeFileSync(join(collection, name), '');

const READERS: [string, (file: string) => unknown, string][] = [
  ['questions', readQuestions, 'kb bench --make-questions FILE'],
  ['a run', readRun, '--run-out FILE'],
  ['a saved result', readResult, '--save FILE'],
];

describe.each(READERS)('a file for %s', (_, read, remedy) => {
  test.each([
    ['is not there', join(folder, 'nope'), 'cannot be read: there is no such file or folder'],
    ['is a folder', folder, 'cannot be read: it is a folder'],
    ['is below a file', join(file, 'x'), 'cannot be read: a part of its path is no folder'],
    ['holds something else', file, ''],
  ])('that %s is named with the remedy, without the words of the system', async (_case, name, reason) => {
    const error = await kbErrorOf(() => read(name));
    expect(error.code).toBe('usage-invalid');
    expect(error.message).toContain(name);
    expect(error.message).toContain(reason);
    expect(error.message).not.toMatch(/ENOENT|EISDIR|ENOTDIR/u);
    expect(error.hint).toContain(remedy);
  });
});

describe('a folder for a collection', () => {
  test.each([join(folder, 'nope'), folder, file, collection])(
    'that is none is named with the remedy',
    async (name) => {
      const error = await kbErrorOf(() => readBeir(name));
      expect(error.code).toBe('usage-invalid');
      expect(error.message).toContain(`${name} is no BEIR folder`);
      expect(error.hint).toContain('qrels/test.tsv');
    },
  );
});

describe('a folder for the index of a collection', () => {
  const beir = { name: 'name', hash: '', documents: [], queries: new Map(), judged: new Map() };
  const build = (work: string) =>
    buildBeirIndex(beir, { format: 'text', work, environment: {}, signal: new AbortController().signal });

  test.each([file, join(file, 'x')])(
    'that is a file, or below one, is named with the remedy',
    async (work) => {
      const error = await kbErrorOf(() => build(work));
      expect(error.code).toBe('usage-invalid');
      expect(error.message).toContain('cannot be written: a part of its path is no folder');
      expect(error.hint).toContain('may be written');
    },
  );

  test('is asked for where no temporary one can be made', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'nope'));
    const error = await kbErrorOf(() => makeTemporaryFolder());
    vi.unstubAllEnvs();
    expect(error.message).toContain(`in ${join(folder, 'nope')}: there is no such file or folder`);
    expect(error.hint).toContain('--work FOLDER');
  });

  test('that holds files of somebody else is left as it is', async () => {
    const work = temporaryFolder();
    writeTree(work, { 'name/text/abcdefghijklmnop.md': 'ours', 'name/text/mine.md': 'theirs' });
    const error = await kbErrorOf(() => build(work));
    expect(error.message).toContain('holds mine.md, which kb bench did not write');
    expect(error.hint).toContain('--work FOLDER');
    expect(readdirSync(join(work, 'name', 'text'))).toEqual(['abcdefghijklmnop.md', 'mine.md']);
  });
});

describe('a file to write', () => {
  const wrong: [string, string][] = [
    [join(folder, 'nope', 'x'), 'there is no folder'],
    [folder, 'it is a folder'],
    [join(file, 'x'), `there is no folder ${file}`],
  ];

  test.each(wrong)('is refused before and while it is written: %s', async (name, reason) => {
    for (const attempt of [() => checkWritable(name), () => writeText(name, 'x')]) {
      const error = await kbErrorOf(attempt);
      expect(error.message).toContain(`${name} cannot be written: `);
      expect(error.hint).toContain('name a place');
    }
    expect((await kbErrorOf(() => checkWritable(name))).message).toContain(reason);
  });

  test('that can be written is not made by asking', () => {
    const name = join(folder, 'later');
    checkWritable(name);
    expect(existsSync(name)).toBe(false);
  });

  test.each<BenchCommandOptions>([
    { save: 'nope/x' },
    { html: 'nope/x' },
    { runOut: 'nope/x' },
    { makeQuestions: 'nope/x' },
  ])('is refused before anything is read or measured: %o', async (options) => {
    const before = readdirSync(folder);
    const context: Context = {
      environment: { KB_HOME: folder },
      cwd: folder,
      stdout: terminalOf({}, {}),
      stderr: terminalOf({}, {}),
      signal: new AbortController().signal,
      print: () => undefined,
      say: () => undefined,
    };
    const error = await kbErrorOf(() => benchCommand(context, { dataset: 'none', ...options }));
    expect(error.details).toEqual({ argument: join(folder, 'nope', 'x') });
    expect(readdirSync(folder)).toEqual(before);
  });
});

import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '../support/folders.ts';
import { Command, DOCS, jsonOf, mayLoadSqlite } from './support.ts';

const kb = new Command();
/** Two knowledge bases, `docs` ingested last. */
const two = temporaryFolder();

beforeAll(async () => {
  writeTree(two, { ...DOCS, 'other/o.md': '# Other\n\nother words\n' });
  await kb.run(['ingest', './other'], { cwd: two });
  await kb.run(['ingest', './docs'], { cwd: two });
});

describe('which knowledge base is asked', () => {
  test.concurrent.each([
    ['search', 'agent'],
    ['ask', 'how often does the agent run?'],
    ['read', 'agent.md#interval'],
    ['list'],
    ['stats'],
    ['doctor'],
    ['why', 'agent', 'agent.md#interval'],
  ])('is said on standard error where nobody chose, in a pipe too: %s', async (...args) => {
    const ran = await kb.run(args, { cwd: two });
    expect(ran.stderr).toBe('kb: asking docs, ingested last; -k chooses another: other\n');
    const chosen = await kb.run([...args, '-k', 'docs'], { cwd: two });
    expect(chosen.stderr).toBe('');
    expect(chosen.stdout.replace(/seconds=\S+/u, '')).toBe(ran.stdout.replace(/seconds=\S+/u, ''));
    const json = await kb.run([...args, '--json'], { cwd: two });
    expect(json.stderr).toBe('');
    expect(jsonOf(json, args[0] ?? '')).toMatchObject({ knowledge_base: 'docs' });
  });
});

describe('kb help', () => {
  test('is what --help prints, for a command too', async () => {
    for (const [help, flag] of [
      [['help'], ['--help']],
      [
        ['help', 'ingest'],
        ['ingest', '--help'],
      ],
    ] as const) {
      const ran = await kb.run(help, { cwd: two });
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(ran.stdout).toBe((await kb.run(flag, { cwd: two })).stdout);
    }
    const wrong = await kb.run(['help', 'ingets'], { cwd: two });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean ingest?')]);
  });
});

describe('an ingest that finds nothing', () => {
  test.each([
    ['in an empty folder', {}, /no file ends in \.md/u],
    ['in a folder of other files', { 'a.pdf': 'x' }, /no file ends in \.md/u],
    ['in empty files', { 'a.md': '', 'b.md': ' ' }, /all 2 files are empty, skipped or failed/u],
  ])('%s warns and ends with 1', async (_, files, warning) => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'none'));
    writeTree(join(home, 'none'), files);
    const ran = await kb.run(['ingest', './none'], { cwd: home });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(warning)]);
    const asked = await kb.run(['ask', 'anything'], { cwd: home });
    expect([asked.code, asked.stdout]).toEqual([3, expect.stringContaining('nothing indexed yet')]);
  });

  test('because there is no such folder makes nothing', async () => {
    const home = temporaryFolder();
    const ran = await kb.run(['ingest', './nosuch'], { cwd: home });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('there is no folder ./nosuch')]);
    expect(existsSync(join(home, 'indexes'))).toBe(false);
  });
});

describe('a source given with --source', () => {
  const yaml = 'harness:\n  knowledge:\n    sources: { manual: { git: ./nowhere } }\n    paths: [manual]\n';

  test('is remembered, overridden by another, and asked for again when it is gone', async () => {
    const home = temporaryFolder();
    writeTree(home, { 'agent.yaml': yaml, 'one/a.md': '# A\n\none\n', 'two/a.md': '# A\n\ntwo\n' });
    const ingest = (...more: string[]) =>
      kb.run(['ingest', '--config', 'agent.yaml', ...more], { cwd: home });
    const unknown = await ingest();
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining('--source manual=FOLDER')]);
    expect((await ingest('--source', 'manual=./one')).code).toBe(0);
    const again = await ingest();
    expect(again.code).toBe(0);
    expect(again.stderr).toContain(`kb: source manual is taken from ${join(home, 'one')}, as before`);
    expect(again.stdout).toContain('1 unchanged');
    const other = await ingest('--source', 'manual=./two');
    expect([other.stderr, other.stdout]).toEqual(['', expect.stringContaining('1 indexed')]);
    rmSync(join(home, 'two'), { recursive: true });
    const gone = await ingest();
    expect(gone.code).toBe(3);
    expect(gone.stderr).toMatch(
      /taken from .*two, which is not there any more[\s\S]*--source manual=FOLDER/u,
    );
  });
});

describe('what is not kb’s own', () => {
  test.each([
    ['a text file', 'just notes\n'.repeat(500)],
    ['a database of another program', undefined],
  ])('is never deleted by reset: %s', async (_, text) => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'indexes'));
    const path = join(home, 'indexes/notes.db');
    if (text === undefined) {
      const database = new Database(path);
      database.exec('CREATE TABLE precious (value)');
      database.close();
    } else writeFileSync(path, text);
    const before = readFileSync(path);
    for (const args of [
      ['reset', '--force'],
      ['reset', '--force', '-k', 'notes'],
    ]) {
      const ran = await kb.run(args, { cwd: home });
      expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining('is not an index of kb')]);
    }
    expect(readFileSync(path)).toEqual(before);
  });
});

test('a search asked for vectors where there are none says what answered, and how to get them', async () => {
  const ran = await kb.run(['search', '--tier', 'vector', 'agent', '-k', 'docs'], { cwd: two });
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/note: the vector tier was asked for, .*embeddings block/u);
  expect(ran.stdout).toContain('tier: lexical (FTS5) - no embeddings configured');
  const lexical = await kb.run(['search', '--tier', 'lexical', 'agent', '-k', 'docs'], { cwd: two });
  expect(lexical.stdout).not.toContain('note:');
});

/** Root is not stopped by rights: the command then runs as nobody. */
test('a search in folders that may only be read works and makes nothing there', async ({ skip }) => {
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  if (uid !== undefined) {
    chmodSync(join(kb.script, '..'), 0o755);
    skip(!(await mayLoadSqlite(uid)), 'another user may not read this checkout');
  }
  const home = temporaryFolder();
  writeTree(home, DOCS);
  await kb.run(['ingest', './docs'], { cwd: home });
  if (uid !== undefined) await new Promise((done) => execFile('chown', ['-R', String(uid), home], done));
  chmodSync(join(home, 'indexes/docs.db'), 0o400);
  chmodSync(join(home, 'indexes'), 0o500);
  chmodSync(home, 0o500);
  const before = readdirSync(join(home, 'indexes'));
  try {
    for (const args of [
      ['search', 'agent'],
      ['list'],
      ['ask', 'how often does the agent run?'],
      ['doctor'],
    ]) {
      const ran = await kb.run(args, { cwd: home, ...(uid === undefined ? {} : { uid }) });
      expect(ran.code, ran.stderr).toBe(0);
    }
    expect(readdirSync(join(home, 'indexes'))).toEqual(before);
  } finally {
    chmodSync(home, 0o700);
    chmodSync(join(home, 'indexes'), 0o700);
  }
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { statuses, TestBase } from '../support/knowledge-base.ts';
import { expectTotalsAddUp, markDocuments, PAGE, paths, soundness, untouched } from './support.ts';

describe('a second ingest', () => {
  test('parses nothing where nothing changed, not even where times and line ends did', async () => {
    const base = new TestBase({ 'a.md': PAGE('a'), 'b.md': PAGE('b') });
    await base.ingest();
    markDocuments(base);
    base.write({ 'b.md': PAGE('b').replaceAll('\n', '\r\n') });
    utimesSync(join(base.docs, 'a.md'), 0, 0);
    const report = await base.ingest();
    expect(report.totals).toMatchObject({ unchanged: 2, indexed: 0 });
    expect(untouched(base)).toEqual(['a.md', 'b.md']);
  });

  test('parses what changed and only that, though size and time are the same', async () => {
    const base = new TestBase({ 'a.md': PAGE('aaa'), 'b.md': PAGE('bbb') });
    const when = new Date(1_700_000_000_000);
    utimesSync(join(base.docs, 'b.md'), when, when);
    await base.ingest();
    markDocuments(base);
    base.write({ 'b.md': PAGE('ccc') });
    utimesSync(join(base.docs, 'b.md'), when, when);
    const report = await base.ingest();
    expect(statuses(report)).toEqual({ 'a.md': 'unchanged', 'b.md': 'indexed' });
    expect(untouched(base)).toEqual(['a.md']);
    const hits = (text: string) => base.use(async (kb) => (await kb.search({ text })).hits.length);
    expect([await hits('bbb'), await hits('ccc')]).toEqual([0, 2]);
  });

  test('with --reindex parses everything and changes nothing that is seen', async () => {
    const base = new TestBase({ 'a.md': PAGE('a'), 'b.md': PAGE('b') });
    await base.ingest();
    const outline = () => base.use((kb) => kb.outline({ limit: 99 }));
    const before = await outline();
    markDocuments(base);
    expect((await base.ingest({ reindex: true })).totals).toMatchObject({ indexed: 2, unchanged: 0 });
    expect(await outline()).toEqual(before);
    expect(untouched(base)).toEqual([]);
  });

  test('takes deleted files out and follows renamed ones', async () => {
    const base = new TestBase({ 'a.md': PAGE('alpha'), 'b.md': PAGE('beta'), 'c.md': PAGE('gamma') });
    await base.ingest();
    rmSync(join(base.docs, 'a.md'));
    mkdirSync(join(base.docs, 'moved'));
    renameSync(join(base.docs, 'b.md'), join(base.docs, 'moved/b.md'));
    const report = await base.ingest();
    expect(statuses(report)).toEqual({
      'a.md': 'removed',
      'b.md': 'removed',
      'c.md': 'unchanged',
      'moved/b.md': 'indexed',
    });
    expect(report.totals).toMatchObject({ seen: 2, removed: 2 });
    expectTotalsAddUp(report);
    expect(await paths(base)).toEqual(['c.md', 'moved/b.md']);
    expect((await base.use((kb) => kb.search({ text: 'alpha' }))).hits).toEqual([]);
    expect(soundness(base)).toEqual([]);
  });

  test('takes out what is excluded now', async () => {
    const base = new TestBase({ 'a.md': PAGE('a'), 'b.md': PAGE('b') });
    await base.ingest();
    base.write({ '.kbignore': 'b.md\n' });
    const report = await base.ingest();
    expect(report.files.map((file) => `${file.path} ${file.status}`)).toEqual([
      'a.md unchanged',
      'b.md removed',
      'b.md skipped',
    ]);
    expectTotalsAddUp(report);
  });

  test('replaces a document by what its file has become: empty, binary, or a folder', async () => {
    const base = new TestBase({ 'a.md': PAGE('a'), 'b.md': PAGE('b'), 'c.md': PAGE('c'), 'd.md': PAGE('d') });
    await base.ingest();
    writeFileSync(join(base.docs, 'a.md'), '');
    writeFileSync(join(base.docs, 'b.md'), Buffer.alloc(100));
    rmSync(join(base.docs, 'c.md'));
    base.write({ 'c.md/inner.md': PAGE('inner') });
    const report = await base.ingest();
    expect(statuses(report)).toEqual({
      'a.md': 'empty',
      'b.md': 'failed',
      'c.md': 'removed',
      'c.md/inner.md': 'indexed',
      'd.md': 'unchanged',
    });
    expect(report.holds.documents).toBe(2);
    expect(soundness(base)).toEqual([]);
  });

  test('parses a document again when a file it includes has changed, come or gone', async () => {
    const base = new TestBase({
      '_part.md': 'Shared marmalade.\n',
      'a.md': '# A\n\n{% include_relative _part.md %}\n\n{% include_relative _later.md %}\n',
      'b.md': PAGE('b'),
    });
    const hits = () =>
      base.use(async (kb) =>
        (await kb.search({ text: 'marmalade jam honey', topK: 9 })).hits.map((hit) => hit.path),
      );
    await base.ingest();
    expect(await hits()).toContain('a.md');
    const untouched = await base.ingest();
    expect(statuses(untouched)['a.md']).toBe('unchanged');
    base.write({ '_part.md': 'Shared jam.\n' });
    expect(statuses(await base.ingest())).toMatchObject({
      '_part.md': 'indexed',
      'a.md': 'indexed',
      'b.md': 'unchanged',
    });
    expect((await base.use((kb) => kb.search({ text: 'marmalade' }))).hits).toEqual([]);
    base.write({ '_later.md': 'Honey too.\n' });
    expect(statuses(await base.ingest())['a.md']).toBe('indexed');
    rmSync(join(base.docs, '_part.md'));
    expect(statuses(await base.ingest())['a.md']).toBe('indexed');
  });

  test('never includes a file from outside the source, nor waits for a pipe', async () => {
    const base = new TestBase({
      'a.md':
        '# A\n\nwords\n\n{% include_relative ../secret.md %}\n\n{% include_relative leak.md %}\n\n{% include_relative pipe.md %}\n',
      'leak.md': { link: '../secret.md' },
    });
    writeFileSync(join(base.home, 'secret.md'), 'Topsecret.\n');
    execFileSync('mkfifo', [join(base.docs, 'pipe.md')]);
    const report = await base.ingest();
    expect(statuses(report)).toEqual({ 'a.md': 'indexed', 'leak.md': 'skipped', 'pipe.md': 'skipped' });
    expect((await base.use((kb) => kb.search({ text: 'topsecret' }))).hits).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { statuses, TestBase } from '../support/knowledge-base.ts';
import { expectTotalsAddUp, PAGE } from './support.ts';

describe('the report of an ingest', () => {
  test('names every file with its status and reason, and its totals add up', async () => {
    const base = new TestBase({
      'one.md': PAGE('one'),
      'two.md': PAGE('two'),
      'three.txt': 'Plain words.\n',
      'four.markdown': PAGE('four'),
      'five.mdx': PAGE('five'),
      'empty.md': '',
      'blank.md': ' \n\n\t\n',
      'front.md': '---\ntitle: Only this\n---\n',
      'binary.md': Buffer.from([0x50, 0x4b, 0, 0, 3, 4, 0, 0, 0, 0xff]),
      'dangling.md': { link: 'nowhere.md' },
      'x.md/inner.md': PAGE('inner'),
    });
    const report = await base.ingest();
    expect(statuses(report)).toEqual({
      'binary.md': 'failed',
      'blank.md': 'empty',
      'dangling.md': 'skipped',
      'empty.md': 'empty',
      'five.mdx': 'indexed',
      'four.markdown': 'indexed',
      'front.md': 'empty',
      'one.md': 'indexed',
      'three.txt': 'indexed',
      'two.md': 'indexed',
      'x.md/inner.md': 'indexed',
    });
    for (const file of report.files)
      if (file.status !== 'indexed') expect(file.reason, file.path).toBeTruthy();
    expect(report.totals).toEqual({
      indexed: 6,
      unchanged: 0,
      empty: 3,
      skipped: 1,
      failed: 1,
      removed: 0,
      seen: 11,
    });
    expectTotalsAddUp(report);
    expect(report.holds.documents).toBe(6);
    const again = await base.ingest();
    expect(again.totals).toEqual({ ...report.totals, indexed: 0, unchanged: 6 });
    expect(again.files.find((file) => file.path === 'binary.md')).toMatchObject({
      status: 'failed',
      reason: 'not text: it holds NUL bytes',
    });
    expectTotalsAddUp(again);
  });

  test('tells of a file that is too large and goes on', async () => {
    const base = new TestBase({ 'a.md': PAGE('a'), 'huge.md': Buffer.alloc(33 * 1024 * 1024, 'a ') });
    const report = await base.ingest();
    expect(statuses(report)).toEqual({ 'a.md': 'indexed', 'huge.md': 'failed' });
    expect(report.files[1]?.reason).toMatch(/limit/u);
  });

  test('carries what a person may want to mend, with its line', async () => {
    const base = new TestBase({ 'a.md': '# A\n\ntext\n\n```sh\nnever closed\n' });
    const report = await base.ingest();
    expect(report.files[0]?.warnings).toEqual([expect.stringMatching(/^line 5: .*not closed/u)]);
  });

  test('of a folder without documents is an empty index, which says so', async () => {
    const base = new TestBase({ 'readme.rst': 'x' });
    const report = await base.ingest();
    expect(report.totals.seen).toBe(0);
    expect((await base.use((kb) => kb.search({ text: 'x' }))).status).toBe('index_empty');
  });

  test('is the same whatever order the disk gives the files in', async () => {
    const files = { 'b.md': PAGE('b'), 'a.md': PAGE('a'), 'c/d.md': PAGE('d') };
    const forwards = new TestBase(files);
    const backwards = new TestBase(Object.fromEntries(Object.entries(files).reverse()));
    const [one, two] = [await forwards.ingest(), await backwards.ingest()];
    expect(one.files).toEqual(two.files);
    const refsOf = (base: TestBase) =>
      base.use(async (kb) => (await kb.outline({ limit: 99 })).entries.map((entry) => entry.ref));
    expect(await refsOf(forwards)).toEqual(await refsOf(backwards));
  });
});

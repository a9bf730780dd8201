import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PART_NOTE } from '../../src/ingest/parts.ts';
import { TestBase } from '../support/knowledge-base.ts';
import { soundness } from './support.ts';

const PART = 'Rafts are tied to the pier.\n';
const PAGE = '# Boats\n\n{% include_relative _part.md %}\n';

function pathsFound(base: TestBase): Promise<string[]> {
  return base.use(async (kb) => (await kb.search({ text: 'rafts pier' })).hits.map(({ path }) => path));
}

describe('a part of a page', () => {
  test('is found where it is shown, and can still be read and listed', async () => {
    const base = new TestBase({ '_part.md': PART, 'boats.md': PAGE });
    const report = await base.ingest();
    expect(report.files[0]).toMatchObject({ path: '_part.md', status: 'indexed', reason: PART_NOTE });
    expect(await pathsFound(base)).toEqual(['boats.md']);
    await base.use((kb) => {
      expect(kb.open('_part.md')).toMatchObject({
        status: 'found',
        sections: [{ section: { markdown: PART } }],
      });
      expect(kb.documents().map(({ path }) => path)).toEqual(['_part.md', 'boats.md']);
    });
    const why = await base.use((kb) => kb.why('rafts', '_part.md'));
    expect(why).toMatchObject({ verdict: 'no-text', reason: `its document is a ${PART_NOTE}` });
    expect(soundness(base)).toEqual([]);
    expect((await base.ingest()).files.map(({ status }) => status)).toEqual(['unchanged', 'unchanged']);
    expect(await pathsFound(base)).toEqual(['boats.md']);
  });

  test('is found by itself again when no page shows it any more, and the other way round', async () => {
    const base = new TestBase({ '_part.md': PART, 'boats.md': PAGE });
    await base.ingest();
    base.write({ 'boats.md': '# Boats\n\nNone.\n' });
    const report = await base.ingest();
    expect(report.files.map(({ path, status, reason }) => [path, status, reason])).toEqual([
      ['_part.md', 'indexed', undefined],
      ['boats.md', 'indexed', undefined],
    ]);
    expect(await pathsFound(base)).toEqual(['_part.md']);
    base.write({ 'boats.md': PAGE });
    await base.ingest();
    expect(await pathsFound(base)).toEqual(['boats.md']);
    rmSync(join(base.docs, 'boats.md'));
    await base.ingest();
    expect(await pathsFound(base)).toEqual(['_part.md']);
  });

  test('that changes is found with its new words, once', async () => {
    const base = new TestBase({ '_part.md': PART, 'boats.md': PAGE });
    await base.ingest();
    base.write({ '_part.md': 'New rafts at the pier.\n' });
    await base.ingest();
    expect(await pathsFound(base)).toEqual(['boats.md']);
  });

  test('that only parts include, in a circle too, stays where it can be found', async () => {
    const base = new TestBase({
      '_part.md': `${PART}\n{% include_relative _other.md %}\n`,
      '_other.md': 'Oars.\n\n{% include_relative _part.md %}\n',
    });
    await base.ingest();
    expect((await pathsFound(base)).sort()).toEqual(['_other.md', '_part.md']);
  });

  test('is a page like any other where no page includes it, or its name does not say so', async () => {
    const base = new TestBase({
      '_part.md': PART,
      'part.md': PART,
      'boats.md': PAGE.replace('_part', 'part'),
    });
    await base.ingest();
    // The two are the same text: one result.
    expect((await pathsFound(base)).sort()).toEqual(['_part.md', 'boats.md']);
  });
});

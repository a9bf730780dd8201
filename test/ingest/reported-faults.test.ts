import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ingestKb } from '../../src/kb/ingest-kb.ts';
import { CHUNK_CHARACTERS, CHUNK_WORDS, sizeOf } from '../../src/markdown/chunk.ts';
import { parseDocument } from '../../src/markdown/parse-document.ts';
import { Command } from '../cli/support.ts';
import { TestBase } from '../support/knowledge-base.ts';
import { expectTotalsAddUp } from './support.ts';

/* Faults that users of similar tools have reported and that no file of trees or quirks can show; by their ids. */

describe('of a folder', () => {
  test('ING-3: a folder called like a file stops nothing', async () => {
    const base = new TestBase({
      'a.md': '# A\n\nebb\n',
      'x.md/inner.md': '# B\n\nflood\n',
      'c.md': '# C\n\nneap\n',
    });
    const report = await base.ingest();
    expect(report.totals).toMatchObject({ indexed: 3, failed: 0 });
  });

  test('ING-8: a file whose name comes back in another Unicode spelling is the same document', async () => {
    const [composed, decomposed] = ['é.md'.normalize('NFC'), 'é.md'.normalize('NFD')];
    const base = new TestBase({ [composed]: '# Été\n\nwarm water\n' });
    await base.ingest();
    const [before] = await base.use((kb) => kb.documents());
    renameSync(join(base.docs, composed), join(base.docs, decomposed));
    expect((await base.ingest()).totals).toMatchObject({ unchanged: 1, indexed: 0, removed: 0 });
    await base.use((kb) => {
      expect(kb.documents()).toEqual([before]);
      expect([composed, decomposed].map((name) => kb.open(name).status)).toEqual(['found', 'found']);
    });
  });

  test.each(['NFC', 'NFD'] as const)(
    'ING-8: a path given in %s leads to a folder in either spelling',
    async (form) => {
      for (const onDisk of ['NFC', 'NFD'] as const) {
        const base = new TestBase({ [`caf\u00e9/a.md`.normalize(onDisk)]: '# A\n\nwords\n' });
        writeFileSync(
          join(base.home, 'tree.yaml'),
          JSON.stringify({ harness: { knowledge: { paths: [`docs/caf\u00e9`.normalize(form)] } } }),
        );
        const options = { config: 'tree.yaml', cwd: base.home, environment: base.environment };
        const report = await ingestKb(options);
        expect(report.files.map(({ path, status }) => `${path} ${status}`)).toEqual([
          'docs/caf\u00e9/a.md indexed',
        ]);
      }
    },
  );

  test('ING-13: every file is told with its fate, and the totals add up', async () => {
    const good = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.md`, `# ${name}\n\nwords\n`]),
    );
    const odd = {
      'empty.md': '',
      'binary.md': new Uint8Array([0, 1, 2, 0, 255, 0]),
      'gone.md': { link: 'nowhere' },
    };
    const report = await new TestBase({ ...good, ...odd }).ingest();
    expect(report.totals).toMatchObject({ seen: 8, indexed: 5, empty: 1, failed: 1, skipped: 1 });
    expectTotalsAddUp(report);
    const fates = report.files.filter(({ status }) => status !== 'indexed');
    expect(fates.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'binary.md: not text: it holds NUL bytes',
      'empty.md: no text a reader would see',
      'gone.md: symbolic link leads nowhere: ENOENT',
    ]);
  });

  test('ING-9: a setting that is not known is refused, never passed over', async () => {
    const base = new TestBase({ 'a.md': '# A\n\nwords\n' });
    const ran = await new Command().run(['ingest', base.docs, '--globb', 'x'], { cwd: base.home });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(/unknown option '--globb'/u);
  });

  test('ANC-7: the lines of a hit are those of the file, header included', async () => {
    const header = `---\n${Array.from({ length: 10 }, (_, at) => `key${at}: x`).join('\n')}\n---\n`;
    const text = `${header}${'filler\n\n'.repeat(40)}## Deep\n\nThe anchor holds.\n`;
    const base = new TestBase({ 'a.md': text });
    await base.ingest();
    const [hit] = await base.use(async (kb) => (await kb.search({ text: 'anchor holds' })).hits);
    expect(text.split('\n').slice((hit?.lines.first ?? 0) - 1, hit?.lines.last)).toEqual([
      '## Deep',
      '',
      'The anchor holds.',
    ]);
  });
});

describe('of a page', () => {
  const words = (count: number, end: string): string =>
    Array.from({ length: count }, (_, at) => `word${at}${end}`).join('');

  test.each([
    ['60,000 words in lines without a blank one', 60_000, `## Long\n${words(60_000, '\n')}`],
    ['a fence of 40 kB', 5000, `## Long\n\n\`\`\`sh\n${words(5000, '\n')}\`\`\`\n`],
    ['20,000 words in one line', 20_000, `## Long\n\n${words(20_000, ' ')}\n`],
  ])(
    'MD-13, case 149: %s are cut within the bounds, under one heading, and nothing is lost',
    (_, count, text) => {
      const { sections } = parseDocument(text, { path: 'a.md' });
      expect(sections.map(({ headings }) => headings)).toEqual([['Long']]);
      const chunks = sections[0]?.chunks ?? [];
      for (const { text: chunk } of chunks) {
        expect(chunk.length).toBeLessThanOrEqual(CHUNK_CHARACTERS);
        expect(sizeOf(chunk)).toBeLessThanOrEqual(CHUNK_WORDS);
      }
      expect(chunks.flatMap((chunk) => chunk.text.match(/word\d+/gu) ?? [])).toHaveLength(count);
    },
  );

  test('case 149: the rows of a long table are cut between rows, each piece under the header', () => {
    const rows = Array.from({ length: 500 }, (_, at) => `| port${at} | ${at} fathoms |`).join('\n');
    const { sections } = parseDocument(`# Ports\n\n| Port | Depth |\n|---|---|\n${rows}\n`, { path: 'a.md' });
    const chunks = sections[0]?.chunks ?? [];
    expect(chunks.length).toBeGreaterThan(5);
    expect(new Set(chunks.map(({ text }) => text.split('\n')[0]))).toEqual(new Set(['Port | Depth']));
    expect(chunks.flatMap(({ text }) => text.split('\n').slice(1))).toHaveLength(500);
  });

  test('case 149: the items of a long list are never cut in two', () => {
    const items = Array.from({ length: 300 }, (_, at) => `- lamp ${at} on pier ${at} shines at night`).join(
      '\n',
    );
    const { sections } = parseDocument(`# Lamps\n\n${items}\n`, { path: 'a.md' });
    const lines = (sections[0]?.chunks ?? []).flatMap(({ text }) => text.split('\n'));
    expect(lines).toEqual(items.split('\n'));
  });

  test('MD-19: lists within lists without end take a bounded time and stop no other file', async () => {
    const base = new TestBase({ 'deep.md': `${'* '.repeat(8000)}a`, 'good.md': '# Good\n\nwords\n' });
    const started = performance.now();
    const report = await base.ingest();
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(report.totals).toMatchObject({ indexed: 2, failed: 0 });
    expect(report.files[0]?.warnings?.[0]).toMatch(/characters of data/u);
  });
});

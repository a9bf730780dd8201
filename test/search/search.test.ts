import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/core/text.ts';
import type { Kb } from '../../src/kb.ts';
import { TestBase } from '../support/knowledge-base.ts';

/** More words than a query is searched by. */
const MANY = Array.from({ length: 300 }, (_, n) => `z${n}z`);

const FILES = {
  'agent.md':
    '# Agent\n\nRun `puppet agent --no-daemonize` to stay in front.\n\n## Background\n\nno way to daemonize by hand.\n',
  'class.md':
    '# Class\n\nDeclare puppet_agent::service first.\n\n## Other\n\nThe service of an agent. A puppet on a string.\n',
  'release.md': '# Releases\n\nVersion 38.101 is out.\n\n## Older\n\n101 ways and 38 more.\n',
  'langs.md':
    '# Languages\n\n## One\n\nWritten in C++ throughout.\n\n## Two\n\nWritten in C only.\n\n## Three\n\nWritten in C# now.\n',
  'decisions.md': '# Decisions\n\n## DEC-0054\n\nWe keep it.\n\n## DEC-0055\n\nWe drop it.\n',
  'food.md':
    '# Food\n\nA gâteau from İstanbul.\n\n## 日本\n\n東京タワーの知识库检索。\n\n## ไทย\n\nสวัสดีชาวโลก\n\n## 한국\n\n데이터베이스는 빠르다.\n',
  'retention.md': '# Retention\n\nReports are kept for thirty days.\n\n## The who\n\nWho is on first.\n',
  'docs-private/x.md': '# Private\n\nquarterly numbers\n',
  'docs/y.md': '# Public\n\nquarterly numbers\n',
  'forms.md':
    '# Forms\n\n## One\n\nIt was packaged well.\n\n## Two\n\nIt has packages now.\n\n## Three\n\nThey are packaging it.\n',
  'many.md': `# Many\n\n${MANY.join(' ')}\n`,
};

describe('a search', () => {
  const base = new TestBase(FILES);
  let kb: Kb;
  beforeAll(async () => {
    await base.ingest();
    kb = await base.open();
  });
  afterAll(() => kb.close());
  const first = async (text: string) => (await kb.search({ text })).hits[0];

  test('takes any text for a query and ends in time', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom(
          ...'"\'*()[]{}:^-+~|&!?\\/%_.,;',
          ' OR ',
          ' AND ',
          ' NOT ',
          'NEAR(',
          'agent',
          '\0',
          '知',
        ),
      }),
      fc
        .array(fc.constantFrom(...Object.values(FILES)), { minLength: 1, maxLength: 3 })
        .map((all) => all.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(text, async (query) => {
        const result = await kb.search({ text: query, explain: true });
        expect(result.status).toBe('ok');
        if (result.hits.length === 0) expect(result.note).toBeTruthy();
      }),
      { numRuns: 120 },
    );
  });

  test.each([
    '',
    ' ',
    '"',
    '"NEAR("',
    'NEAR(agent puppet, 5)',
    'title:agent',
    '-',
    '*',
    'agent*',
    '^agent',
    'agent AND',
    'OR OR OR',
    '{title body}: x',
    "'; DROP TABLE chunk; --",
    '\0agent',
    '\ud800',
    '🧪',
    '((((((((((',
  ])('takes %j for a query', async (text) => {
    expect((await kb.search({ text })).status).toBe('ok');
  });

  test('of a very long text is bounded and says what it left out', async () => {
    const vocabulary = Object.values(FILES).join(' ');
    const long = [
      'x'.repeat(100_000),
      'a.b'.repeat(33_000),
      'agent service '.repeat(5000),
      Array.from({ length: 10_000 }, (_, n) => `unknown${n.toString(26).replace(/\d/gu, 'q')}`).join(' '),
      '知识库检索'.repeat(20_000),
      vocabulary.repeat(50),
    ];
    for (const text of long) {
      // Time of the processor: other tests run beside this one.
      const started = process.cpuUsage().user;
      const { status, note = '' } = await kb.search({ text });
      expect((process.cpuUsage().user - started) / 1000).toBeLessThan(3000);
      expect(status).toBe('ok');
      expect(note.length).toBeLessThan(2000);
    }
    expect((await kb.search({ text: vocabulary })).note).toMatch(/commonest words are left out/u);
  });

  test.each([
    ['--no-daemonize', 'agent.md', 'Agent'],
    ['puppet_agent::service', 'class.md', 'Class'],
    ['38.101', 'release.md', 'Releases'],
    ['C++', 'langs.md', 'One'],
    ['C#', 'langs.md', 'Three'],
    ['DEC-0054', 'decisions.md', 'DEC-0054'],
    ['dec 0055', 'decisions.md', 'DEC-0055'],
    ['gateau istanbul', 'food.md', 'Food'],
    ['GÂTEAU İSTANBUL'.normalize('NFD'), 'food.md', 'Food'],
    ['知识库', 'food.md', '日本'],
    ['タワー', 'food.md', '日本'],
    ['ชาวโลก', 'food.md', 'ไทย'],
    ['데이터', 'food.md', '한국'],
  ])('for %s finds its section first', async (text, path, heading) => {
    const hit = await first(text);
    expect([hit?.path, hit?.headings.at(-1)]).toEqual([path, heading]);
  });

  test('reads a word mistyped by one letter as the indexed one, and says so', async () => {
    const result = await kb.search({ text: 'retenton of reprots', explain: true });
    expect(result.hits[0]?.path).toBe('retention.md');
    expect(result.explanation?.replaced).toEqual([
      { word: 'retenton', by: 'retention' },
      { word: 'reprots', by: 'reports' },
    ]);
    expect(result.note).toMatch(/"retenton" was read as "retention"/u);
  });

  test('puts the form of a word that was asked for before its other forms, and finds them all', async () => {
    for (const [word, section] of [
      ['packaged', 'One'],
      ['packages', 'Two'],
      ['packaging', 'Three'],
    ] as const) {
      const { hits } = await kb.search({ text: word });
      expect(hits.map((hit) => hit.headings.at(-1))).toHaveLength(3);
      expect(hits[0]?.headings.at(-1)).toBe(section);
    }
    expect((await kb.search({ text: 'packager' })).hits).toHaveLength(3);
  });

  test('of stop words alone searches them', async () => {
    const result = await kb.search({ text: 'who is on', explain: true });
    expect(result.hits[0]?.headings.at(-1)).toBe('The who');
    expect(result.explanation?.dropped).toEqual([]);
  });

  test('for what no section holds says which words', async () => {
    const result = await kb.search({ text: 'zyzzyva qwrtpsdf', explain: true });
    expect(result.hits).toEqual([]);
    expect(result.note).toBe('no section holds zyzzyva, qwrtpsdf');
    expect(result.explanation?.unknown).toEqual(['zyzzyva', 'qwrtpsdf']);
  });

  test('gives the same hits every time, best first, each section once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.values(FILES)), async (text) => {
        const [one, two] = [await kb.search({ text, topK: 20 }), await kb.search({ text, topK: 20 })];
        expect(two).toEqual(one);
        const scores = one.hits.map((hit) => hit.score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
        expect(new Set(one.hits.map((hit) => hit.ref)).size).toBe(one.hits.length);
      }),
    );
  });

  test('gives no more than top_k, and takes a nonsense number for one', async () => {
    for (const [topK, most] of [
      [1, 1],
      [3, 3],
      [0, 1],
      [-5, 1],
      [Number.NaN, 1],
      [2.9, 2],
    ] as const) {
      const { hits } = await kb.search({ text: 'agent service written version keep', topK });
      expect(hits.length).toBeLessThanOrEqual(most);
      expect(hits.length).toBeGreaterThan(0);
    }
  });

  test('keeps to a path at folder boundaries', async () => {
    const under = async (path: string) =>
      (await kb.search({ text: 'quarterly numbers', path })).hits.map((hit) => hit.path as string);
    expect(await under('docs')).toEqual(['docs/y.md']);
    expect(await under('docs/')).toEqual(['docs/y.md']);
    expect(await under('docs-private/x.md')).toEqual(['docs-private/x.md']);
    expect((await under('')).sort()).toEqual(['docs-private/x.md', 'docs/y.md']);
    const nowhere = await kb.search({ text: 'quarterly', path: 'doc' });
    expect(nowhere.hits).toEqual([]);
    expect(nowhere.note).toMatch(/no document is at or below "doc"/u);
  });

  test('never gives more tokens than allowed, and marks every cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 9 }),
        async (maxTokens, topK) => {
          const { hits } = await kb.search({
            text: 'agent service written version keep 知识',
            maxTokens,
            topK,
          });
          const used = hits.reduce((sum, hit) => sum + estimateTokens(hit.content), 0);
          expect(used).toBeLessThanOrEqual(maxTokens);
          for (const hit of hits)
            if (hit.cut && hit.content !== '') expect(hit.content).toMatch(/\[cut: lines \d+-\d+ of /u);
        },
      ),
      { numRuns: 60 },
    );
  });
});

test('a path filter comes before ranking: a thousand better matches elsewhere hide nothing', async () => {
  const elsewhere = Object.fromEntries(
    Array.from({ length: 1000 }, (_, n) => [`big/${n}.md`, `# Widget widget\n\nwidget widget ${n}\n`]),
  );
  const below = Object.fromEntries(
    [1, 2, 3].map((n) => [
      `small/it's 100%_${n}.md`,
      `# Page ${n}\n\n${'filler text '.repeat(80)} one widget\n`,
    ]),
  );
  const base = new TestBase({ ...elsewhere, ...below });
  await base.ingest();
  await base.use(async (kb) => {
    const { hits } = await kb.search({ text: 'widget', path: 'small', topK: 5 });
    expect(hits.map((hit) => hit.path).sort()).toEqual(Object.keys(below).sort());
    const one = await kb.search({ text: 'widget', path: "small/it's 100%_2.md", topK: 5 });
    expect(one.hits.map((hit) => hit.path)).toEqual(["small/it's 100%_2.md"]);
  });
});

test('a hit says whether its file still is what was indexed', async () => {
  const nested = 'é/é.md'.normalize('NFD').replace('é'.normalize('NFD'), 'é'.normalize('NFC'));
  const base = new TestBase({
    'a.md': '# A\n\ncommon word\n',
    'b.md': '# B\n\ncommon word\n',
    'c.md': '# C\n\ncommon word\n',
    'd.md': '# D\n\ncommon word\n',
    [nested]: '# E\n\ncommon word\n',
  });
  await base.ingest();
  base.write({ 'b.md': '# B\n\nanother word\n', 'd.md': '# D\r\n\r\ncommon word\r\n' });
  rmSync(join(base.docs, 'c.md'));
  const { hits } = await base.use((kb) => kb.search({ text: 'common', topK: 9 }));
  expect(Object.fromEntries(hits.map((hit) => [hit.path, hit.freshness]))).toEqual({
    'a.md': 'fresh',
    'b.md': 'changed',
    'c.md': 'missing',
    'd.md': 'fresh',
    [nested.normalize('NFC')]: 'fresh',
  });
});

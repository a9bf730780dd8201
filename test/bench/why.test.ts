import { beforeAll, describe, expect, test } from 'vitest';
import { terminalOf } from '../../src/cli/render/terminal.ts';
import { renderWhy } from '../../src/cli/render/why.ts';
import type { Why } from '../../src/kb/why.ts';
import { TestBase } from '../support/knowledge-base.ts';

const base = new TestBase({
  'agent.md':
    '# Agent\n\nThe agent runs every 30 minutes.\n\n## Interval\n\nSet `runinterval` to change how often it runs.\n\n## Parent\n\n### Child\n\nDeep words here.\n',
  'empty.md': '',
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `many/m${at}.md`,
      `# Many ${at}\n\nCatalog catalog catalog ${at} retrieved.\n`,
    ]),
  ),
  'late.md': `# Late\n\nOne catalog in ${'a rather long text that speaks of other things. '.repeat(20)}\n`,
});

beforeAll(() => base.ingest());

function why(query: string, address: string): Promise<Why> {
  return base.use((kb) => kb.why(query, address));
}

describe('why', () => {
  test('a section comes: the words it holds, its rank in each list, the parts of its score', async () => {
    const found = await why('how often does the agent intervall', 'agent.md#interval');
    expect(found).toMatchObject({ verdict: 'comes', section: { path: 'agent.md', chunks: 1 } });
    const fates = Object.fromEntries(found.words.map(({ word, fate, typed }) => [typed ?? word, fate]));
    expect(fates).toMatchObject({
      often: 'matched',
      agent: 'matched',
      intervall: 'matched',
      how: 'stop-word',
      the: 'stop-word',
    });
    expect(found.words.find(({ typed }) => typed === 'intervall')).toMatchObject({
      word: 'interval',
      stem: 'interv',
    });
    expect(found.terms.find(({ stem }) => stem === 'runinterv')).toEqual({
      stem: 'runinterv',
      count: 1,
      in: ['text'],
    });
    const [words] = found.lists;
    expect(words).toMatchObject({ list: 'words', of: 'chunks', rank: expect.any(Number) });
    const { parts, lists } = found;
    const sum = Object.values(parts ?? {}).reduce((total, share) => total + share, 0);
    expect(sum).toBeCloseTo(lists.find(({ list }) => list === 'lexical')?.score ?? 0, 9);
  });

  test('a section is beaten: its rank, and how many are shown', async () => {
    const found = await why('catalog', 'late.md');
    const rank = found.lists.find(({ list }) => list === 'lexical')?.rank ?? 0;
    expect(rank).toBeGreaterThan(5);
    expect(found).toMatchObject({
      verdict: 'top-k',
      reason: expect.stringContaining(`rank ${rank}; a search shows 5`),
    });
    expect(found.parts).toBeUndefined();
  });

  test('no word of the query stands in it', async () => {
    const found = await why('catalog zyzzyva', 'agent.md#interval');
    expect(found).toMatchObject({
      verdict: 'no-match',
      reason: 'it holds none of the words that are searched',
    });
    expect(found.words.map(({ word, fate }) => [word, fate])).toEqual([
      ['catalog', 'absent'],
      ['zyzzyva', 'unknown'],
    ]);
  });

  test('it has no text of its own', async () => {
    expect((await why('parent', 'agent.md#parent')).verdict).toBe('no-text');
  });

  test.each([
    ['nowhere.md', 'no document of that path'],
    ['empty.md', 'empty.md is empty'],
    ['agent.md#intervall', 'no section of it has that anchor'],
    ['zzzzzz', 'no section of that ref'],
  ])('%s is not indexed', async (address, reason) => {
    const found = await why('agent', address);
    expect(found).toMatchObject({ verdict: 'not-indexed', reason: expect.stringContaining(reason) });
    if (address.includes('#')) expect(found.nearest).toContain('agent.md#interval');
  });

  test('a query without words finds no reason but that', async () => {
    expect(await why('???', 'agent.md#interval')).toMatchObject({ verdict: 'no-match', words: [] });
  });

  test('is told to people without a control character of the documents', async () => {
    const text = renderWhy(await why('how often', 'agent.md#interval'), terminalOf({}, {}));
    expect(text).toContain('it comes at rank 1');
    expect(text).toMatch(/often +often +matched/u);
    expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

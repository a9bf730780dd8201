import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { questionsDataset } from '../../src/bench/dataset.ts';
import { renderPage } from '../../src/bench/html/page.ts';
import { renderMarkdownTables } from '../../src/bench/markdown-report.ts';
import { type BenchResult, RESULT } from '../../src/bench/result.ts';
import { runBench } from '../../src/bench/run-bench.ts';
import type { Tier } from '../../src/core/search.ts';
import { openKb } from '../../src/kb.ts';
import { EmbeddedBase } from '../support/embedded-base.ts';
import { EmbeddingServer } from '../support/embedding-server.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';

const server = await EmbeddingServer.start();
afterAll(() => server.stop());

const EVIL = '<img src=https://example.org/x onerror=alert(1)>"\'</details><script>';
const base = new EmbeddedBase(
  server,
  Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `p${at}.md`,
      `# Page ${at}\n\nWord${at} and ${EVIL} here.\n\n## More ${at}\n\nOther${at} text.\n`,
    ]),
  ),
);
const file = join(base.home, 'questions.jsonl');
let result: BenchResult;

function measure(tiers: readonly Tier[]): Promise<BenchResult> {
  return runBench({
    open: (wrapping) =>
      openKb({ config: 'manual.yaml', cwd: base.home, environment: base.environment, ...wrapping }),
    dataset: (kb) => questionsDataset(file, kb, 'section'),
    tiers,
    runs: [],
    fusion: 'rrf',
    depth: 20,
    version: '1.2.3',
    signal: new AbortController().signal,
  }).then((outcome) => outcome.result);
}

beforeAll(async () => {
  await base.ingest();
  const lines = Array.from({ length: 6 }, (_, at) =>
    JSON.stringify({
      id: `q${at}`,
      kind: at < 3 ? EVIL : 'b',
      question: `word${at} ${EVIL}`,
      relevant: [{ path: `docs/p${at}.md`, line: 1, grade: 1 }],
    }),
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  result = await measure(['lexical', 'vector', 'hybrid']);
});

describe('tiers with vectors', () => {
  test('are measured side by side, each with its calls and its difference to the first', () => {
    expect(RESULT.parse(result)).toEqual(result);
    expect(result.tiers.map(({ tier, embedding_calls: calls }) => [tier, calls])).toEqual([
      ['lexical', 0],
      ['vector', 6],
      ['hybrid', 6],
    ]);
    expect(result.tiers.map(({ groups }) => groups[0]?.differences === undefined)).toEqual([
      true,
      false,
      false,
    ]);
    expect(result.index.vectors).toBeGreaterThan(0);
    expect(result.tiers.every(({ latency }) => (latency?.p50 ?? 0) > 0)).toBe(true);
  });

  test('are timed with a vector that is made for each search', async () => {
    const before = server.requests.length;
    const { tiers } = await measure(['hybrid']);
    // One to rank each question; to time them five rounds of all and one to warm up.
    expect(server.requests.length - before).toBe(6 + 5 * (6 + 1));
    expect(tiers[0]?.latency?.samples).toHaveLength(5 * 6);
  });

  test('are refused when they degrade', async () => {
    server.behaviour = { trouble: 'close' };
    expect((await kbErrorOf(() => measure(['hybrid']))).message).toContain(
      'did not answer (tier: hybrid -> DEGRADED',
    );
    server.behaviour = {};
  });
});

describe('the page', () => {
  test('fetches nothing, runs nothing and shows every question with what was found', () => {
    const page = renderPage(result);
    const tags = (page.match(/<[^<>]*>/gu) ?? []).map((tag) =>
      tag.replace(/"[^"]*"/gu, (value) => (value.startsWith('"data:') ? '""' : value)),
    );
    expect(
      tags.filter((tag) =>
        /^<(?:script|img|iframe|object|base)|\s(?:on\w+|src)=/iu.test(tag.replace(/"[^"]*"/gu, '')),
      ),
    ).toEqual([]);
    expect(tags.filter((tag) => /\shref="[^"]/iu.test(tag))).toEqual([]);
    expect(page).not.toMatch(/@import|url\(/u);
    expect(page.match(/<details>/gu)).toHaveLength(6);
    expect(page.match(/<svg /gu)).toHaveLength(3);
    expect(page).toContain('docs/p0.md:1');
    for (const tag of ['div', 'table', 'svg', 'details', 'figure', 'ol', 'p']) {
      const opened = page.match(new RegExp(`<${tag}[ >]`, 'gu'))?.length;
      expect(opened, tag).toBe(page.match(new RegExp(`</${tag}>`, 'gu'))?.length);
    }
    expect(page).not.toContain('NaN');
  });

  test('and the Markdown tables hold no markup of a question', () => {
    const text = renderMarkdownTables(result);
    expect(text).not.toMatch(/(?<!\\)<img/u);
    const widths = text
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.match(/(?<!\\)\|/gu)?.length);
    expect(Math.min(...widths.map(Number))).toBeGreaterThan(2);
    expect(text).toContain('| hybrid |');
  });
});

test('kb.why names the rank of a section in the list of every tier', async () => {
  await base.use(async (kb) => {
    const why = await kb.why('word3', 'docs/p3.md#page-3');
    expect(why).toMatchObject({ verdict: 'comes', tier: expect.stringContaining('hybrid') });
    expect(why.lists.map(({ list }) => list)).toEqual([
      'words',
      'written',
      'page',
      'lexical',
      'vector',
      'hybrid',
    ]);
    expect(why.lists.every(({ rank }) => (rank ?? 0) >= 1)).toBe(true);
  });
});

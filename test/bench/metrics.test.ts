import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  averagePrecision,
  mean,
  ndcg,
  precision,
  recall,
  reciprocalRank,
  success,
  trecOrder,
} from '../../src/bench/metrics.ts';
import { readQuestions } from '../../src/bench/questions.ts';
import { isSameSection, summarise } from '../../src/bench/score-sections.ts';
import { temporaryFolder } from '../support/folders.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';

const judged = new Map([
  ['a', 2],
  ['b', 1],
  ['c', 0],
  ['d', -1],
]);

test('nDCG is that of trec_eval, worked out by hand', () => {
  const ideal = 2 / Math.log2(2) + 1 / Math.log2(3);
  expect(ndcg(judged, ['a', 'b'], 10)).toBe(1);
  expect(ndcg(judged, ['b', 'x', 'a'], 10)).toBeCloseTo((1 / Math.log2(2) + 2 / Math.log2(4)) / ideal, 12);
  expect(ndcg(judged, ['x', 'a'], 1)).toBe(0);
  expect(ndcg(judged, ['d', 'c'], 10)).toBe(0);
  expect(ndcg(new Map(), ['a'], 10)).toBe(0);
});

test('recall counts relevant ids only, against all there are', () => {
  expect(recall(judged, ['c', 'd', 'a'], 3)).toBe(0.5);
  expect(recall(judged, ['c', 'd', 'a'], 2)).toBe(0);
  expect(recall(judged, ['b', 'a'], 1)).toBe(0.5);
  expect(recall(new Map(), ['a'], 5)).toBe(0);
  expect(mean([])).toBe(0);
});

test('precision, reciprocal rank, average precision and success are those of trec_eval, worked out by hand', () => {
  const ranked = ['x', 'a', 'c', 'b'];
  expect(precision(judged, ranked, 5)).toBe(2 / 5);
  expect(precision(judged, ['a'], 5)).toBe(1 / 5);
  expect(reciprocalRank(judged, ranked, 10)).toBe(1 / 2);
  expect(reciprocalRank(judged, ranked, 1)).toBe(0);
  expect(averagePrecision(judged, ranked)).toBe((1 / 2 + 2 / 4) / 2);
  expect(averagePrecision(judged, ['a'])).toBe(1 / 2);
  expect([success(judged, ranked, 1), success(judged, ranked, 2)]).toEqual([0, 1]);
  expect(averagePrecision(new Map(), ranked)).toBe(0);
});

test('equal scores are ordered by id, descending, whatever the order they come in', () => {
  const found = [
    { id: 'd1', score: 1 },
    { id: 'd2', score: 1 },
    { id: 'd0', score: 2 },
    { id: 'd2', score: 0.5 },
  ];
  expect(trecOrder(found)).toEqual(['d0', 'd2', 'd1']);
  expect(trecOrder(found.toReversed())).toEqual(['d0', 'd2', 'd1']);
});

test('every metric lies between 0 and 1 and grows with the depth for recall', () => {
  const ids = [...'abcdefgh'];
  const ranking = fc.shuffledSubarray(ids);
  const grades = fc.dictionary(fc.constantFrom(...ids), fc.integer({ min: -1, max: 3 }));
  fc.assert(
    fc.property(ranking, grades, fc.integer({ min: 1, max: 10 }), (ranked, given, k) => {
      const wanted = new Map(Object.entries(given));
      for (const metric of [ndcg, recall, precision, reciprocalRank, averagePrecision, success]) {
        const value = metric(wanted, ranked, k);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
      expect(recall(wanted, ranked, k + 1)).toBeGreaterThanOrEqual(recall(wanted, ranked, k));
    }),
  );
});

test('a hit is the judged section by the end of its path, at a folder, and its heading line', () => {
  const section = { path: 'docs/a.md', line: 7, grade: 1 };
  expect(isSameSection(section, 'docs/a.md', 7)).toBe(true);
  expect(isSameSection(section, 'source/docs/a.md', 7)).toBe(true);
  expect(isSameSection(section, 'source/other-docs/a.md', 7)).toBe(false);
  expect(isSameSection(section, 'docs/a.md', 8)).toBe(false);
});

test('a broken file of questions is an error with its line', async () => {
  const file = join(temporaryFolder(), 'questions.jsonl');
  const good = { id: 'q1', kind: 'lookup', question: 'x?', relevant: [{ path: 'a.md', line: 1, grade: 2 }] };
  writeFileSync(file, `${JSON.stringify(good)}\n\n`);
  expect(readQuestions(file)).toEqual([good]);
  for (const line of ['{', '[]', '{}', JSON.stringify({ ...good, relevant: [{ path: 'a.md' }] })]) {
    writeFileSync(file, `${JSON.stringify(good)}\n${line}\n`);
    const error = await kbErrorOf(() => readQuestions(file));
    expect([error.code, error.message]).toEqual(['usage-invalid', expect.stringContaining(`${file}:2`)]);
  }
  expect((await kbErrorOf(() => readQuestions(`${file}.gone`))).code).toBe('usage-invalid');
});

test('a summary is the mean over all questions and over each kind', () => {
  const one = { 'recall@5': 0, 'recall@10': 0, 'recall@50': 1, 'answers@50': 1, ranks: [], question: '' };
  const summary = summarise([
    { ...one, id: '1', kind: 'a', 'ndcg@10': 1 },
    { ...one, id: '2', kind: 'b', 'ndcg@10': 0 },
    { ...one, id: '3', kind: 'a', 'ndcg@10': 0.5 },
  ]);
  expect([...summary].map(([kind, score]) => [kind, score.questions, score['ndcg@10']])).toEqual([
    ['all', 3, 0.5],
    ['a', 2, 0.75],
    ['b', 1, 0],
  ]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, stem, words as wordsOf } from '../../src/core/words.ts';
import { bestRows, inOrder, scoreCandidates, scoreRows } from '../../src/search/bm25.ts';
import { Candidates } from '../../src/search/candidates.ts';
import { scorePairs } from '../../src/search/pairs.ts';
import { putDocument, removeDocument } from '../../src/store/documents.ts';
import { FullText } from '../../src/store/full-text.ts';
import type { IndexFile } from '../../src/store/index-file.ts';
import { optimise } from '../../src/store/maintenance.ts';
import type { PostingList } from '../../src/store/posting-list.ts';
import { recordRankingNumbers } from '../../src/store/ranking-numbers.ts';
import { matches, type Scored, stemMatches } from '../support/match.ts';
import { document, openNew } from './support.ts';

/** Words that share beginnings, and some that are common to nearly all texts: their lists go over many pages. */
const WORDS = [
  'agent',
  'agents',
  'agile',
  'run',
  'running',
  'rune',
  'a',
  'the',
  'über',
  '知识',
  '识库',
  'x1',
];
const NEAR = 8;

function folded(word: string): string {
  return wordsOf(fold(word))[0] ?? '';
}

function stemOf(word: string): string {
  return stem(folded(word));
}

/** Scores by row, to nine digits: sums in another order differ in their last ones. */
function rounded(scores: Iterable<readonly [number, number]>): [number, string][] {
  return [...scores]
    .filter(([, score]) => score > 0)
    .sort((a, b) => a[0] - b[0])
    .map(([id, score]) => [id, score.toPrecision(9)]);
}

function scoresOf(found: readonly Scored[]) {
  return rounded(found.map(({ id, score }) => [id, score] as const));
}

/** Every word, as it is written and in all its forms, and every pair of words as a phrase and near each other. */
function expectSameScores(index: IndexFile, words: readonly string[]): void {
  const text = FullText.of(index);
  const stems = stemMatches(index);
  const anyWord = words.map((word) => `"${word}"`).join(' OR ');
  const lists = words.map((word) => text.list(stemOf(word)));
  const written = words.map((word) => text.written(folded(word)));
  expect(rounded(scoreRows(text, lists).entries())).toEqual(scoresOf(stems(anyWord)));
  expect(rounded(scoreRows(text, written).entries())).toEqual(scoresOf(matches(index, anyWord)));
  for (const [at, word] of words.entries()) {
    const other = words[(at + 1) % words.length] ?? word;
    const pair = [text.list(stemOf(word)), text.list(stemOf(other))] as const;
    const { phrase, near } = scorePairs(text, [pair], NEAR, allRows(text));
    expect(rounded(phrase.entries())).toEqual(scoresOf(stems(`"${word} ${other}"`)));
    expectNear(
      new Map([...near.entries()].filter(([, score]) => score > 0)),
      stems(`NEAR("${word}" "${other}", ${NEAR})`),
    );
    expect(text.count(folded(word))).toBe(written[at]?.rows.length);
  }
  expectSameOfSome(text, lists);
}

function allRows(text: FullText): Candidates {
  return new Candidates(text.lengths.keys(), text.lengths.length);
}

/** Scores of some rows only are those they have among all. */
function expectSameOfSome(text: FullText, lists: readonly PostingList[]): void {
  const all = scoreRows(text, lists);
  const some = Int32Array.from(all.keys()).filter((row) => row % 3 === 0);
  const found = scoreCandidates(text, lists, new Candidates(some, all.length));
  expect(rounded(Array.from(some, (row, at) => [row, found[at] ?? 0] as const))).toEqual(
    rounded([...all.entries()].filter(([row]) => row % 3 === 0)),
  );
}

/** FTS5 itself may miss one of a thousand places near others, where a list goes over pages. */
function expectNear(ours: ReadonlyMap<number, number>, theirs: readonly Scored[]): void {
  expect([...ours.keys()].sort((a, b) => a - b)).toEqual(theirs.map((one) => one.id).sort((a, b) => a - b));
  for (const { id, score } of theirs) expect(Math.abs((ours.get(id) ?? 0) / score - 1)).toBeLessThan(1e-4);
}

/** Texts of such words, from a number: some short, some of thousands of words. */
function textOf(seed: number): string {
  const length = seed % 7 === 0 ? 3000 : 5 + (seed % 40);
  const parts = Array.from(
    { length },
    (_, at) => WORDS[(seed * 31 + at * at * 7 + at * seed) % WORDS.length],
  );
  return `${parts.join(' ')} own${seed}`;
}

describe('posting lists', () => {
  test('give every score that MATCH and bm25() give, through writes, deletions and merges', () => {
    const steps = fc.array(
      fc.record({
        put: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 12 }),
        remove: fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 6 }),
        merge: fc.boolean(),
      }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(steps, (all) => {
        const index = openNew();
        for (const { put, remove, merge } of all) {
          index.transaction(() => {
            for (const seed of remove) removeDocument(index, `${seed % 20}.md`);
            for (const seed of put) {
              putDocument(
                index,
                document(`${seed % 20}.md`, [
                  ['', textOf(seed)],
                  ['Agent run', textOf(seed + 1)],
                ]),
              );
            }
            recordRankingNumbers(index);
            if (merge) optimise(index);
          });
          index.snapshot(() => expectSameScores(index, WORDS));
        }
        index.close();
      }),
      { numRuns: 25 },
    );
  });

  test('of many rows go over many pages, of one row with many places too', () => {
    const index = openNew();
    index.transaction(() => {
      for (let at = 0; at < 3000; at += 1)
        putDocument(index, document(`${at}.md`, [['', textOf(at % 6 || 1)]]));
      putDocument(index, document('long.md', [['', 'agent run '.repeat(20_000)]]));
      recordRankingNumbers(index);
    });
    for (const half of [0, 1]) {
      expectSameScores(index, WORDS);
      index.transaction(() => {
        for (let at = half; at < 3000; at += 2 + half) removeDocument(index, `${at}.md`);
        recordRankingNumbers(index);
      });
      expectSameScores(index, WORDS);
      optimise(index);
    }
    expectSameScores(index, WORDS);
    index.close();
  });

  test('of a beginning hold the rows of all words that begin so', () => {
    const index = openNew();
    index.transaction(() => {
      for (let at = 0; at < 60; at += 1) putDocument(index, document(`${at}.md`, [['', textOf(at)]]));
      recordRankingNumbers(index);
    });
    const text = FullText.of(index);
    expect(rounded(scoreRows(text, [text.listOfBeginning('知')]).entries())).toEqual(
      scoresOf(matches(index, '"知" *')),
    );
    expect(rounded(scoreRows(text, [text.listOfBeginning('ag')]).entries())).toEqual(
      scoresOf(matches(index, '"ag" *')),
    );
    index.close();
  });

  test('follow what other connections and this one write', () => {
    const index = openNew();
    putDocument(index, document('a.md', [['', 'agent']]));
    expect(FullText.of(index).list('agent').rows).toHaveLength(1);
    putDocument(index, document('b.md', [['', 'agent']]));
    expect(FullText.of(index).list('agent').rows).toHaveLength(2);
    removeDocument(index, 'a.md');
    expect(FullText.of(index).list('agent').rows).toHaveLength(1);
    index.close();
  });

  test('of a damaged table end, with rows or an error that says so', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 255 }), (place, byte) => {
        const index = openNew();
        index.transaction(() => {
          for (let at = 0; at < 30; at += 1) putDocument(index, document(`${at}.md`, [['', textOf(at)]]));
          recordRankingNumbers(index);
        });
        damage(index, place, byte);
        try {
          const text = FullText.of(index);
          const lists = WORDS.map((word) => text.list(stemOf(word)));
          bestRows(scoreRows(text, lists), 10);
          scorePairs(text, [[lists[0] ?? text.list('a'), lists[1] ?? text.list('a')]], NEAR, allRows(text));
        } catch (error) {
          expect(error).toMatchObject({ code: 'index-corrupt' });
        }
        index.close();
      }),
      { numRuns: 25 },
    );
  });
});

/** Changes one byte of one of the table's blocks. */
function damage(index: IndexFile, place: number, byte: number): void {
  index.database.unsafeMode(true);
  const blocks = index.all<{ id: bigint; block: Buffer }>(
    'SELECT CAST(id AS TEXT) AS id, block FROM lexical_data',
  );
  const chosen = blocks[place % blocks.length];
  if (chosen !== undefined) {
    const block = Buffer.from(chosen.block);
    block[place % block.length] = byte;
    index.runBlob('UPDATE lexical_data SET block = ? WHERE id = CAST(? AS INTEGER)', block, chosen.id);
  }
  index.database.unsafeMode(false);
}

describe('the best rows', () => {
  test('are those a full sort gives, equal ones by id', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 60 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 20 }), fc.boolean(), (all, limit, isLimited) => {
        const wanted = isLimited ? Uint8Array.from(all, (_, id) => id % 2) : undefined;
        const sorted = all
          .map((score, id) => ({ id, score }))
          .filter(({ id, score }) => score > 0 && (wanted === undefined || wanted[id] === 1))
          .sort((a, b) => b.score - a.score || a.id - b.id);
        const scores = Float64Array.from(all);
        const best = inOrder(bestRows(scores, limit, wanted), scores);
        expect([...best]).toEqual(sorted.slice(0, limit).map(({ id }) => id));
      }),
    );
  });
});

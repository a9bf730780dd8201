import { COLUMN_WEIGHTS, type FullText } from '../store/full-text.ts';
import { COLUMN, leap, type PostingList } from '../store/posting-list.ts';
import { inverseFrequency, scoreOf } from './bm25.ts';
import type { Candidates } from './candidates.ts';

/** Two words that follow each other in the query. */
export type ListPair = readonly [PostingList, PostingList];

/** In the order of the candidates; 0 where no pair stands. */
export interface PairScores {
  /** Scores of the pairs as phrases: one word right after the other. */
  readonly phrase: Float64Array;
  /** Scores of the words of pairs that stand near each other. */
  readonly near: Float64Array;
}

/** A row that both words of a pair are in: where in each list. */
type Visit = (row: number, inFirst: number, inSecond: number) => void;

/** BM25 of neighbouring words in some rows; how rare a pair is, all rows tell. */
export function scorePairs(
  text: FullText,
  pairs: readonly ListPair[],
  distance: number,
  candidates: Candidates,
): PairScores {
  const phrase = new Float64Array(candidates.rows.length);
  const near = new Float64Array(candidates.rows.length);
  const add = (to: Float64Array, place: number, frequency: number, weight: number) => {
    if (frequency === 0) return;
    to[place] = (to[place] as number) + scoreOf(text, candidates.rows[place] as number, frequency, weight);
  };
  for (const [first, second] of pairs) {
    const ofFirst = inverseFrequency(text.rows, first.rows.length);
    const ofSecond = inverseFrequency(text.rows, second.rows.length);
    const phrases: { place: number; frequency: number }[] = [];
    let holding = 0;
    visitCommon(first, second, (row, inFirst, inSecond) => {
      const frequency = phraseFrequency(first, inFirst, second, inSecond);
      if (frequency > 0) holding += 1;
      const place = candidates.placeOf(row);
      if (place < 0) return;
      if (frequency > 0) phrases.push({ place, frequency });
      const [timesFirst, timesSecond] = nearFrequencies(
        placesIn(first, inFirst),
        placesIn(second, inSecond),
        distance,
      );
      add(near, place, timesFirst, ofFirst);
      add(near, place, timesSecond, ofSecond);
    });
    const weight = inverseFrequency(text.rows, holding);
    for (const { place, frequency } of phrases) add(phrase, place, frequency, weight);
  }
  return { phrase, near };
}

/** Calls for every row of both lists. The shorter is gone through; in the longer its rows are looked up by leaps. */
function visitCommon(first: PostingList, second: PostingList, visit: Visit): void {
  const isSwapped = first.rows.length > second.rows.length;
  const [short, long] = isSwapped ? [second.rows, first.rows] : [first.rows, second.rows];
  let at = 0;
  for (let position = 0; position < short.length; position += 1) {
    const row = short[position] as number;
    at = leap(long, at, row);
    if (at === long.length) return;
    if (long[at] !== row) continue;
    if (isSwapped) visit(row, at, position);
    else visit(row, position, at);
  }
}

function phraseFrequency(first: PostingList, inFirst: number, second: PostingList, inSecond: number): number {
  let frequency = 0;
  let at = second.starts[inSecond] ?? 0;
  const [endFirst = 0, endSecond = 0] = [first.starts[inFirst + 1], second.starts[inSecond + 1]];
  for (let from = first.starts[inFirst] ?? 0; from < endFirst; from += 1) {
    const place = first.places[from] as number;
    while (at < endSecond && (second.places[at] as number) <= place) at += 1;
    if (at === endSecond) break;
    if (second.places[at] === place + 1) frequency += weightOf(place);
  }
  return frequency;
}

function placesIn(list: PostingList, row: number): Int32Array {
  return list.places.subarray(list.starts[row], list.starts[row + 1]);
}

/**
 * How often each of two words stands near the other, by columns weighed: a word counts where the other begins at most
 * `distance` words after its end. As NEAR of FTS5 has it, each step goes on with the word whose next place comes first.
 */
function nearFrequencies(first: Int32Array, second: Int32Array, distance: number): [number, number] {
  let [ofFirst, ofSecond, atFirst, atSecond] = [0, 0, 0, 0];
  let [lastFirst, lastSecond] = [-1, -1];
  while (atFirst < first.length && atSecond < second.length) {
    const [a = 0, b = 0] = [first[atFirst], second[atSecond]];
    const isNear = Math.abs(a - b) <= distance + 1;
    if (isNear) {
      ofFirst += a === lastFirst ? 0 : weightOf(a);
      ofSecond += b === lastSecond ? 0 : weightOf(b);
      [lastFirst, lastSecond] = [a, b];
    }
    const isFirstBehind = isNear ? !comesBefore(second, atSecond + 1, first, atFirst + 1) : a < b;
    if (isFirstBehind) atFirst += 1;
    else atSecond += 1;
  }
  return [ofFirst, ofSecond];
}

/** What is past the end comes after everything. */
function comesBefore(a: Int32Array, atA: number, b: Int32Array, atB: number): boolean {
  return (a[atA] ?? Number.POSITIVE_INFINITY) < (b[atB] ?? Number.POSITIVE_INFINITY);
}

function weightOf(place: number): number {
  return COLUMN_WEIGHTS[Math.floor(place / COLUMN)] ?? 0;
}

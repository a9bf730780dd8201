import type { FullText } from '../store/full-text.ts';
import type { PostingList } from '../store/posting-list.ts';
import type { Candidates } from './candidates.ts';

/** As FTS5's bm25() has them: how soon a word that comes again adds no more, and how much a long text counts against it. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** A word in more than half of the rows still tells a row that has it from one that has not. */
const MIN_WEIGHT = 1e-6;

/** How much a word says that stands in `holding` of `rows` rows; natural logarithm. */
export function inverseFrequency(rows: number, holding: number): number {
  return Math.max(MIN_WEIGHT, Math.log((rows - holding + 0.5) / (holding + 0.5)));
}

/** What one word adds to a row that has it so often, the row's columns weighed. */
export function scoreOf(text: FullText, row: number, frequency: number, weight: number): number {
  return saturated(weight, frequency, (text.lengths[row] ?? 0) / text.averageLength);
}

/** `length` is that of the row in lengths of an average one. */
export function saturated(weight: number, frequency: number, length: number): number {
  const damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
  return (weight * frequency * (SATURATION + 1)) / (frequency + damping);
}

/** The score of every row for any of the words, by its id; 0 where none stands. A word given twice counts twice. */
export function scoreRows(text: FullText, lists: readonly PostingList[]): Float64Array {
  const times = new Map<PostingList, number>();
  for (const list of lists) times.set(list, (times.get(list) ?? 0) + 1);
  const { lengths, averageLength } = text;
  const scores = new Float64Array(lengths.length);
  for (const [{ rows, frequencies }, count] of times) {
    const weight = count * inverseFrequency(text.rows, rows.length);
    for (let at = 0; at < rows.length; at += 1) {
      // In range by construction; asking again for each of a million rows would cost more than the sum.
      const row = rows[at] as number;
      const frequency = frequencies[at] as number;
      const length = (lengths[row] as number) / averageLength;
      scores[row] = (scores[row] as number) + saturated(weight, frequency, length);
    }
  }
  return scores;
}

/** As {@link scoreRows}, of the candidates only, in their order. */
export function scoreCandidates(
  text: FullText,
  lists: readonly PostingList[],
  candidates: Candidates,
): Float64Array {
  const scores = new Float64Array(candidates.rows.length);
  for (const { rows, frequencies } of lists) {
    const weight = inverseFrequency(text.rows, rows.length);
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number;
      const place = candidates.placeOf(row);
      if (place >= 0)
        scores[place] = (scores[place] as number) + scoreOf(text, row, frequencies[at] as number, weight);
    }
  }
  return scores;
}

/**
 * The best rows, the first of equal ones; of those that `isWanted` marks, where it is given. In no order: to sort hundreds
 * costs more than to find them, and most callers look at all (see {@link inOrder}).
 */
export function bestRows(scores: Float64Array, limit: number, isWanted?: Uint8Array): Int32Array {
  const best = new BestRows(Math.min(limit, scores.length));
  for (let id = 0; id < scores.length; id += 1) {
    const score = scores[id] as number;
    // Ids ascend: a later row must be better than the worst that is held, not only as good.
    if (score > best.least && (isWanted === undefined || isWanted[id] === 1)) best.hold(id, score);
  }
  return best.rows();
}

/** Rows best first, equal ones by id. */
export function inOrder(rows: Int32Array, scores: Float64Array): Int32Array {
  return rows.toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}

/** A heap of so many rows: none is better than those at twice its place and beyond. */
class BestRows {
  readonly #ids: Int32Array;
  readonly #scores: Float64Array;
  #count = 0;
  /** What a row must exceed to be held. */
  least: number;

  constructor(size: number) {
    this.#ids = new Int32Array(size);
    this.#scores = new Float64Array(size);
    this.least = size > 0 ? 0 : Number.POSITIVE_INFINITY;
  }

  hold(id: number, score: number): void {
    const size = this.#ids.length;
    const isFull = this.#count === size;
    if (!isFull) this.#count += 1;
    const at = isFull ? 0 : this.#count - 1;
    this.#ids[at] = id;
    this.#scores[at] = score;
    if (this.#count < size) return;
    if (isFull) this.#sink(0);
    else for (let from = size >> 1; from >= 0; from -= 1) this.#sink(from);
    this.least = this.#scores[0] as number;
  }

  rows(): Int32Array {
    return this.#ids.subarray(0, this.#count);
  }

  /** Moves a row down to where no row below it is worse. */
  #sink(from: number): void {
    const [ids, scores] = [this.#ids, this.#scores];
    const [id, score] = [ids[from] as number, scores[from] as number];
    let at = from;
    for (let below = 2 * at + 1; below < ids.length; below = 2 * at + 1) {
      if (below + 1 < ids.length && this.#isWorse(below + 1, ids[below] as number, scores[below] as number))
        below += 1;
      if (!this.#isWorse(below, id, score)) break;
      ids[at] = ids[below] as number;
      scores[at] = scores[below] as number;
      at = below;
    }
    ids[at] = id;
    scores[at] = score;
  }

  #isWorse(at: number, id: number, score: number): boolean {
    const own = this.#scores[at] as number;
    return own < score || (own === score && (this.#ids[at] as number) > id);
  }
}

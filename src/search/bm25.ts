import type { FullText } from '../store/full-text.ts';
import type { PostingList } from '../store/posting-list.ts';

/** A row of a full-text table with its score; higher is better. */
export interface Match {
  readonly id: number;
  readonly score: number;
}

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

/** The best rows, best first, equal ones by id; of those that `isWanted` marks, where it is given. */
export function bestRows(scores: Float64Array, limit: number, isWanted?: Uint8Array): Match[] {
  const heap: Match[] = [];
  let least = 0;
  for (let id = 0; id < scores.length; id += 1) {
    const score = scores[id] as number;
    // Ids ascend: a later row must be better than the worst that is held, not only as good.
    if (!(score > least) || (isWanted !== undefined && isWanted[id] !== 1)) continue;
    if (heap.length === limit) replaceWorst(heap, { id, score });
    else insert(heap, { id, score });
    if (heap.length === limit) least = heap[0]?.score ?? 0;
  }
  return heap.sort((a, b) => b.score - a.score || a.id - b.id);
}

function isWorse(a: Match | undefined, b: Match | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.score < b.score || (a.score === b.score && a.id > b.id);
}

/** The heap has its worst at the top, and no match above one that is worse. */
function insert(heap: Match[], match: Match): void {
  let at = heap.push(match) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isWorse(heap[at], heap[above])) break;
    swap(heap, at, above);
    at = above;
  }
}

function replaceWorst(heap: Match[], match: Match): void {
  heap[0] = match;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    const worse = isWorse(heap[right], heap[left]) ? right : left;
    if (!isWorse(heap[worse], heap[at])) break;
    swap(heap, at, worse);
    at = worse;
  }
}

function swap(heap: Match[], a: number, b: number): void {
  const held = heap[a];
  const other = heap[b];
  if (held === undefined || other === undefined) return;
  heap[a] = other;
  heap[b] = held;
}

import type { FullText } from '../store/full-text.ts';
import type { PostingList } from '../store/posting-list.ts';
import { inverseFrequency, saturated } from './bm25.ts';

/**
 * The BM25 score of each page as a whole for any of the words, by the document's id; a word given twice counts twice. A
 * page is all its chunks, joined. 0 for a page of one section: it is that section, and would say nothing new.
 */
export function scorePages(text: FullText, lists: readonly PostingList[]): Float64Array {
  const times = new Map<PostingList, number>();
  for (const list of lists) times.set(list, (times.get(list) ?? 0) + 1);
  const scores = new Float64Array(text.pages.lengths.length);
  for (const [list, repeats] of times) addPages(scores, text, list, repeats);
  return scores;
}

/** Adds what one word is worth on each page; the chunks of a page are written together, so their ids follow each other. */
function addPages(scores: Float64Array, text: FullText, list: PostingList, repeats: number): void {
  const { rows, frequencies } = list;
  const { documents } = text.chunkMap;
  const { lengths, count, averageLength } = text.pages;
  const weight = repeats * inverseFrequency(count, countPages(rows, documents, lengths));
  for (let at = 0; at < rows.length; ) {
    const page = documents[rows[at] as number] as number;
    let frequency = 0;
    for (; at < rows.length && documents[rows[at] as number] === page; at += 1)
      frequency += frequencies[at] as number;
    const length = lengths[page] as number;
    if (length > 0)
      scores[page] = (scores[page] as number) + saturated(weight, frequency, length / averageLength);
  }
}

function countPages(rows: Int32Array, documents: Int32Array, lengths: Int32Array): number {
  let [count, last] = [0, 0];
  for (let at = 0; at < rows.length; at += 1) {
    const page = documents[rows[at] as number] as number;
    if (page !== last && (lengths[page] as number) > 0) count += 1;
    last = page;
  }
  return count;
}

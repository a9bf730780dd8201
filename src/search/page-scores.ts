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

/** The pages of several sections that hold a word, and how often, columns weighed. */
interface PageList {
  readonly pages: Int32Array;
  readonly frequencies: Float32Array;
}

/** Made once for each list of chunks and gone with it: pages are few, chunks many. */
const pageLists = new WeakMap<PostingList, PageList>();

/** Adds what one word is worth on each page. */
function addPages(scores: Float64Array, text: FullText, list: PostingList, repeats: number): void {
  const { pages, frequencies } = pagesOf(text, list);
  const { lengths, count, averageLength } = text.pages;
  const weight = repeats * inverseFrequency(count, pages.length);
  for (let at = 0; at < pages.length; at += 1) {
    const page = pages[at] as number;
    const length = (lengths[page] as number) / averageLength;
    scores[page] = (scores[page] as number) + saturated(weight, frequencies[at] as number, length);
  }
}

/** The chunks of a page are written together, so their ids follow each other. */
function pagesOf(text: FullText, list: PostingList): PageList {
  const before = pageLists.get(list);
  if (before !== undefined) return before;
  const { rows, frequencies } = list;
  const { documents } = text.chunkMap;
  const { lengths } = text.pages;
  const pages = new Int32Array(rows.length);
  const sums = new Float32Array(rows.length);
  let count = 0;
  for (let at = 0; at < rows.length; ) {
    const page = documents[rows[at] as number] as number;
    let frequency = 0;
    for (; at < rows.length && documents[rows[at] as number] === page; at += 1)
      frequency += frequencies[at] as number;
    if ((lengths[page] as number) === 0) continue;
    pages[count] = page;
    sums[count] = frequency;
    count += 1;
  }
  const made = { pages: pages.slice(0, count), frequencies: sums.slice(0, count) };
  pageLists.set(list, made);
  return made;
}

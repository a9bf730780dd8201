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
  const { lengths, count, averageLength } = text.pages;
  const scores = new Float64Array(lengths.length);
  for (const [list, repeats] of times) {
    const { pages, frequencies } = sumByPage(text, list);
    const weight = repeats * inverseFrequency(count, pages.length);
    for (const [at, page] of pages.entries()) {
      const length = (lengths[page] as number) / averageLength;
      scores[page] = (scores[page] as number) + saturated(weight, frequencies[at] as number, length);
    }
  }
  return scores;
}

/** How often a word stands on each page of several sections that has it. */
function sumByPage(
  text: FullText,
  { rows, frequencies }: PostingList,
): { readonly pages: number[]; readonly frequencies: number[] } {
  const { documents } = text.chunkMap;
  const { lengths } = text.pages;
  const [pages, sums]: [number[], number[]] = [[], []];
  let last = 0;
  for (let at = 0; at < rows.length; at += 1) {
    const page = documents[rows[at] as number] as number;
    if (lengths[page] === 0) continue;
    // The chunks of a page are written together: their ids follow each other.
    if (page === last) sums.push((sums.pop() ?? 0) + (frequencies[at] as number));
    else {
      pages.push(page);
      sums.push(frequencies[at] as number);
      last = page;
    }
  }
  return { pages, frequencies: sums };
}

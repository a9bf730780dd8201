import { isUnspaced, stem } from '../core/words.ts';
import type { FullText } from '../store/full-text.ts';
import type { PostingList } from '../store/posting-list.ts';
import type { ListPair } from './pairs.ts';
import type { Query } from './query.ts';

/** Where a word of a query stands. A lone character of an unspaced script is searched as the start of a pair. */
export function listOf(text: FullText, word: string): PostingList {
  return isBeginning(word) ? text.listOfBeginning(word) : text.list(stem(word));
}

/** Where it stands just as it is written in the query. */
export function writtenListOf(text: FullText, word: string): PostingList {
  return isBeginning(word) ? text.listOfBeginning(word) : text.written(word);
}

function isBeginning(word: string): boolean {
  return isUnspaced(word) && [...word].length === 1;
}

export function listPairs(text: FullText, query: Query): ListPair[] {
  return query.pairs.map(([first, second]) => [text.list(stem(first)), text.list(stem(second))] as const);
}

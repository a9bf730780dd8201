import { stem } from '../core/words.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksWithStem } from '../store/lexical.ts';
import type { Query } from './query.ts';

/** A text of more different words than this is searched by its rarest: they say what it is about. */
export const MAX_WORDS = 256;
/** A word that comes again weighs more, up to here: a text may be one word a million times. */
const MAX_REPEATS = 100;
const MAX_PAIRS = 256;

/** The query with no more words than can be ranked in bounded time; those left out are said to be dropped. */
export function narrow(index: IndexFile, query: Query): Query {
  const counts = new Map<string, number>();
  const terms = query.terms.filter((word) => {
    const count = (counts.get(word) ?? 0) + 1;
    counts.set(word, count);
    return count <= MAX_REPEATS;
  });
  const words = [...counts.keys()];
  if (words.length <= MAX_WORDS) return { ...query, terms, pairs: query.pairs.slice(0, MAX_PAIRS) };
  const holding = new Map(words.map((word) => [word, chunksWithStem(index, stem(word))]));
  const rarest = words.sort((a, b) => (holding.get(a) ?? 0) - (holding.get(b) ?? 0));
  const kept = new Set(rarest.slice(0, MAX_WORDS));
  return {
    ...query,
    terms: terms.filter((word) => kept.has(word)),
    pairs: query.pairs.filter(([a, b]) => kept.has(a) || kept.has(b)).slice(0, MAX_PAIRS),
    dropped: [...query.dropped, ...rarest.slice(MAX_WORDS)],
    leftOut: words.length - MAX_WORDS,
  };
}

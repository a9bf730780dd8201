import { stem } from '../core/words.ts';
import type { IndexFile } from '../store/index-file.ts';
import {
  allMatches,
  bestMatches,
  chunksWithStem,
  countChunks,
  type Match,
  pageMatches,
} from '../store/lexical.ts';
import { placesOfChunks } from '../store/sections.ts';
import { deepen, FEEDBACK_FROM } from './feedback.ts';
import { anyNear, anyPhrase, anyWord, type Query } from './query.ts';

/** Chunks scored by words before phrases are looked at. */
const CANDIDATES = 300;
/** Shares of the phrase and nearness scores; asked in the same MATCH they would hurt, since FTS5 has no weights. */
const PHRASE_SHARE = 0.1;
const NEAR_SHARE = 0.05;
const NEAR_DISTANCE = 8;

/** An index with fewer chunks is fast enough to ask for all words at once, which finds a little more. */
const PRUNE_FROM = 20_000;
/** Rows are found by at least this many words, and by more while these stand in no larger share of the chunks. */
const RARE_MIN = 3;
const RARE_SHARE = 0.15;
/**
 * Share of the score that the whole page has for the same words. Chosen on the cross-links of twelve other
 * documentation sites (docs/decisions): 0.3 to 0.5 is best there.
 */
const PAGE_SHARE = 0.3;

/** A section with its best chunk and how its score came about: the parts add up to it. */
export interface RankedSection {
  readonly sectionId: number;
  readonly chunkId: number;
  readonly score: number;
  readonly words: number;
  readonly phrase: number;
  readonly near: number;
  readonly page: number;
  /** From words borrowed of the best sections; 0 for the first ten. */
  readonly feedback: number;
}

/** Sections for a query, best first; below the tenth, what shares the telling words of those ten comes too. */
export function rankSections(index: IndexFile, query: Query, limit: number, path = ''): RankedSection[] {
  const ranked = rankByWords(index, query, limit, path);
  // In a large index the second query would cost more than the first: there the list ends as it is.
  const isDeep = limit > FEEDBACK_FROM && countChunks(index) < PRUNE_FROM;
  const all = isDeep ? deepen(index, query, ranked, { limit, path }) : ranked;
  return all.slice(0, limit);
}

/** Sections by the BM25 score of their best chunk plus shares for neighbouring words and for their page; best first. */
function rankByWords(index: IndexFile, query: Query, limit: number, path: string): RankedSection[] {
  if (query.terms.length === 0) return [];
  const words = anyWord(query.terms);
  const found = candidates(index, query.terms, { limit: Math.max(CANDIDATES, limit * 4), path });
  const phrase = scoresOf(allMatches, index, anyPhrase(query.pairs));
  const near = scoresOf(allMatches, index, anyNear(query.pairs, NEAR_DISTANCE));
  const page = scoresOf(pageMatches, index, words);
  const places = placesOfChunks(
    index,
    found.map((match) => match.id),
  );
  const best = new Map<number, RankedSection>();
  for (const match of found) {
    const place = places.get(match.id);
    if (place === undefined) continue;
    const parts = {
      words: match.score,
      phrase: PHRASE_SHARE * (phrase.get(match.id) ?? 0),
      near: NEAR_SHARE * (near.get(match.id) ?? 0),
    };
    const own = parts.words + parts.phrase + parts.near;
    // A section that is all of its page is its own page.
    const ofPage = PAGE_SHARE * (page.get(place.documentId) ?? own);
    const score = own + ofPage;
    if (score > (best.get(place.sectionId)?.score ?? Number.NEGATIVE_INFINITY)) {
      best.set(place.sectionId, {
        sectionId: place.sectionId,
        chunkId: match.id,
        score,
        ...parts,
        page: ofPage,
        feedback: 0,
      });
    }
  }
  return [...best.values()].sort((a, b) => b.score - a.score || a.chunkId - b.chunkId);
}

/**
 * The best chunks for any of the words. FTS5 scores every row that matches, so common words cost most and say least:
 * rows of a large index are found by its rarer words, as many as together stand in a share of all chunks, and those of
 * them that also hold a common word are scored with all words. Nearly always the same top as asking for all words at once.
 */
function candidates(
  index: IndexFile,
  terms: readonly string[],
  scope: { readonly limit: number; readonly path: string },
): Match[] {
  const chunks = countChunks(index);
  if (chunks < PRUNE_FROM) return bestMatches(index, anyWord(terms), scope.limit, scope.path);
  const rare = rarerTerms(index, terms, chunks * RARE_SHARE);
  const common = terms.filter((term) => !rare.has(term));
  const byRare = anyWord(terms.filter((term) => rare.has(term)));
  const found = bestMatches(index, byRare, scope.limit, scope.path);
  if (common.length === 0) return found;
  const scores = new Map(found.map((match) => [match.id, match.score]));
  for (const match of bestMatches(index, `(${byRare}) AND (${anyWord(common)})`, scope.limit, scope.path)) {
    scores.set(match.id, match.score);
  }
  return [...scores].map(([id, score]) => ({ id, score }));
}

function rarerTerms(index: IndexFile, terms: readonly string[], budget: number): ReadonlySet<string> {
  const byRarity = [...new Set(terms)]
    .map((term) => ({ term, holding: chunksWithStem(index, stem(term)) }))
    .sort((a, b) => a.holding - b.holding);
  const rare = new Set<string>();
  let holding = 0;
  for (const one of byRarity) {
    holding += one.holding;
    if (rare.size >= RARE_MIN && holding > budget) break;
    rare.add(one.term);
  }
  return rare;
}

function scoresOf(
  matches: (index: IndexFile, expression: string) => Match[],
  index: IndexFile,
  expression: string,
): Map<number, number> {
  if (expression === '') return new Map();
  return new Map(matches(index, expression).map((match) => [match.id, match.score]));
}

import type { IndexFile } from '../store/index-file.ts';
import { allMatches, bestMatches, type Match, pageMatches } from '../store/lexical.ts';
import { placesOfChunks } from '../store/sections.ts';
import { deepen, FEEDBACK_FROM } from './feedback.ts';
import { anyNear, anyPhrase, anyWord, type Query } from './query.ts';

/** Chunks scored by words before phrases are looked at. */
const CANDIDATES = 300;
/** Shares of the phrase and nearness scores; asked in the same MATCH they would hurt, since FTS5 has no weights. */
const PHRASE_SHARE = 0.1;
const NEAR_SHARE = 0.05;
const NEAR_DISTANCE = 8;

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
  const all = limit > FEEDBACK_FROM ? deepen(index, query, ranked, { limit, path }) : ranked;
  return all.slice(0, limit);
}

/** Sections by the BM25 score of their best chunk plus shares for neighbouring words and for their page; best first. */
function rankByWords(index: IndexFile, query: Query, limit: number, path: string): RankedSection[] {
  if (query.terms.length === 0) return [];
  const words = anyWord(query.terms);
  const found = bestMatches(index, words, Math.max(CANDIDATES, limit * 4), path);
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

function scoresOf(
  matches: (index: IndexFile, expression: string) => Match[],
  index: IndexFile,
  expression: string,
): Map<number, number> {
  if (expression === '') return new Map();
  return new Map(matches(index, expression).map((match) => [match.id, match.score]));
}

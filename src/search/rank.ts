import type { DocumentScope } from '../core/scope.ts';
import { FullText } from '../store/full-text.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksUnder } from '../store/lexical.ts';
import { bestRows, type Match, scoreRows } from './bm25.ts';
import { deepen, FEEDBACK_FROM } from './feedback.ts';
import { scorePages } from './page-scores.ts';
import { scorePairs } from './pairs.ts';
import type { Query } from './query.ts';
import { listOf, listPairs } from './query-lists.ts';
import { byScore, type RankedSection, type RankScope } from './ranked-section.ts';

/** Chunks scored by words before phrases are looked at. */
const CANDIDATES = 300;
/** Shares of the scores that neighbouring words have as phrases, and near each other. */
const PHRASE_SHARE = 0.1;
const NEAR_SHARE = 0.05;
export const NEAR_DISTANCE = 8;

/**
 * Share of the score that the whole page has for the same words. Chosen on the cross-links of twelve other
 * documentation sites (docs/decisions): 0.3 to 0.5 is best there.
 */
const PAGE_SHARE = 0.3;
/** In a larger index the words that feedback borrows would cost more than those of the query. */
const FEEDBACK_MAX_CHUNKS = 20_000;

/** Sections for a query, best first; below the tenth, what shares the telling words of those ten comes too. */
export function rankSections(
  index: IndexFile,
  query: Query,
  limit: number,
  documents: DocumentScope = {},
): RankedSection[] {
  if (query.terms.length === 0) return [];
  const text = FullText.of(index);
  const scope = { limit, isWanted: chunksUnder(index, documents) };
  const ranked = rankByWords(text, query, scope);
  const isDeep = limit > FEEDBACK_FROM && text.rows <= FEEDBACK_MAX_CHUNKS;
  if (!isDeep) return bestSections(ranked, limit);
  return deepen(index, query, ranked.sort(byScore), scope).slice(0, limit);
}

/** Sections by the BM25 score of their best chunk plus shares for neighbouring words and for their page; in no order. */
function rankByWords(text: FullText, query: Query, scope: RankScope): RankedSection[] {
  const lists = query.terms.map((term) => listOf(text, term));
  const scores = scoreRows(text, lists);
  const found = bestRows(scores, Math.max(CANDIDATES, scope.limit * 4), scope.isWanted);
  const pairs = scorePairs(text, listPairs(text, query), NEAR_DISTANCE, idsOf(found));
  const page = scorePages(text, lists);
  const { sections, documents, order } = text.chunkMap;
  const best = new Map<number, RankedSection>();
  for (const { id, score: words } of found) {
    const phrase = PHRASE_SHARE * (pairs.phrase.get(id) ?? 0);
    const near = NEAR_SHARE * (pairs.near.get(id) ?? 0);
    const own = words + phrase + near;
    // A section that is all of its page is its own page.
    const ofPage = PAGE_SHARE * (page[documents[id] ?? 0] || own);
    const sectionId = sections[id] ?? 0;
    const score = own + ofPage;
    const held = best.get(sectionId);
    if (held !== undefined && held.score >= score) continue;
    const at = order[id] ?? 0;
    best.set(sectionId, {
      sectionId,
      chunkId: id,
      order: at,
      score,
      words,
      phrase,
      near,
      page: ofPage,
      feedback: 0,
    });
  }
  return [...best.values()];
}

/** The first so many in order: to sort all of hundreds for ten of them costs as much as to score them. */
function bestSections(all: readonly RankedSection[], limit: number): RankedSection[] {
  const scores = Float64Array.from(all, (one) => one.score).sort();
  const least = scores.at(-limit) ?? Number.NEGATIVE_INFINITY;
  return all
    .filter((one) => one.score >= least)
    .sort(byScore)
    .slice(0, limit);
}

function idsOf(matches: readonly Match[]): ReadonlySet<number> {
  return new Set(matches.map((match) => match.id));
}

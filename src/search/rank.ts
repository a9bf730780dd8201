import type { DocumentScope } from '../core/scope.ts';
import { FullText } from '../store/full-text.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksUnder } from '../store/lexical.ts';
import type { PostingList } from '../store/posting-list.ts';
import { bestRows, type Match, scoreRows, scoresOf } from './bm25.ts';
import { deepen, FEEDBACK_FROM } from './feedback.ts';
import { scorePages } from './page-scores.ts';
import { scorePairs } from './pairs.ts';
import type { Query } from './query.ts';
import { listOf, listPairs, writtenListOf } from './query-lists.ts';
import { byScore, type RankedSection, type RankScope } from './ranked-section.ts';

/** Chunks scored by words before phrases are looked at. */
const CANDIDATES = 300;
/** Shares of the scores that neighbouring words have as phrases, and near each other. */
const PHRASE_SHARE = 0.1;
const NEAR_SHARE = 0.05;
export const NEAR_DISTANCE = 8;
/**
 * Share of the score of the words as the query has them, beside that of all their forms: who asks for `packages` means
 * those rather than `packaged`. Chosen on nine collections (docs/decisions/words-as-written.md).
 */
const WRITTEN_SHARE = 0.4;

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
  const isDeep = limit > FEEDBACK_FROM && text.rows <= FEEDBACK_MAX_CHUNKS;
  if (!isDeep) return rankByWords(text, query, scope, limit);
  return deepen(index, query, rankByWords(text, query, scope), scope).slice(0, limit);
}

/**
 * The best sections, `wanted` of them or all that were found: by the BM25 score of their best chunk plus shares for
 * words just as they were asked, for neighbouring words and for their page; best first.
 */
function rankByWords(text: FullText, query: Query, scope: RankScope, wanted?: number): RankedSection[] {
  const lists = query.terms.map((term) => listOf(text, term));
  const scores = scoreRows(text, lists);
  const found = bestRows(scores, Math.max(CANDIDATES, scope.limit * 4), scope.isWanted);
  const pairs = scorePairs(text, listPairs(text, query), NEAR_DISTANCE, idsOf(found));
  const writtenLists = query.terms.map((term) => writtenListOf(text, term));
  const written = scoresById(text, writtenLists, found);
  const page = scorePages(text, lists);
  const writtenPage = scorePages(text, writtenLists);
  const { sections, documents, order } = text.chunkMap;
  const partsOf = ({ id, score: words }: Match) => {
    const asWritten = WRITTEN_SHARE * (written.get(id) ?? 0);
    const phrase = PHRASE_SHARE * (pairs.phrase.get(id) ?? 0);
    const near = NEAR_SHARE * (pairs.near.get(id) ?? 0);
    const own = words + asWritten + phrase + near;
    const document = documents[id] ?? 0;
    // A section that is all of its page is its own page.
    const whole = (page[document] ?? 0) + WRITTEN_SHARE * (writtenPage[document] ?? 0) || own;
    const ofPage = PAGE_SHARE * whole;
    return { score: own + ofPage, words, written: asWritten, phrase, near, page: ofPage, feedback: 0 };
  };
  const totals = Float64Array.from(found, (match) => partsOf(match).score);
  return bestChunks(found, totals, sections, wanted ?? found.length)
    .map((match) => {
      const { id } = match;
      return { sectionId: sections[id] ?? 0, chunkId: id, order: order[id] ?? 0, ...partsOf(match) };
    })
    .sort(byScore)
    .slice(0, wanted);
}

/** The best chunk of each section that is among the best so many, and of those that score the same as the last. */
function bestChunks(
  found: readonly Match[],
  totals: Float64Array,
  sections: Int32Array,
  wanted: number,
): Match[] {
  const isBetter = (one: number, other: number): boolean => {
    const difference = (totals[one] ?? 0) - (totals[other] ?? 0);
    return difference > 0 || (difference === 0 && (found[one]?.id ?? 0) < (found[other]?.id ?? 0));
  };
  const best = new Map<number, number>();
  for (let at = 0; at < found.length; at += 1) {
    const section = sections[found[at]?.id ?? 0] ?? 0;
    const held = best.get(section);
    if (held === undefined || isBetter(at, held)) best.set(section, at);
  }
  const positions = [...best.values()];
  const least =
    Float64Array.from(positions, (at) => totals[at] ?? 0)
      .sort()
      .at(-wanted) ?? 0;
  return positions.flatMap((at) => ((totals[at] ?? 0) >= least ? (found[at] ?? []) : []));
}

function scoresById(
  text: FullText,
  lists: readonly PostingList[],
  found: readonly Match[],
): ReadonlyMap<number, number> {
  const rows = Int32Array.from(found, (match) => match.id).sort();
  const scores = scoresOf(text, lists, rows);
  return new Map(Array.from(rows, (id, at) => [id, scores[at] ?? 0]));
}

function idsOf(matches: readonly Match[]): ReadonlySet<number> {
  return new Set(matches.map((match) => match.id));
}

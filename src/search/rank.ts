import type { DocumentScope } from '../core/scope.ts';
import { FullText } from '../store/full-text.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksUnder } from '../store/lexical.ts';
import { bestRows, scoreCandidates, scoreRows } from './bm25.ts';
import { Candidates } from './candidates.ts';
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
  const candidates = new Candidates(found, scores.length);
  const { rows } = candidates;
  const writtenLists = query.terms.map((term) => writtenListOf(text, term));
  const written = scoreCandidates(text, writtenLists, candidates);
  const { phrase, near } = scorePairs(text, listPairs(text, query), NEAR_DISTANCE, candidates);
  const page = scorePages(text, lists);
  const writtenPage = scorePages(text, writtenLists);
  const { sections, documents, order } = text.chunkMap;
  /** What the place-th candidate scores by itself, and by its page. */
  const ownOf = (place: number) =>
    (scores[rows[place] as number] as number) +
    WRITTEN_SHARE * (written[place] as number) +
    PHRASE_SHARE * (phrase[place] as number) +
    NEAR_SHARE * (near[place] as number);
  const ofPage = (place: number, own: number) => {
    const document = documents[rows[place] as number] as number;
    const whole = (page[document] as number) + WRITTEN_SHARE * (writtenPage[document] as number);
    // A section that is all of its page is its own page.
    return PAGE_SHARE * (whole || own);
  };
  const totals = Float64Array.from(rows, (_, place) => {
    const own = ownOf(place);
    return own + ofPage(place, own);
  });
  return bestChunks(rows, totals, sections, wanted ?? rows.length)
    .map((place): RankedSection => {
      const chunkId = rows[place] as number;
      return {
        sectionId: sections[chunkId] as number,
        chunkId,
        order: order[chunkId] as number,
        score: totals[place] as number,
        words: scores[chunkId] as number,
        written: WRITTEN_SHARE * (written[place] as number),
        phrase: PHRASE_SHARE * (phrase[place] as number),
        near: NEAR_SHARE * (near[place] as number),
        page: ofPage(place, ownOf(place)),
        feedback: 0,
      };
    })
    .sort(byScore)
    .slice(0, wanted);
}

/**
 * The best chunk of each section that is among the best so many, and of those that score the same as the last: places
 * among the rows. The chunks of a section are written together, so their ids follow each other.
 */
function bestChunks(rows: Int32Array, totals: Float64Array, sections: Int32Array, wanted: number): number[] {
  const best: number[] = [];
  let section = -1;
  for (let place = 0; place < rows.length; place += 1) {
    const own = sections[rows[place] as number] as number;
    const last = best.length - 1;
    if (own !== section) best.push(place);
    else if ((totals[place] as number) > (totals[best[last] as number] as number)) best[last] = place;
    section = own;
  }
  const least =
    Float64Array.from(best, (place) => totals[place] as number)
      .sort()
      .at(-wanted) ?? 0;
  return best.filter((place) => (totals[place] as number) >= least);
}

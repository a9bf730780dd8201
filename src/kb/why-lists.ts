import type { Knowledge } from '../core/knowledge.ts';
import type { Ref } from '../core/ref.ts';
import type { Tier } from '../core/search.ts';
import { scoreRows } from '../search/bm25.ts';
import { Candidates } from '../search/candidates.ts';
import { scorePages } from '../search/page-scores.ts';
import { scorePairs } from '../search/pairs.ts';
import type { Query } from '../search/query.ts';
import { listOf, listPairs, writtenListOf } from '../search/query-lists.ts';
import { NEAR_DISTANCE } from '../search/rank.ts';
import { FullText } from '../store/full-text.ts';
import type { IndexFile } from '../store/index-file.ts';

/** Where a list has the section; absent rank: it does not hold it. */
export interface WhyList {
  readonly list: 'words' | 'written' | 'phrase' | 'near' | 'page' | Tier;
  /** What the list ranks. */
  readonly of: 'chunks' | 'documents' | 'sections';
  readonly rank?: number;
  readonly score?: number;
  /** How many the list holds, as far as it was looked at. */
  readonly length: number;
}

/** Sections a tier's list is looked through, step by step. */
const STEPS = [100, 2000];

/** The lists that the lexical score is made of, each as a whole: a section stands where its best chunk does. */
export function partLists(index: IndexFile, query: Query, chunks: readonly number[]): WhyList[] {
  if (query.terms.length === 0) return [];
  const text = FullText.of(index);
  const documents = [...new Set(chunks.map((id) => text.chunkMap.documents[id] ?? 0))];
  const lists = query.terms.map((term) => listOf(text, term));
  const writtenLists = query.terms.map((term) => writtenListOf(text, term));
  const all = new Candidates(text.lengths.keys(), text.lengths.length);
  const { phrase, near } = scorePairs(text, listPairs(text, query), NEAR_DISTANCE, all);
  return [
    { list: 'words', of: 'chunks', ...bestRank(positive(scoreRows(text, lists)), chunks) },
    { list: 'written', of: 'chunks', ...bestRank(positive(scoreRows(text, writtenLists)), chunks) },
    ...(query.pairs.length === 0
      ? []
      : [
          { list: 'phrase' as const, of: 'chunks' as const, ...bestRank(positive(phrase), chunks) },
          { list: 'near' as const, of: 'chunks' as const, ...bestRank(positive(near), chunks) },
        ]),
    { list: 'page', of: 'documents', ...bestRank(positive(scorePages(text, lists)), documents) },
  ];
}

function positive(scores: Float64Array): Map<number, number> {
  return new Map([...scores.entries()].filter(([, score]) => score > 0));
}

function bestRank(
  scores: ReadonlyMap<number, number>,
  ids: readonly number[],
): Pick<WhyList, 'rank' | 'score' | 'length'> {
  const own = ids.flatMap((id) => scores.get(id) ?? []);
  if (own.length === 0) return { length: scores.size };
  const score = Math.max(...own);
  const better = [...scores.values()].filter((one) => one > score).length;
  return { rank: 1 + better, score, length: scores.size };
}

/** Where a tier has the section, looked for as far down as is reasonable. */
export async function tierList(
  knowledge: Knowledge,
  tier: Tier,
  wanted: { readonly text: string; readonly ref: Ref; readonly signal: AbortSignal },
): Promise<WhyList> {
  let length = 0;
  for (const topK of STEPS) {
    const { hits } = await knowledge.search({
      text: wanted.text,
      tier,
      topK,
      maxTokens: 0,
      copies: 'apart',
      signal: wanted.signal,
    });
    length = hits.length;
    const at = hits.findIndex((hit) => hit.ref === wanted.ref);
    const score = hits[at]?.score;
    if (score !== undefined) return { list: tier, of: 'sections', rank: at + 1, score, length };
    if (hits.length < topK) break;
  }
  return { list: tier, of: 'sections', length };
}

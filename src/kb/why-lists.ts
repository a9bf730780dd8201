import type { Knowledge } from '../core/knowledge.ts';
import type { Ref } from '../core/ref.ts';
import type { Tier } from '../core/search.ts';
import { anyNear, anyPhrase, anyWord, type Query } from '../search/query.ts';
import type { IndexFile } from '../store/index-file.ts';
import { allMatches, type Match, pageMatches } from '../store/lexical.ts';
import { placesOfChunks } from '../store/sections.ts';

/** Where a list has the section; absent rank: it does not hold it. */
export interface WhyList {
  readonly list: 'words' | 'phrase' | 'near' | 'page' | Tier;
  /** What the list ranks. */
  readonly of: 'chunks' | 'documents' | 'sections';
  readonly rank?: number;
  readonly score?: number;
  /** How many the list holds, as far as it was looked at. */
  readonly length: number;
}

/** As the ranking asks for them. */
const NEAR_DISTANCE = 8;
/** Sections a tier's list is looked through, step by step. */
const STEPS = [100, 2000];

/** The lists that the lexical score is made of, each as a whole: a section stands where its best chunk does. */
export function partLists(index: IndexFile, query: Query, chunks: readonly number[]): WhyList[] {
  if (query.terms.length === 0) return [];
  const documents = [...placesOfChunks(index, chunks).values()].map((place) => place.documentId);
  const words = anyWord(query.terms);
  const phrases = anyPhrase(query.pairs);
  const nears = anyNear(query.pairs, NEAR_DISTANCE);
  return [
    { list: 'words', of: 'chunks', ...bestRank(allMatches(index, words), chunks) },
    ...(phrases === ''
      ? []
      : [
          { list: 'phrase' as const, of: 'chunks' as const, ...bestRank(allMatches(index, phrases), chunks) },
          { list: 'near' as const, of: 'chunks' as const, ...bestRank(allMatches(index, nears), chunks) },
        ]),
    { list: 'page', of: 'documents', ...bestRank(pageMatches(index, words), documents) },
  ];
}

function bestRank(
  matches: readonly Match[],
  ids: readonly number[],
): Pick<WhyList, 'rank' | 'score' | 'length'> {
  const wanted = new Set(ids);
  const scores = matches.filter((match) => wanted.has(match.id)).map((match) => match.score);
  if (scores.length === 0) return { length: matches.length };
  const score = Math.max(...scores);
  return { rank: 1 + matches.filter((match) => match.score > score).length, score, length: matches.length };
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

import type { Explanation, Hit } from '../core/search.ts';
import { hitText, stem, stemsOf, termWeights } from './terms.ts';

/** Share of the question's weight that one of the best sections must hold for the question to count as found. */
export const FOUND_COVERAGE = 0.5;
/** How many sections, from the top, may be that section. */
export const FOUND_DEPTH = 3;

/**
 * Whether the knowledge base says anything about a question, without a model: one of the best sections must hold
 * enough of the question's words, the rarer ones counting more. A word no section holds counts as the rarest.
 * @param terms Words of the question without stop words, see {@link questionTerms}.
 */
export function isFound(terms: readonly string[], hits: readonly Hit[], explanation?: Explanation): boolean {
  return coverage(terms, hits, explanation) >= FOUND_COVERAGE;
}

/** The best share, 0 to 1; 0 without hits or without words. */
export function coverage(terms: readonly string[], hits: readonly Hit[], explanation?: Explanation): number {
  const texts = hits.map((hit) => stemsOf(hitText(hit)));
  const weights = termWeights(terms, texts);
  const replaced = new Set(explanation?.replaced.map(({ word }) => word));
  const unknown = (explanation?.unknown ?? []).filter((word) => !replaced.has(word)).map(stem);
  const rarest = Math.max(0, ...weights.values());
  const all = new Map([...weights, ...unknown.map((word) => [word, rarest] as const)]);
  const total = sum(all.values());
  if (total === 0) return 0;
  const held = texts
    .slice(0, FOUND_DEPTH)
    .map((stems) => sum([...all].map(([term, weight]) => (stems.has(term) ? weight : 0))));
  return Math.max(0, ...held) / total;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

import type { Explanation, Hit } from '../core/search.ts';
import { hitText, stemsOf } from './terms.ts';

/**
 * Share of the question's weight that the best section must hold for the question to count as found. Chosen on
 * eight retrieval collections, each asked its own questions and those of the others: 0.40 of the best section gives
 * the best balance of the two (0.775 of them told right; docs/decisions). No documentation site was looked at.
 */
export const FOUND_COVERAGE = 0.4;

/** Whether the knowledge base says anything about a question, without a model. */
export function isFound(hits: readonly Hit[], explanation: Explanation): boolean {
  return coverage(hits, explanation) >= FOUND_COVERAGE;
}

/**
 * How much of the question's words the best section holds, 0 to 1, the rarer ones counting more; a word that no
 * section holds counts as the rarest. 0 without hits or without words.
 */
export function coverage(hits: readonly Hit[], { weights }: Explanation): number {
  const [best] = hits;
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  if (best === undefined || total === 0) return 0;
  const held = stemsOf(hitText(best));
  return weights.reduce((sum, { stem, weight }) => sum + (held.has(stem) ? weight : 0), 0) / total;
}

import type { Fusion } from '../core/search.ts';

/** Reciprocal Rank Fusion (Cormack et al. 2009): fuses ranks, so scales never need to agree. */
const K = 60;

/** A retriever's list: keys with scores, best first. */
export type ScoredList = readonly { readonly key: number; readonly score: number }[];

/**
 * Keys of all lists by fused score, best first, equals by `placeOf` (or by key); the order of the lists does not matter.
 */
export function fuse(
  lists: readonly ScoredList[],
  fusion: Fusion,
  placeOf: (key: number) => number = (key) => key,
): { key: number; score: number }[] {
  const sharesOf = new Map<number, number[]>();
  for (const list of lists) {
    const shares = fusion === 'rrf' ? list.map((_, index) => 1 / (K + index + 1)) : minMax(list);
    for (const [index, { key }] of list.entries())
      sharesOf.set(key, [...(sharesOf.get(key) ?? []), shares[index] ?? 0]);
  }
  return [...sharesOf]
    .map(([key, shares]) => ({ key, score: sum(shares) }))
    .sort((a, b) => b.score - a.score || placeOf(a.key) - placeOf(b.key));
}

/** Smallest first: sums of the same shares in another order would differ in their last digit. */
function sum(shares: readonly number[]): number {
  return shares.toSorted((a, b) => a - b).reduce((total, share) => total + share, 0);
}

/** Scores stretched to 0 … 1 within their list, half of which each list gives to the mean. */
function minMax(list: ScoredList): number[] {
  const scores = list.map((one) => one.score);
  const low = Math.min(...scores);
  const range = Math.max(...scores) - low;
  return scores.map((score) => 0.5 * (range === 0 ? 1 : (score - low) / range));
}

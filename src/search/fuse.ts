import type { Fusion } from '../core/search.ts';

/**
 * Reciprocal Rank Fusion (Cormack et al. 2009): fuses ranks, so scales never need to agree. Their 60 is for many lists of
 * like worth; with two, a section in the middle of both would come before the first of either
 * (docs/decisions/vector-tier.md).
 */
const K = 5;

/** A retriever's list: keys with scores, best first. */
export type ScoredList = readonly { readonly key: number; readonly score: number }[];

export interface WeighedList {
  readonly list: ScoredList;
  /** How much its word counts beside the others'. */
  readonly weight: number;
}

/**
 * Keys of all lists by fused score, best first, equals by `placeOf` (or by key); the order of the lists does not matter.
 */
export function fuse(
  lists: readonly WeighedList[],
  fusion: Fusion,
  placeOf: (key: number) => number = (key) => key,
): { key: number; score: number }[] {
  const total = sum(lists.map((one) => one.weight));
  const sharesOf = new Map<number, number[]>();
  for (const { list, weight } of lists) {
    const shares = fusion === 'rrf' ? list.map((_, index) => 1 / (K + index + 1)) : stretched(list);
    for (const [index, { key }] of list.entries()) {
      const share = ((shares[index] ?? 0) * weight) / total;
      sharesOf.set(key, [...(sharesOf.get(key) ?? []), share]);
    }
  }
  return [...sharesOf]
    .map(([key, shares]) => ({ key, score: sum(shares) }))
    .sort((a, b) => b.score - a.score || placeOf(a.key) - placeOf(b.key));
}

/** Smallest first: sums of the same shares in another order would differ in their last digit. */
function sum(shares: readonly number[]): number {
  return shares.toSorted((a, b) => a - b).reduce((total, share) => total + share, 0);
}

/** Scores stretched to 0 … 1 within their list. */
function stretched(list: ScoredList): number[] {
  const scores = list.map((one) => one.score);
  const low = Math.min(...scores);
  const range = Math.max(...scores) - low;
  return scores.map((score) => (range === 0 ? 1 : (score - low) / range));
}

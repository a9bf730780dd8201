/**
 * Retrieval metrics as trec_eval 9 defines them. `judged` maps ids to grades (0 and below: not relevant); `ranked`
 * lists ids best first, each once. All values lie between 0 and 1.
 */
export type Judged = ReadonlyMap<string, number>;

/** Gain is the grade itself, discount log2(rank + 1), ideal the best order of the judged. */
export function ndcg(judged: Judged, ranked: readonly string[], k: number): number {
  const gains = ranked.slice(0, k).map((id) => Math.max(judged.get(id) ?? 0, 0));
  const ideal = [...judged.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  const best = discounted(ideal.slice(0, k));
  return best === 0 ? 0 : discounted(gains) / best;
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0);
}

/** Relevant ids in the first k, of all relevant. More relevant ids than k cap it below 1. */
export function recall(judged: Judged, ranked: readonly string[], k: number): number {
  const relevant = relevantIds(judged);
  if (relevant.size === 0) return 0;
  return ranked.slice(0, k).filter((id) => relevant.has(id)).length / relevant.size;
}

export function relevantIds(judged: Judged): ReadonlySet<string> {
  return new Set([...judged].filter(([, grade]) => grade > 0).map(([id]) => id));
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

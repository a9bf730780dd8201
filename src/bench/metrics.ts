/**
 * Retrieval metrics as trec_eval 9 defines them. `judged` maps ids to grades (0 and below: not relevant); `ranked`
 * lists ids best first, each once. All values lie between 0 and 1.
 */
export type Judged = ReadonlyMap<string, number>;

export interface ScoredId {
  readonly id: string;
  readonly score: number;
}

/** Ids by score, descending; equal scores by id, descending, whatever the order they come in. An id counts once, by its best score. */
export function trecOrder(found: readonly ScoredId[]): string[] {
  const scores = new Map<string, number>();
  for (const { id, score } of found)
    scores.set(id, Math.max(score, scores.get(id) ?? Number.NEGATIVE_INFINITY));
  return [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? 1 : -1)).map(([id]) => id);
}

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
  return relevant.size === 0 ? 0 : countRelevant(relevant, ranked, k) / relevant.size;
}

/** Relevant ids in the first k, of k: a shorter list is not forgiven. */
export function precision(judged: Judged, ranked: readonly string[], k: number): number {
  return countRelevant(relevantIds(judged), ranked, k) / k;
}

/** One over the rank of the first relevant id; 0 when none is in the first k. */
export function reciprocalRank(judged: Judged, ranked: readonly string[], k: number): number {
  const relevant = relevantIds(judged);
  const at = ranked.slice(0, k).findIndex((id) => relevant.has(id));
  return at === -1 ? 0 : 1 / (at + 1);
}

/** Mean over all relevant ids of the precision at their rank; those that did not come count 0. */
export function averagePrecision(judged: Judged, ranked: readonly string[]): number {
  const relevant = relevantIds(judged);
  let found = 0;
  let sum = 0;
  for (const [index, id] of ranked.entries()) {
    if (!relevant.has(id)) continue;
    found += 1;
    sum += found / (index + 1);
  }
  return relevant.size === 0 ? 0 : sum / relevant.size;
}

/** 1 when a relevant id is in the first k, else 0. */
export function success(judged: Judged, ranked: readonly string[], k: number): number {
  return countRelevant(relevantIds(judged), ranked, k) > 0 ? 1 : 0;
}

function countRelevant(relevant: ReadonlySet<string>, ranked: readonly string[], k: number): number {
  return ranked.slice(0, k).filter((id) => relevant.has(id)).length;
}

export function relevantIds(judged: Judged): ReadonlySet<string> {
  return new Set([...judged].filter(([, grade]) => grade > 0).map(([id]) => id));
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What is reported of every ranking. */
export const METRICS = [
  'ndcg@10',
  'recall@5',
  'recall@10',
  'recall@50',
  'recall@100',
  'precision@5',
  'mrr@10',
  'map',
  'success@1',
  'success@5',
] as const;
export type Metric = (typeof METRICS)[number];
export type MetricValues = Readonly<Record<Metric, number>>;

export function metricsOf(judged: Judged, ranked: readonly string[]): MetricValues {
  return {
    'ndcg@10': ndcg(judged, ranked, 10),
    'recall@5': recall(judged, ranked, 5),
    'recall@10': recall(judged, ranked, 10),
    'recall@50': recall(judged, ranked, 50),
    'recall@100': recall(judged, ranked, 100),
    'precision@5': precision(judged, ranked, 5),
    'mrr@10': reciprocalRank(judged, ranked, 10),
    map: averagePrecision(judged, ranked),
    'success@1': success(judged, ranked, 1),
    'success@5': success(judged, ranked, 5),
  };
}

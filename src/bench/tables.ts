import type { Interval } from './bootstrap.ts';
import { METRICS, type Metric } from './metrics.ts';
import type { BenchResult, Group, TierResult } from './result.ts';
import { ALL } from './summarise.ts';

/** A table in words: the first column names the row. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export const METRIC_NAMES: Readonly<Record<Metric, string>> = {
  'ndcg@10': 'nDCG@10',
  'recall@5': 'R@5',
  'recall@10': 'R@10',
  'recall@50': 'R@50',
  'recall@100': 'R@100',
  'precision@5': 'P@5',
  'mrr@10': 'MRR@10',
  map: 'MAP',
  'success@1': 'S@1',
  'success@5': 'S@5',
};
/** What differences and kinds are shown of; the others are in the result. */
const MAIN: readonly Metric[] = ['ndcg@10', 'recall@5', 'recall@10', 'mrr@10'];

/** Everything a person compares, the tiers side by side. */
export function tablesOf(result: BenchResult): Table[] {
  return [
    qualityTable(result),
    costTable(result),
    ...differenceTables(result),
    ...kindTables(result),
    ...baselineTables(result),
  ];
}

export function groupOf(tier: TierResult, kind: string): Group | undefined {
  return tier.groups.find((group) => group.kind === kind);
}

function qualityTable({ tiers, dataset }: BenchResult): Table {
  return {
    title: `${dataset.questions} questions of ${dataset.name}`,
    columns: ['tier', ...METRICS.map((metric) => METRIC_NAMES[metric])],
    rows: tiers.map((tier) => [
      tier.tier,
      ...METRICS.map((metric) => formatShare(groupOf(tier, ALL)?.metrics[metric].mean ?? 0)),
    ]),
  };
}

function costTable({ tiers, index }: BenchResult): Table {
  const build = index.build_ms === null ? '-' : formatMs(index.build_ms);
  return {
    title: 'What it costs',
    columns: ['tier', 'p50', 'p95', 'p99', 'embedding calls', 'index', 'build'],
    rows: tiers.map(({ tier, latency, embedding_calls: calls }) => {
      if (latency === undefined) return [tier, '-', '-', '-', '-', '-', '-'];
      const { p50, p95, p99 } = latency;
      return [tier, ...[p50, p95, p99].map(formatMs), String(calls), formatBytes(index.bytes), build];
    }),
  };
}

function differenceTables({ tiers }: BenchResult): Table[] {
  const [first, ...others] = tiers;
  if (first === undefined || others.length === 0) return [];
  return [
    {
      title: `Difference to ${first.tier}, 95 % interval (* where 0 is outside of it)`,
      columns: ['tier', ...MAIN.map((metric) => METRIC_NAMES[metric])],
      rows: others.map((tier) => {
        const differences = groupOf(tier, ALL)?.differences;
        return [
          tier.tier,
          ...MAIN.map((metric) => (differences === undefined ? '-' : formatDifference(differences[metric]))),
        ];
      }),
    },
  ];
}

function kindTables({ tiers }: BenchResult): Table[] {
  const kinds = (tiers[0]?.groups ?? []).filter((group) => group.kind !== ALL);
  if (kinds.length === 0) return [];
  return MAIN.slice(0, 2).map((metric) => ({
    title: `${METRIC_NAMES[metric]} by kind of question`,
    columns: ['kind', 'questions', ...tiers.map((tier) => tier.tier)],
    rows: kinds.map(({ kind, questions }) => [
      kind,
      String(questions),
      ...tiers.map((tier, at) => {
        const group = groupOf(tier, kind);
        const value = formatShare(group?.metrics[metric].mean ?? 0);
        const difference = group?.differences?.[metric];
        return at === 0 || difference === undefined ? value : `${value} (${formatDifference(difference)})`;
      }),
    ]),
  }));
}

function baselineTables({ baseline }: BenchResult): Table[] {
  if (baseline === undefined) return [];
  return [
    {
      title: 'Difference to the baseline, 95 % interval',
      columns: ['tier', ...METRICS.map((metric) => METRIC_NAMES[metric])],
      rows: baseline.map(({ tier, metrics }) => [
        tier,
        ...METRICS.map((metric) => formatDifference(metrics[metric])),
      ]),
    },
    {
      title: 'Worse than the baseline',
      columns: ['tier', 'metrics'],
      rows: baseline.map(({ tier, worse }) => [
        tier,
        worse.length === 0 ? 'none' : worse.map((metric) => METRIC_NAMES[metric]).join(', '),
      ]),
    },
  ];
}

export function formatShare(value: number): string {
  return value.toFixed(3);
}

/** `+0.012 [-0.003, 0.027]`, with a star where the difference is no noise. */
export function formatDifference({ mean, low, high }: Interval): string {
  const star = low > 0 || high < 0 ? '*' : '';
  return `${signed(mean)} [${signed(low)}, ${signed(high)}]${star}`;
}

function signed(value: number): string {
  const text = Math.abs(value).toFixed(3);
  if (Number(text) === 0) return '0.000';
  return `${value > 0 ? '+' : '-'}${text}`;
}

export function formatMs(value: number): string {
  return value >= 10_000
    ? `${(value / 1000).toFixed(1)} s`
    : `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`;
}

export function formatBytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

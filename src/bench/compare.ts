import { KbError } from '../core/errors.ts';
import { pairedDifference } from './bootstrap.ts';
import { METRICS, type Metric } from './metrics.ts';
import type { BenchResult, Comparison, TierResult } from './result.ts';
import { perMetric } from './summarise.ts';

/**
 * What became better or worse than a stored result, tier by tier, for the tiers that both have. Throws `usage-invalid`
 * where the two cannot be compared: other questions, another level or depth, no tier in common.
 */
export function compareWith(result: BenchResult, baseline: BenchResult, file: string): Comparison[] {
  const reason = whyNot(result, baseline);
  if (reason !== undefined) {
    throw new KbError(
      'usage-invalid',
      `${file} cannot be compared with: ${reason}`,
      { argument: '--baseline' },
      { hint: 'write a new baseline with --save FILE' },
    );
  }
  return result.tiers.flatMap((tier) => {
    const before = baseline.tiers.find((one) => one.tier === tier.tier);
    return before === undefined ? [] : [compareTier(tier, before)];
  });
}

function whyNot(result: BenchResult, baseline: BenchResult): string | undefined {
  if (result.dataset.hash !== baseline.dataset.hash) return 'its questions are others';
  if (result.settings.level !== baseline.settings.level) return `it ranks ${baseline.settings.level}s`;
  if (result.settings.depth !== baseline.settings.depth) return `its depth is ${baseline.settings.depth}`;
  const tiers = new Set(baseline.tiers.map((tier) => tier.tier));
  const missing = result.tiers.filter(({ tier }) => !tiers.has(tier)).map(({ tier }) => tier);
  return missing.length > 0 ? `it does not have the tier ${missing.join(', ')}` : undefined;
}

function compareTier(tier: TierResult, before: TierResult): Comparison {
  const old = new Map(before.answers.map((answer) => [answer.question, answer]));
  const metrics = perMetric((metric) =>
    pairedDifference(
      tier.answers.map((answer) => answer.metrics[metric]),
      tier.answers.map((answer) => old.get(answer.question)?.metrics[metric] ?? 0),
      `baseline:${metric}`,
    ),
  );
  return { tier: tier.tier, metrics, worse: METRICS.filter((metric) => isWorse(metrics, metric)) };
}

/** Worse by more than its interval: 0 lies above all of it. */
function isWorse(metrics: Comparison['metrics'], metric: Metric): boolean {
  return metrics[metric].high < 0;
}

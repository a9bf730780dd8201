import { mean } from './metrics.ts';
import { randomFrom } from './random.ts';

/** A mean and where it lies with 95 % confidence, both ends included. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export const RESAMPLES = 2000;
const TAIL = 0.025;

/**
 * Percentile bootstrap of a mean: for paired values give their differences. The same for the same values and seed.
 * Of fewer than two values nothing is known but the mean.
 */
export function bootstrap(values: readonly number[], seed: string): Interval {
  const middle = mean(values);
  if (values.length < 2 || values.every((value) => value === values[0]))
    return { mean: middle, low: middle, high: middle };
  const random = randomFrom(seed);
  const means = new Float64Array(RESAMPLES);
  for (let sample = 0; sample < RESAMPLES; sample += 1) {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn += 1)
      sum += values[Math.floor(random() * values.length)] ?? 0;
    means[sample] = sum / values.length;
  }
  means.sort();
  const at = (share: number) => means[Math.round(share * (RESAMPLES - 1))] ?? middle;
  return { mean: middle, low: at(TAIL), high: at(1 - TAIL) };
}

/** Difference of paired values (`values` minus `base`), with its interval. */
export function pairedDifference(values: readonly number[], base: readonly number[], seed: string): Interval {
  return bootstrap(
    values.map((value, at) => value - (base[at] ?? 0)),
    seed,
  );
}

/** Value below which a share of the values lies, the nearest rank; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
}

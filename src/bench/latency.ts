import type { Fusion, Tier } from '../core/search.ts';
import type { Kb } from '../kb.ts';
import { percentile } from './bootstrap.ts';
import type { BenchQuestion } from './dataset.ts';
import { requireTier } from './rankings.ts';

export interface Latency {
  /** Milliseconds of whole searches as a person has them, embedding of the query included. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** One a search, ascending, for plots. */
  readonly samples: readonly number[];
}

export interface LatencyOptions {
  readonly tier: Tier;
  readonly fusion: Fusion;
  readonly signal: AbortSignal;
  /** A knowledge base that has embedded nothing yet: no vector may come from its memory. */
  readonly open: () => Promise<Kb>;
}

const SAMPLES_MIN = 200;
const ROUNDS_MAX = 5;
const WARM_UP = 'kb bench warm-up';

/** Times each question with the settings in force, after every one was searched by words once. */
export async function measureLatency(
  questions: readonly BenchQuestion[],
  options: LatencyOptions,
): Promise<Latency> {
  const { tier, fusion, signal } = options;
  const samples: number[] = [];
  const rounds = Math.min(ROUNDS_MAX, Math.ceil(SAMPLES_MIN / Math.max(1, questions.length)));
  for (let round = 0; round < rounds; round += 1) {
    const kb = await options.open();
    try {
      await kb.search({ text: WARM_UP, tier, fusion, signal });
      for (const { text } of questions) await kb.search({ text, tier: 'lexical', signal });
      for (const { text } of questions) {
        const started = performance.now();
        const result = await kb.search({ text, tier, fusion, signal });
        samples.push(round3(performance.now() - started));
        requireTier(result, tier);
      }
    } finally {
      kb.close();
    }
  }
  samples.sort((a, b) => a - b);
  return {
    p50: percentile(samples, 0.5),
    p95: percentile(samples, 0.95),
    p99: percentile(samples, 0.99),
    samples,
  };
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000;
}

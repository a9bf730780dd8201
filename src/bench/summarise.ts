import { bootstrap, type Interval, pairedDifference } from './bootstrap.ts';
import type { BenchQuestion } from './dataset.ts';
import { type Judged, METRICS, type Metric, mean, metricsOf, relevantIds } from './metrics.ts';
import type { Found } from './rankings.ts';
import type { Answered, Group, TierResult } from './result.ts';

/** Found ids kept of each question: what a person looks at. */
const SHOWN = 10;
export const ALL = 'all';

/** Per question id, best first, in the order that is scored. */
export type Rankings = ReadonlyMap<string, readonly Found[]>;

/** Scores a tier's rankings; a question without ranking scores 0. `first` gives what its differences are taken to. */
export function summariseTier(
  tier: string,
  questions: readonly BenchQuestion[],
  rankings: Rankings,
  first: TierResult | undefined,
): Omit<TierResult, 'latency' | 'embedding_calls'> {
  const answers = questions.map((question) => answerOf(question, rankings.get(question.id) ?? []));
  return {
    tier,
    groups: groupsOf(questions, answers, first),
    recall_by_rank: recallByRank(questions, rankings),
    answers,
  };
}

function answerOf(question: BenchQuestion, found: readonly Found[]): Answered {
  const ranked = found.map((one) => one.id);
  return {
    question: question.id,
    metrics: metricsOf(question.judged, ranked),
    found: found.slice(0, SHOWN).map(({ id, score, ref, label }) => ({
      id,
      score,
      grade: Math.max(0, question.judged.get(id) ?? 0),
      ...(ref === undefined ? {} : { ref }),
      ...(label === undefined ? {} : { label }),
    })),
  };
}

/** All questions, then each kind in the order they first come, unless there is but one. */
function groupsOf(
  questions: readonly BenchQuestion[],
  answers: readonly Answered[],
  first: TierResult | undefined,
): Group[] {
  const kinds = [...new Set(questions.map((question) => question.kind))];
  return [ALL, ...(kinds.length > 1 ? kinds : [])].map((kind) => {
    const chosen = questions.flatMap((question, at) => (kind === ALL || question.kind === kind ? [at] : []));
    const values = (all: readonly Answered[], metric: Metric) =>
      chosen.map((at) => all[at]?.metrics[metric] ?? 0);
    return {
      kind,
      questions: chosen.length,
      metrics: perMetric((metric) => bootstrap(values(answers, metric), `${kind}:${metric}`)),
      ...(first === undefined
        ? {}
        : {
            differences: perMetric((metric) =>
              pairedDifference(values(answers, metric), values(first.answers, metric), `${kind}:${metric}`),
            ),
          }),
    };
  });
}

export function perMetric(make: (metric: Metric) => Interval): Record<Metric, Interval> {
  return Object.fromEntries(METRICS.map((metric) => [metric, make(metric)])) as Record<Metric, Interval>;
}

function recallByRank(questions: readonly BenchQuestion[], rankings: Rankings): number[] {
  const curves = questions.map(({ id, judged }) => recallCurve(judged, rankings.get(id) ?? []));
  const depth = Math.max(0, ...[...rankings.values()].map((found) => found.length));
  return Array.from({ length: depth }, (_, rank) =>
    mean(curves.map((curve) => curve[Math.min(rank, curve.length - 1)] ?? 0)),
  );
}

function recallCurve(judged: Judged, found: readonly Found[]): number[] {
  const relevant = relevantIds(judged);
  let hits = 0;
  return found.map(({ id }) => {
    if (relevant.has(id)) hits += 1;
    return hits / relevant.size;
  });
}

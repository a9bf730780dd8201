import * as z from 'zod';
import { KbError } from '../core/errors.ts';
import { readText } from './files.ts';
import { METRICS, type Metric } from './metrics.ts';

/** Raised when an older file can no longer be compared with. */
const FORMAT = 1;

const share = z.number().min(0).max(1);
const interval = z
  .strictObject({ mean: z.number(), low: z.number(), high: z.number() })
  .describe('a mean and where it lies with 95 % confidence');

function ofMetrics<Value extends z.ZodType>(value: Value): z.ZodObject<Record<Metric, Value>> {
  const shape = Object.fromEntries(METRICS.map((metric) => [metric, value])) as Record<Metric, Value>;
  return z.strictObject(shape);
}

const found = z.strictObject({
  id: z.string(),
  score: z.number(),
  grade: z.number().describe('0 where it is not relevant'),
  ref: z.string().optional(),
  label: z.string().optional(),
});

const group = z.strictObject({
  kind: z.string().describe('`all`, or a kind of question'),
  questions: z.int(),
  metrics: ofMetrics(interval),
  differences: ofMetrics(interval).optional().describe('to the first tier, question by question'),
});

const tierResult = z.strictObject({
  tier: z.string().describe('lexical, vector, hybrid, or the tag of a run that was read'),
  groups: z.array(group),
  recall_by_rank: z.array(share).describe('mean recall at each rank from 1'),
  latency: z
    .strictObject({ p50: z.number(), p95: z.number(), p99: z.number(), samples: z.array(z.number()) })
    .optional()
    .describe('milliseconds a search, after warm-up'),
  embedding_calls: z.int().describe('requests for a vector that ranking all questions once took'),
  answers: z.array(
    z.strictObject({ question: z.string(), metrics: ofMetrics(share), found: z.array(found) }),
  ),
});

const comparison = z.strictObject({
  tier: z.string(),
  metrics: ofMetrics(interval).describe('this result minus the baseline, question by question'),
  worse: z.array(z.enum(METRICS)).describe('metrics whose whole interval is below 0'),
});

export const RESULT = z.strictObject({
  format: z.literal(FORMAT),
  kb_version: z.string(),
  created: z.string(),
  machine: z.strictObject({
    platform: z.string(),
    cpu: z.string(),
    cores: z.int(),
    memory_gb: z.number(),
    node: z.string(),
  }),
  settings: z.strictObject({
    level: z.enum(['section', 'document']),
    depth: z.int().describe('ids ranked for each question'),
    top_k: z.int().describe('sections of a timed search'),
    fusion: z.enum(['rrf', 'minmax']),
    resamples: z.int(),
  }),
  dataset: z.strictObject({
    name: z.string(),
    hash: z.string(),
    questions: z.int(),
    unjudged: z.int().describe('questions with nothing relevant: not scored'),
    missing: z.array(z.string()).describe('judged, but not in the index'),
  }),
  index: z.strictObject({
    name: z.string(),
    identity: z.string(),
    documents: z.int(),
    sections: z.int(),
    chunks: z.int(),
    bytes: z.int(),
    vectors: z.int(),
    build_ms: z.number().nullable().describe('null where the index was there before'),
  }),
  questions: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.string(),
      question: z.string(),
      relevant: z.array(z.strictObject({ id: z.string(), grade: z.number() })),
    }),
  ),
  tiers: z.array(tierResult),
  baseline: z.array(comparison).optional(),
});

export type BenchResult = z.infer<typeof RESULT>;
export type TierResult = z.infer<typeof tierResult>;
export type Group = z.infer<typeof group>;
export type Answered = TierResult['answers'][number];
export type Comparison = z.infer<typeof comparison>;

const SAVED = 'write one with --save FILE';

/** Reads a result that was saved. Throws `usage-invalid` where the file is something else. */
export function readResult(file: string): BenchResult {
  const text = readText(file, SAVED);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw noResult(file, error instanceof Error ? error.message : 'not JSON');
  }
  const checked = RESULT.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw noResult(file, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a result'}`);
}

function noResult(file: string, reason: string): KbError {
  return new KbError(
    'usage-invalid',
    `${file} is no result of this kb bench (${reason})`,
    { argument: file },
    { hint: SAVED },
  );
}

import * as z from 'zod';
import { bench, why } from './bench-schemas.ts';

/** What each command prints with --json. The tests hold the real output against these. */

const lines = z
  .strictObject({ first: z.int().min(1), last: z.int().min(1) })
  .describe('1-based, both ends included');
const ref = z
  .string()
  .regex(/^[a-z2-7]{6,52}$/u)
  .describe('names the section; kb read takes it');
const place = {
  ref,
  path: z.string().describe('relative to the knowledge-base file'),
  title: z.string().describe('title of the document'),
  headings: z
    .array(z.string())
    .describe('from the top down, own heading last; empty for text before the first'),
  anchor: z.string().nullable(),
  url: z.string().nullable(),
  lines,
};
const knowledge_base = z.string().nullable().describe('the one named, or else the one ingested last');
const tier = z.string().describe('which retrievers answered');
const hash = z.string().describe('start of the SHA-256 of the section, line ends as LF');
const evidence = z.strictObject({
  retriever: z.enum(['lexical', 'vector']),
  rank: z.int(),
  score: z.number(),
});

const explanation = z.strictObject({
  kept: z.array(z.string()),
  dropped: z.array(z.string()),
  replaced: z.array(z.strictObject({ word: z.string(), by: z.string() })),
  unknown: z.array(z.string()),
  weights: z.array(z.strictObject({ stem: z.string(), weight: z.number() })),
  parts: z.array(
    z.strictObject({
      ref,
      words: z.number(),
      written: z.number(),
      phrase: z.number(),
      near: z.number(),
      page: z.number(),
      feedback: z.number(),
    }),
  ),
});

const search = z.strictObject({
  knowledge_base,
  query: z.string(),
  tier,
  status: z.enum(['ok', 'index_not_built', 'index_empty']),
  note: z.string().optional(),
  results: z.array(
    z.strictObject({
      ...place,
      score: z.number(),
      evidence: z.array(evidence),
      freshness: z.enum(['fresh', 'changed', 'missing']).describe('the file since it was indexed'),
      hash,
      snippet: z.string(),
      content: z.string().describe('the section, or its part around the match'),
      cut: z.boolean().describe('content was cut to the token limit'),
      also_at: z
        .strictObject({
          count: z.int().min(1).describe('other places'),
          places: z
            .array(
              z.strictObject({
                ref,
                path: z.string(),
                anchor: z.string().nullable(),
                url: z.string().nullable(),
              }),
            )
            .describe('some of them'),
        })
        .optional()
        .describe('the same text stands elsewhere too'),
    }),
  ),
  explanation: explanation.optional(),
});

const read = z.strictObject({
  knowledge_base,
  sections: z.array(
    z.strictObject({
      ...place,
      anchors: z.array(z.string()),
      hash,
      previous: ref.nullable(),
      next: ref.nullable(),
      markdown: z.string().describe('the source of the section, byte for byte'),
    }),
  ),
});

const list = z.union([
  z.strictObject({
    knowledge_base,
    documents: z.array(
      z.strictObject({
        path: z.string(),
        title: z.string(),
        status: z.enum(['indexed', 'empty', 'failed']),
        note: z.string().optional(),
      }),
    ),
  }),
  z.strictObject({
    knowledge_base,
    sections: z.array(
      z.strictObject({
        ref,
        path: z.string(),
        title: z.string(),
        headings: z.array(z.string()),
        anchor: z.string().nullable(),
        url: z.string().nullable(),
      }),
    ),
  }),
]);

const ask = z.strictObject({
  knowledge_base,
  question: z.string(),
  outcome: z.enum(['answered', 'not-found', 'out-of-budget', 'refused', 'aborted']),
  mode: z.enum(['tools', 'direct', 'extract']),
  model: z.string().nullable(),
  answer: z.string().describe('Markdown; [n] points to citations'),
  citations: z.array(z.strictObject({ marker: z.int(), ...place, hash })),
  removed: z.array(
    z.strictObject({ text: z.string(), reason: z.enum(['not-shown', 'unknown', 'malformed']) }),
  ),
  unsupported: z.array(
    z.strictObject({
      kind: z.enum(['quote', 'number', 'identifier', 'code']),
      text: z.string(),
      sentence: z.string(),
      refs: z.array(ref),
    }),
  ),
  sentences: z.strictObject({ total: z.int(), uncited: z.int() }),
  usage: z.strictObject({ tokens: z.int(), turns: z.int(), tool_calls: z.int(), seconds: z.number() }),
  tier,
  warnings: z.array(z.string()),
  ms: z.number().describe('wall time, milliseconds'),
});

const fileStatus = z.enum(['indexed', 'unchanged', 'empty', 'skipped', 'failed', 'removed']);
const failure = z.strictObject({
  code: z.string(),
  message: z.string(),
  details: z.record(z.string(), z.unknown()),
  hint: z.string().nullable(),
});
const ingest = z.strictObject({
  knowledge_base: z.string(),
  index: z.string(),
  totals: z
    .strictObject({
      seen: z.int(),
      indexed: z.int(),
      unchanged: z.int(),
      empty: z.int(),
      skipped: z.int(),
      failed: z.int(),
      removed: z.int(),
    })
    .describe('seen is the sum of all but removed'),
  holds: z.strictObject({ documents: z.int(), sections: z.int(), chunks: z.int() }),
  anchor_rule: z.string(),
  dry_run: z.strictObject({ pending_vectors: z.int() }).optional().describe('nothing was changed'),
  vectors: z
    .strictObject({ identity: z.string(), embedded: z.int(), kept: z.int(), notices: z.array(z.string()) })
    .optional(),
  missing_paths: z.array(z.string()),
  error: failure.optional().describe('the text is indexed, its vectors failed'),
  ms: z.number(),
  files: z.array(
    z.strictObject({
      path: z.string(),
      status: fileStatus,
      reason: z.string().optional(),
      warnings: z.array(z.string()).optional(),
    }),
  ),
});

const stats = z.strictObject({
  knowledge_base: z.string(),
  index: z.string(),
  bytes: z.int(),
  documents: z.int(),
  empty: z.int(),
  failed: z.int(),
  sections: z.int(),
  chunks: z.int(),
  embeddings: z.strictObject({ inputs: z.int(), vectors: z.int() }).optional(),
  freshness: z.strictObject({ fresh: z.int(), changed: z.int(), missing: z.int() }),
  anchor_rule: z.string(),
  ingested_at: z.string(),
  tier,
});

const doctor = z.strictObject({
  knowledge_base,
  ok: z.boolean(),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      status: z.enum(['ok', 'warn', 'fail']),
      text: z.string(),
      hint: z.string().optional(),
    }),
  ),
});

const info = z.strictObject({
  knowledge_base: z.string(),
  settings: z.array(z.strictObject({ key: z.string(), value: z.string(), from: z.string() })),
  mode: z.string(),
  prompt: z.string(),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      description: z.string(),
      inputSchema: z.record(z.string(), z.unknown()),
    }),
  ),
  budget: z.strictObject({ turns: z.int(), toolCalls: z.int(), tokens: z.int(), seconds: z.number() }),
});

const rm = z.strictObject({ knowledge_base, removed: z.array(z.string()) });
const reset = z.strictObject({
  knowledge_base: z.string(),
  deleted: z.string(),
  rebuild: z.string().describe('the command that builds it anew'),
});

/** Printed instead, by every command, when it fails. */
const error = z.strictObject({
  error: failure,
});

export const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ask,
  bench,
  doctor,
  error,
  info,
  ingest,
  list,
  read,
  reset,
  rm,
  search,
  stats,
  why,
};

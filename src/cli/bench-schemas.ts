import * as z from 'zod';
import { RESULT } from '../bench/result.ts';

const place = z.strictObject({ path: z.string(), line: z.int().min(1) });
const relevant = z.strictObject({ ...place.shape, heading: z.string(), grade: z.number() });

/** `kb bench`: the result, or with --make-questions what was made. */
export const bench = z.union([
  RESULT,
  z.strictObject({
    made: z.array(
      z.strictObject({
        id: z.string(),
        kind: z.string(),
        question: z.string(),
        relevant: z.array(relevant),
        source: z.array(place).optional().describe('left out of the results before they are scored'),
        made_by: z.string().describe('links, or the model that wrote it'),
      }),
    ),
  }),
]);

const part = z.number();

export const why = z.strictObject({
  knowledge_base: z.string().nullable(),
  query: z.string(),
  tier: z.string(),
  verdict: z.enum(['comes', 'copy', 'top-k', 'candidates', 'no-match', 'no-text', 'not-indexed']),
  reason: z.string(),
  nearest: z.array(z.string()),
  section: z
    .strictObject({
      ref: z.string(),
      path: z.string(),
      title: z.string(),
      headings: z.array(z.string()),
      anchor: z.string().nullable(),
      lines: z.strictObject({ first: z.int().min(1), last: z.int().min(1) }),
      chunks: z.int(),
    })
    .nullable(),
  words: z.array(
    z.strictObject({
      word: z.string(),
      stem: z.string(),
      fate: z.enum(['matched', 'absent', 'stop-word', 'left-out', 'unknown']),
      typed: z.string().optional().describe('where another word is searched in its place'),
      count: z.int().describe('how often the section holds it'),
      chunks: z.int().describe('how many chunks of the index hold it'),
      weight: z.number().optional(),
    }),
  ),
  terms: z.array(
    z.strictObject({
      stem: z.string(),
      count: z.int(),
      in: z.array(z.enum(['title', 'headings', 'text'])),
    }),
  ),
  lists: z.array(
    z.strictObject({
      list: z.enum(['words', 'written', 'phrase', 'near', 'page', 'lexical', 'vector', 'hybrid']),
      of: z.enum(['chunks', 'documents', 'sections']),
      rank: z.int().optional(),
      score: z.number().optional(),
      length: z.int(),
    }),
  ),
  parts: z
    .strictObject({ words: part, written: part, phrase: part, near: part, page: part, feedback: part })
    .optional(),
});

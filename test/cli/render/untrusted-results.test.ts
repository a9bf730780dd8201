import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderHits } from '../../../src/cli/render/hits.ts';
import { renderAnswer } from '../../../src/cli/render/sources.ts';
import type { Answer } from '../../../src/core/answer.ts';
import type { DocPath, Ref } from '../../../src/core/ref.ts';
import { answer, citation, hit } from './samples.ts';
import { acts, linksAreClosed, PIPE, PLAIN, RICH, seen, WRONG_PIPE } from './support.ts';

describe('whatever the corpus and the model say', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      '\u001b[2J',
      '\u001b[35m',
      '\u001b]8;;https://x\u0007y',
      '[x](javascript:y)',
      '`',
      '\n# a',
      '日本\u202e',
      '\r\n',
      'a b',
    ),
  );
  const url = fc.oneof(fc.webUrl(), text);
  const lines = fc.record({ first: fc.nat(), last: fc.nat() });
  const place = {
    path: text as fc.Arbitrary<DocPath>,
    ref: text as fc.Arbitrary<Ref>,
    title: text,
    headings: fc.array(text),
    lines,
    url,
  };
  const anyHit = fc.record({
    ...place,
    snippet: text,
    freshness: fc.constantFrom('fresh', 'changed', 'missing'),
  });
  const terminals = fc.constantFrom(RICH, PLAIN, PIPE, WRONG_PIPE, { ...RICH, columns: 1 });
  const isSafe = (painted: string, isTty: boolean) => {
    expect(acts(painted)).toBe(false);
    expect(linksAreClosed(painted)).toBe(true);
    if (!isTty) expect(painted).toBe(seen(painted));
  };

  test('hits do not act on the terminal', () => {
    fc.assert(
      fc.property(fc.array(anyHit), text, text, terminals, (hits, note, word, terminal) => {
        const explanation = {
          kept: [word],
          dropped: [note],
          replaced: [{ word, by: note }],
          unknown: [word],
          weights: [],
          parts: hits.map(({ ref }) => ({
            ref,
            words: 1,
            written: 0,
            phrase: 0,
            near: 0,
            page: 0,
            feedback: 0,
          })),
        };
        const whole = {
          status: 'ok' as const,
          tier: word,
          note,
          hits: hits.map((some) => ({ ...hit, ...some })),
          explanation,
        };
        isSafe(renderHits(whole, terminal), terminal.isTty);
      }),
    );
  });

  test('answers do not act on the terminal', () => {
    fc.assert(
      fc.property(fc.array(fc.record(place)), text, text, terminals, (places, markdown, word, terminal) => {
        const whole: Answer = {
          ...answer,
          markdown,
          citations: places.map((some, index) => ({ ...citation, ...some, marker: index + 1 })),
          removed: [{ text: word, reason: 'unknown' }],
          unsupported: [{ kind: 'quote', text: word, sentence: markdown, refs: [word as Ref] }],
          warnings: [word],
          tier: word,
          model: word,
        };
        isSafe(renderAnswer(whole, terminal), terminal.isTty);
      }),
    );
  });
});

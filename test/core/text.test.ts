import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens, stripControls } from '../../src/core/text.ts';

test('text of others holds no character that acts on a terminal or hides text', () => {
  const nasty = fc.constantFrom(
    '\u001b',
    '\u009b',
    '\u0007',
    '\r',
    '\0',
    '\u202e',
    '\u2066',
    '\u007f',
    '[2J',
    'a',
  );
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: nasty }));
  fc.assert(
    fc.property(text, (value) => {
      const safe = stripControls(value);
      expect(safe).not.toMatch(/(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(stripControls(safe)).toBe(safe);
    }),
    { numRuns: 1000 },
  );
});

test('what a person reads stays as it was', () => {
  const text = 'a\tb\nc é 知 😀 \u200d \u00a0 “q”';
  expect(stripControls(text)).toBe(text);
});

test('line ends of every kind are one line end', () => {
  expect(stripControls('a\r\nb\rc\n\r\nd')).toBe('a\nb\nc\n\nd');
});

test('a longer text never counts fewer tokens, and parts never fewer than the whole', () => {
  const text = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(estimateTokens(a + b)).toBeGreaterThanOrEqual(estimateTokens(a));
      expect(estimateTokens(a) + estimateTokens(b)).toBeGreaterThanOrEqual(estimateTokens(a + b));
    }),
  );
});

test('wide scripts count about a token a character, prose about a token in four', () => {
  expect(estimateTokens('知识库检索')).toBe(5);
  expect(estimateTokens('a'.repeat(35))).toBe(10);
  expect(estimateTokens('')).toBe(0);
});

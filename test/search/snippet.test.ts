import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold, words } from '../../src/core/words.ts';
import { makeSnippet } from '../../src/search/snippet.ts';

const FILLER = 'something else entirely, '.repeat(40);

describe('a snippet', () => {
  test.each([
    ['running', 'the agent is Running twice'],
    ['happy', 'a happier and happy end'],
    ['c#', 'written in C# today'],
    ['über', 'das Über-Werk'],
    ['𐐨𐐩', 'letters 𐐀𐐁 beyond the first plane'],
    ['検索', '知识库の検索です'],
  ])('shows the place of %s in a long text', (query, place) => {
    expect(makeSnippet(`${FILLER}${place} ${FILLER}`, words(fold(query)))).toContain(place);
  });

  test('is one line of whole code points, with marks where text is left out', () => {
    const text = fc.array(
      fc.constantFrom('word', '\n\n', '   ', '😀', '😀'.repeat(30), 'agent', 'Über', '\u001b[2J'),
      {
        maxLength: 400,
      },
    );
    fc.assert(
      fc.property(text, (parts) => {
        const snippet = makeSnippet(parts.join(' '), ['agent']);
        expect(Buffer.from(snippet).toString()).toBe(snippet);
        for (const left of ['\n', '\u001b', '  ']) expect(snippet).not.toContain(left);
        expect(snippet.length).toBeLessThanOrEqual(220 + 4);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../src/markdown/parse-document.ts';

function joined(text: string): string {
  const document = parseDocument(text, { path: 'page.md' });
  const sections = document.sections.map((section) => text.slice(section.start, section.end));
  return text.slice(0, document.bodyStart) + sections.join('');
}

describe('parseDocument', () => {
  test('sections joined are the file, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(joined(text)).toBe(text);
      }),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../src/markdown/parse-document.ts';
import { HOSTILE_PAGES } from './hostile-pages.ts';
import { joinSections } from './shared-data.ts';

describe('a page that no person writes', () => {
  test.each(Object.keys(HOSTILE_PAGES))('is read, and nothing of it lost: %s', (name) => {
    const text = HOSTILE_PAGES[name]?.(20_000) ?? '';
    const document = parseDocument(text, { path: 'page.md' });
    expect(joinSections(text, document) === text).toBe(true);
  });

  test.each([
    ['characters', 'word '.repeat(900_000), 'it is longer than 4000000 characters'],
    ['lines', 'a\n'.repeat(90_000), 'it has more than 80000 lines'],
    [
      'characters in long lines',
      `${'word '.repeat(25_000)}\n`.repeat(10),
      'it has 1250010 characters in lines of over 100000',
    ],
  ])('with too many %s for the budget is one section of plain text, and says so', (_, words, reason) => {
    const text = `# Heading\n\n${words}`;
    const { sections, warnings } = parseDocument(text, { path: 'page.md' });
    expect(warnings).toEqual([{ line: 1, text: `read as plain text: ${reason}` }]);
    expect(sections.map(({ headings, start, end }) => [headings, start, end])).toEqual([
      [[], 0, text.length],
    ]);
  });

  test('with a payload of any length is no more than its words', () => {
    const image = `![Fig](data:image/png;base64,${'A'.repeat(6_000_000)})`;
    const { sections, warnings } = parseDocument(`# A\n\nbefore\n\n${image}\n\nafter\n`, { path: 'page.md' });
    expect(warnings).toEqual([]);
    expect(sections.map(({ headings }) => headings)).toEqual([['A']]);
    expect(sections[0]?.chunks.map(({ text }) => text)).toEqual(['before\n\nFig\n\nafter']);
  });

  test('that costs too much is one section of plain text, and says so', () => {
    const document = parseDocument('# Heading\n'.repeat(60_000), { path: 'page.md' });
    expect(document.warnings).toEqual([{ line: 1, text: 'read as plain text: it has 60000 headings' }]);
    expect(document.sections).toHaveLength(1);
    expect(document.sections[0]?.chunks.at(-1)?.text).toContain('# Heading');
  });
});

import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../src/markdown/parse-document.ts';
import { HOSTILE_PAGES } from './hostile-pages.ts';
import { joinSections } from './shared-data.ts';

/** Two seconds are the budget of a file on an idle machine; processor time is told, whatever else runs. */
const BUDGET_SECONDS = 2;
const SIZE = 200_000;

describe('a page that no person writes', () => {
  test.each(Object.keys(HOSTILE_PAGES))('is read within its budget: %s', (name) => {
    const text = HOSTILE_PAGES[name]?.(SIZE) ?? '';
    const started = process.cpuUsage();
    const document = parseDocument(text, { path: 'page.md' });
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(BUDGET_SECONDS);
    expect(joinSections(text, document) === text).toBe(true);
  });

  test('that costs too much is one section of plain text, and says so', () => {
    const document = parseDocument('# Heading\n'.repeat(60_000), { path: 'page.md' });
    expect(document.warnings).toEqual([{ line: 1, text: 'read as plain text: it has 60000 headings' }]);
    expect(document.sections).toHaveLength(1);
    expect(document.sections[0]?.chunks.at(-1)?.text).toContain('# Heading');
  });
});

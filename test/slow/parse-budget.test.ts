import { expect, test } from 'vitest';
import { parseDocument } from '../../src/markdown/parse-document.ts';
import { HOSTILE_PAGES } from '../markdown/hostile-pages.ts';
import { joinSections } from '../markdown/shared-data.ts';

/** Two seconds are the budget of a file on an idle machine; processor time is told, whatever else runs. */
const BUDGET_SECONDS = 2;

// `npm run parse-budget` measures a million characters and more, memory and growth too.
test.each(Object.keys(HOSTILE_PAGES))(
  'a page of half a million characters is read within its budget: %s',
  (name) => {
    const text = HOSTILE_PAGES[name]?.(500_000) ?? '';
    const started = process.cpuUsage();
    const document = parseDocument(text, { path: 'page.md' });
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(BUDGET_SECONDS);
    expect(joinSections(text, document) === text).toBe(true);
  },
);

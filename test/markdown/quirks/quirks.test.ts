import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCases, seen, writeCases } from './seen.ts';

/*
 * Each `*.txt` beside this file is an area of the ways in which real sites write Markdown. Its cases are numbered and
 * named; below the page (and the files it includes) stands what a person finds of it. After a change of what is right,
 * `npx vitest run --project fast test/markdown/quirks -u` writes the files anew: review the difference like code.
 */
const areas = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.txt'));

describe.each(areas)('pages of %s are found as their readers see them', (area) => {
  const file = join(import.meta.dirname, area);
  const cases = readCases(readFileSync(file, 'utf8'));

  test.each(cases.map((one) => [one.title, one] as const))('%s', (_, one) => {
    expect(seen(one.page, one)).toBe(one.seen);
  });

  test('the file says so', async () => {
    await expect(writeCases(cases.map((one) => ({ ...one, seen: seen(one.page, one) })))).toMatchFileSnapshot(
      file,
    );
  });
});

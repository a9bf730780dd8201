import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTreeCases, seenOf, writeTreeCases } from './tree-cases.ts';

/*
 * Each `*.txt` beside this file holds trees as real repositories have them, with all that a person finds of them. After a
 * change of what is right, `npx vitest run --project fast test/ingest/trees -u` writes the files anew: review the
 * difference like code.
 */
const areas = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.txt'));

describe.each(areas)('trees of %s are indexed as their sites show them', (area) => {
  const file = join(import.meta.dirname, area);
  const cases = readTreeCases(readFileSync(file, 'utf8'));

  test.each(cases.map((one) => [one.title, one] as const))('%s', async (_, one) => {
    expect(await seenOf(one)).toBe(one.seen);
  });

  test('the file says so', async () => {
    const now = await Promise.all(cases.map(async (one) => ({ ...one, seen: await seenOf(one) })));
    await expect(writeTreeCases(now)).toMatchFileSnapshot(file);
  });
});

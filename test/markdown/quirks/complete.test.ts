import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasShared, sharedPath } from '../../support/shared.ts';

/* The ways in which pages are written, and the faults that were reported, are numbered; titles begin with the numbers. */
const TESTS = resolve(import.meta.dirname, '../..');
const TITLE = /(?:^@@ case |')((?:(?:case )?(?:\d{1,3}|[A-Z]{2,3}-\d{1,2})(?:, )?)+): /gmu;
const AREAS = ['Ingest', 'Markdown', 'Front matter', 'Anchors'];

function covered(): Set<string> {
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?:quirks|trees)\/[^/]+\.txt$|\.test\.ts$/u.test(file),
  );
  const titles = files.flatMap((file) => [...readFileSync(join(TESTS, file), 'utf8').matchAll(TITLE)]);
  return new Set(titles.flatMap(([, ids = '']) => ids.replaceAll('case ', '').split(', ')));
}

describe('there is a case', () => {
  const found = covered();

  test('for every one of the 158 ways', () => {
    const all = Array.from({ length: 158 }, (_, at) => String(at + 1));
    expect(all.filter((number) => !found.has(number))).toEqual([]);
  });

  const there = hasShared('research');
  test.skipIf(!there)('for all of the catalogue and of the reports (skipped: no ../shared)', () => {
    const catalogue = readFileSync(sharedPath('research/markdown-quirks.md'), 'utf8');
    const numbers = [...catalogue.matchAll(/^\*\*(\d+)\. /gmu)].map(([, number = '']) => number);
    const faults = readFileSync(sharedPath('research/reported-faults.md'), 'utf8')
      .split(/^## /mu)
      .filter((area) => AREAS.some((name) => area.startsWith(name)))
      .flatMap((area) => [...area.matchAll(/^\*\*([A-Z]+-\d+) /gmu)].map(([, id = '']) => id));
    expect(faults.length).toBeGreaterThan(20);
    expect([...numbers, ...faults].filter((id) => !found.has(id))).toEqual([]);
  });
});

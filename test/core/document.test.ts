import { expect, test } from 'vitest';
import { headingPath } from '../../src/core/document.ts';

test.each([
  ['Guide', ['Guide', 'Start'], 'Guide > Start'],
  ['guide  to Kb', ['Guide to kb', 'Start'], 'Guide to kb > Start'],
  ['Ｇｕｉｄｅ', ['Guide'], 'Guide'],
  ['Guide', ['Start', 'Guide'], 'Guide > Start > Guide'],
  ['Settings', ['Reference'], 'Settings > Reference'],
  ['Guide', [], 'Guide'],
  ['', ['Start'], 'Start'],
  ['Guide', ['', 'Start'], 'Guide > Start'],
])('a title %j that the first of %j repeats is named once: %s', (title, headings, wanted) => {
  expect(headingPath({ title, headings }).join(' > ')).toBe(wanted);
});

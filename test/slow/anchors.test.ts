import { describe, expect, test } from 'vitest';
import { measureAnchors } from '../../scripts/anchors/measure.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const there = hasShared('testbed') && hasShared('testbed-truth');

describe.skipIf(!there)('anchors of 36 real sites (skipped: no ../shared)', () => {
  test('are found by the rule of each site’s generator, and the authors’ links lead to their sections', async () => {
    const { sites, totals } = await measureAnchors(sharedPath('.'));
    const wrong = sites.filter(({ isRight }) => !isRight).map(({ site }) => site);
    expect(sites).toHaveLength(36);
    expect(wrong.length, wrong.join(', ')).toBeLessThanOrEqual(2);
    expect(totals.links).toBe(7212);
    expect(totals.right / totals.resolvable).toBeGreaterThanOrEqual(0.99);
  });
});

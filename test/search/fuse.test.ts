import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuse, type ScoredList, type WeighedList } from '../../src/search/fuse.ts';

/** Lists as retrievers give them: each key once, best first. */
const list = fc
  .uniqueArray(
    fc.record({ key: fc.integer({ min: 0, max: 60 }), score: fc.double({ min: -1, max: 40, noNaN: true }) }),
    {
      selector: (one) => one.key,
      maxLength: 50,
    },
  )
  .map((all): ScoredList => all.toSorted((a, b) => b.score - a.score));
const lists = fc.array(fc.record({ list, weight: fc.constantFrom(1, 2, 3) }), { maxLength: 4 });
const evenly = (...all: ScoredList[]): WeighedList[] => all.map((list) => ({ list, weight: 1 }));
const fusion = fc.constantFrom('rrf' as const, 'minmax' as const);

describe('a fusion', () => {
  test('does not depend on the order of the lists', () => {
    fc.assert(
      fc.property(lists, fusion, (all, how) => {
        expect(fuse([...all].reverse(), how)).toEqual(fuse(all, how));
      }),
    );
  });

  test('holds every key of every list once, best first, equals by key', () => {
    fc.assert(
      fc.property(lists, fusion, (all, how) => {
        const fused = fuse(all, how);
        const keys = fused.map((one) => one.key);
        expect(new Set(keys)).toEqual(new Set(all.flatMap((one) => one.list.map(({ key }) => key))));
        expect(new Set(keys).size).toBe(keys.length);
        for (const [at, one] of fused.entries()) {
          const next = fused[at + 1];
          if (next !== undefined)
            expect(one.score > next.score || (one.score === next.score && one.key < next.key)).toBe(true);
        }
      }),
    );
  });

  test('of one list is that list', () => {
    fc.assert(
      fc.property(list, (one) => {
        expect(fuse(evenly(one), 'rrf').map(({ key }) => key)).toEqual(one.map(({ key }) => key));
      }),
    );
  });

  test('puts first what is first in both lists, before what is first in one', () => {
    const one = [1, 2, 3].map((key) => ({ key, score: 10 - key }));
    const other = [1, 4, 5].map((key) => ({ key, score: 1 / key }));
    for (const how of ['rrf', 'minmax'] as const) {
      const fused = fuse(evenly(one, other), how);
      expect(fused[0]?.key).toBe(1);
      expect(fused.filter(({ key }) => key === 1)).toHaveLength(1);
    }
    expect(fuse(evenly(one, other), 'rrf')[0]?.score).toBeCloseTo(1 / 6, 12);
    expect(fuse(evenly(one, other), 'minmax')[0]?.score).toBeCloseTo(1, 12);
  });

  test('gives a list the say that its weight is', () => {
    const one = [1, 2, 3].map((key) => ({ key, score: 10 - key }));
    const other = [4, 5, 6].map((key) => ({ key, score: 10 - key }));
    const keys = fuse(
      [
        { list: one, weight: 1 },
        { list: other, weight: 3 },
      ],
      'rrf',
    ).map(({ key }) => key);
    expect(keys).toEqual([4, 5, 6, 1, 2, 3]);
  });
});

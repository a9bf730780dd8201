import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bootstrap, pairedDifference, percentile } from '../../src/bench/bootstrap.ts';
import { randomFrom } from '../../src/bench/random.ts';

test('an interval is the same for the same values and seed, and holds their mean', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 }),
      (values) => {
        const interval = bootstrap(values, 'x');
        expect(interval).toEqual(bootstrap(values, 'x'));
        expect(interval.low).toBeLessThanOrEqual(interval.high);
        expect(interval.low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(interval.high).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
      },
    ),
    { numRuns: 20 },
  );
});

test('an interval has the width that theory gives it', () => {
  const random = randomFrom('values');
  const values = Array.from({ length: 400 }, () => (random() < 0.3 ? 1 : 0));
  const { mean, low, high } = bootstrap(values, 'width');
  const error = 1.96 * Math.sqrt((mean * (1 - mean)) / values.length);
  expect((high - low) / 2 / error).toBeGreaterThan(0.85);
  expect((high - low) / 2 / error).toBeLessThan(1.15);
});

test('what is the same differs by nothing; what is always better by more than nothing', () => {
  const values = [0.1, 0.5, 0.9, 0.3, 0.7];
  expect(pairedDifference(values, values, 'x')).toEqual({ mean: 0, low: 0, high: 0 });
  const better = pairedDifference(
    values.map((value, at) => value + 0.1 + at / 100),
    values,
    'x',
  );
  expect(better.low).toBeGreaterThan(0);
  expect(bootstrap([0.4], 'x')).toEqual({ mean: 0.4, low: 0.4, high: 0.4 });
  expect(bootstrap([], 'x')).toEqual({ mean: 0, low: 0, high: 0 });
});

test('one question in many that got worse is not yet worse by more than its interval', () => {
  const before = Array.from({ length: 50 }, () => 0.5);
  const after = before.map((value, at) => (at === 7 ? 0 : value));
  expect(pairedDifference(after, before, 'x').high).toBe(0);
});

test('a percentile is the nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([0.5, 0.95, 0.99, 1].map((share) => percentile(values, share))).toEqual([50, 95, 99, 100]);
  expect(percentile([7], 0.5)).toBe(7);
  expect(percentile([], 0.5)).toBe(0);
});

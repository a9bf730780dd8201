import type { CoarseVectors } from './coarse.ts';

/** Vectors whose sides agree best with the query and that get a second look, for each that is wanted, and at least. */
const SECOND_LOOK_EACH = 40;
const SECOND_LOOK_MIN = 5000;
/** Of those, the vectors that are worth an exact look. Measured: recall@10 above 0.99 (docs/decisions). */
const EXACT_LOOK_EACH = 7;
const EXACT_LOOK_MIN = 1000;
/** Mean distance of the near and of the far half from the mean, in mean distances of all: those of a normal distribution. */
const NEAR = 0.46;
const FAR = 1.67;

/** Ids of the vectors that are likely the nearest to the query, in no order that matters. */
export function candidates(
  coarse: CoarseVectors,
  query: Float32Array,
  wanted: { readonly limit: number; readonly only: ReadonlySet<number> | undefined },
): number[] {
  const sums = agreements(coarse, query, wanted.only);
  const found = largest(sums, Math.max(SECOND_LOOK_MIN, wanted.limit * SECOND_LOOK_EACH));
  const closer = closerAgreements(coarse, query, found);
  const bound = lowestOf(closer, Math.max(EXACT_LOOK_MIN, wanted.limit * EXACT_LOOK_EACH));
  const ids: number[] = [];
  for (let at = 0; at < found.length; at += 1) {
    if ((closer[at] ?? 0) >= bound) ids.push(coarse.ids[found[at] ?? 0] ?? 0);
  }
  return ids;
}

/** The smallest of the `count` largest values. */
function lowestOf(values: Float32Array, count: number): number {
  return values.slice().sort()[Math.max(0, values.length - count)] ?? 0;
}

const NOT_WANTED = -0x80000000;

/**
 * How well the query agrees with the sides of every vector: its components, by how widely they are spread, added where
 * the side is above the mean, subtracted where below. Only the stored side is rounded, which loses far less than counting
 * differing bits of both. Eight components at a time are looked up in a table of whole numbers.
 */
function agreements(coarse: CoarseVectors, query: Float32Array, only?: ReadonlySet<number>): Int32Array {
  const { ids, signs, bytes } = coarse;
  const table = sideTable(coarse, query);
  const sums = new Int32Array(ids.length);
  let at = 0;
  for (let vector = 0; vector < sums.length; vector += 1) {
    const end = at + bytes;
    if (only !== undefined && !only.has(ids[vector] ?? 0)) {
      sums[vector] = NOT_WANTED;
      at = end;
      continue;
    }
    sums[vector] = sumOfSides(table, signs, at, end);
    at = end;
  }
  return sums;
}

/**
 * What the bytes from `at` up to `end` stand for in the table, added. Four at a time, as whole numbers and without asking
 * whether they are there, which they are by construction: this is most of what a search does, and so takes two thirds.
 */
function sumOfSides(table: Int16Array, signs: Uint8Array, start: number, end: number): number {
  let at = start;
  let row = 0;
  let sum = 0;
  for (; at + 3 < end; at += 4, row += 1024) {
    const first =
      (table[row + (signs[at] as number)] as number) +
      (table[row + 256 + (signs[at + 1] as number)] as number);
    const second =
      (table[row + 512 + (signs[at + 2] as number)] as number) +
      (table[row + 768 + (signs[at + 3] as number)] as number);
    sum = (sum + first + second) | 0;
  }
  for (; at < end; at += 1, row += 256) sum = (sum + (table[row + (signs[at] as number)] as number)) | 0;
  return sum;
}

/** Small enough to stay in the first cache of a processor. */
const TABLE_MAX = 0x7fff;

/** For each byte of a vector's signs and each of its 256 values: what the eight components of the query add up to. */
function sideTable({ spread, bytes }: CoarseVectors, query: Float32Array): Int16Array {
  const exact = new Float32Array(bytes * 256);
  let most = 0;
  for (let byte = 0; byte < bytes; byte += 1) {
    for (let value = 0; value < 256; value += 1) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit += 1) {
        const component = (query[byte * 8 + bit] ?? 0) * (spread[byte * 8 + bit] ?? 0);
        sum += (value >> bit) & 1 ? component : -component;
      }
      exact[(byte << 8) | value] = sum;
      most = Math.max(most, Math.abs(sum));
    }
  }
  const scale = most === 0 ? 0 : TABLE_MAX / most;
  return Int16Array.from(exact, (sum) => Math.round(sum * scale));
}

const BUCKETS = 4096;

/** Places of the `count` largest values and of a few more, whose value is nearly that of the last. */
function largest(values: Int32Array, count: number): Int32Array {
  const [low, high] = rangeOf(values);
  const scale = high > low ? (BUCKETS - 1) / (high - low) : 0;
  const held = new Uint32Array(BUCKETS);
  for (const value of values) {
    const bucket = ((value - low) * scale) | 0;
    if (value !== NOT_WANTED) held[bucket] = (held[bucket] ?? 0) + 1;
  }
  let bound = BUCKETS;
  let taken = 0;
  while (bound > 0 && taken < count) {
    bound -= 1;
    taken += held[bound] ?? 0;
  }
  const found = new Int32Array(taken);
  let next = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? NOT_WANTED;
    if (value === NOT_WANTED || (((value - low) * scale) | 0) < bound) continue;
    found[next] = at;
    next += 1;
  }
  return found;
}

/** Of what is wanted. */
function rangeOf(values: Int32Array): [low: number, high: number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === NOT_WANTED) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** As {@link agreements}, with both bits, for the vectors at some places only: four components at a time. */
function closerAgreements(coarse: CoarseVectors, query: Float32Array, places: Int32Array): Float32Array {
  const { signs, strengths, bytes } = coarse;
  const table = sideAndStrengthTable(coarse, query);
  const sums = new Float32Array(places.length);
  for (let place = 0; place < places.length; place += 1) {
    let at = (places[place] ?? 0) * bytes;
    let sum = 0;
    for (let row = 0; row < table.length; row += 512, at += 1) {
      const sides = signs[at] as number;
      const far = strengths[at] as number;
      sum += table[row + ((sides & 15) << 4) + (far & 15)] as number;
      sum += table[row + 256 + (sides & 240) + (far >> 4)] as number;
    }
    sums[place] = sum;
  }
  return sums;
}

/** For each four components, each of the 16 values of their signs and each of their strengths. */
function sideAndStrengthTable({ spread, bytes }: CoarseVectors, query: Float32Array): Float32Array {
  const table = new Float32Array(bytes * 512);
  for (let at = 0; at < table.length; at += 1) {
    const first = (at >> 8) * 4;
    let sum = 0;
    for (let bit = 0; bit < 4; bit += 1) {
      const distance = (spread[first + bit] ?? 0) * ((at >> bit) & 1 ? FAR : NEAR);
      const component = (query[first + bit] ?? 0) * distance;
      sum += (at >> (bit + 4)) & 1 ? component : -component;
    }
    table[at] = sum;
  }
  return table;
}

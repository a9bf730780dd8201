import type { PostingBytes } from './full-text-pages.ts';
import { Numbers } from './sqlite-numbers.ts';

/**
 * The rows that hold a word, ascending, and where in each it stands. A place is column * 2^26 + position in tokens, so
 * that places of one column follow each other as its words do.
 */
export interface PostingList {
  readonly rows: Int32Array;
  /** Per row: how often the word stands there, each time weighed by its column. */
  readonly frequencies: Float32Array;
  /** Places of row `n` are those from `starts[n]` up to `starts[n + 1]`; both empty where places were not asked for. */
  readonly starts: Int32Array;
  readonly places: Int32Array;
}

export const COLUMN = 2 ** 26;

export interface Reading {
  /** Weight of each column. */
  readonly weights: readonly number[];
  readonly withPlaces: boolean;
}

export const NO_POSTINGS: PostingList = {
  rows: new Int32Array(0),
  frequencies: new Float32Array(0),
  starts: new Int32Array(0),
  places: new Int32Array(0),
};

/** A column begins with this number and its own; every other number is a distance, two too high. */
const COLUMN_MARK = 1;
/** A row takes three bytes at least: its distance, the length of its places, and a place. */
const MIN_ROW_BYTES = 3;

/** Goes from row to row through what FTS5 has for one word in one segment. */
class RowReader {
  readonly numbers: Numbers;
  readonly #found: PostingBytes;
  #restart = 0;
  row = 0;
  /** How often the word stands in the row whose places were read, by columns weighed. */
  frequency = 0;

  constructor(found: PostingBytes) {
    this.#found = found;
    this.numbers = new Numbers(found.bytes);
  }

  /** Reads the next row's id; gives where its places end, -1 after the last row. Its places begin where `numbers` is. */
  next(): number {
    const { numbers } = this;
    const { bytes, restarts } = this.#found;
    if (numbers.at >= bytes.length) return -1;
    if (restarts[this.#restart] === numbers.at) {
      this.row = 0;
      this.#restart += 1;
    }
    this.row += numbers.next();
    const size = numbers.next() >> 1;
    return Math.min(numbers.at + size, bytes.length);
  }

  /**
   * Reads the row's places, which end at `end`, to where `places` is filled up to; gives up to where it is then.
   */
  readPlaces(end: number, weights: readonly number[], places: Int32Array, filled: number): number {
    const { numbers } = this;
    const { bytes } = this.#found;
    let [to, place, weight, frequency] = [filled, 0, weights[0] ?? 0, 0];
    while (numbers.at < end) {
      // Nearly all numbers are of one byte: reading that here halves the time of a search.
      const byte = bytes[numbers.at] as number;
      let number = byte;
      if (byte < 128) numbers.at += 1;
      else number = numbers.next();
      if (number === COLUMN_MARK) {
        const column = numbers.next();
        weight = weights[column] ?? 0;
        place = column * COLUMN;
      } else {
        place += number - 2;
        frequency += weight;
        places[to++] = place;
      }
    }
    this.frequency = frequency;
    return to;
  }
}

/**
 * Decodes what FTS5 has for one word in one segment: for each row its distance from the row before, twice the length of
 * its places in bytes, and the places. Never fails: bytes that make no sense make rows that are not there.
 */
export function decode(found: PostingBytes, deleted: ReadonlySet<number>, reading: Reading): PostingList {
  const { rows, frequencies, starts, places } = roomFor(found.bytes.length);
  const reader = new RowReader(found);
  let [count, filled] = [0, 0];
  for (let end = reader.next(); end >= 0; end = reader.next()) {
    if (deleted.size > 0 && deleted.has(reader.row)) {
      reader.numbers.at = end;
      continue;
    }
    rows[count] = reader.row;
    filled = reader.readPlaces(end, reading.weights, places, filled);
    frequencies[count] = reader.frequency;
    count += 1;
    starts[count] = filled;
  }
  return {
    rows: rows.slice(0, count),
    frequencies: frequencies.slice(0, count),
    starts: starts.slice(0, reading.withPlaces ? count + 1 : 0),
    places: places.slice(0, reading.withPlaces ? filled : 0),
  };
}

/** Room to decode into: a list is as long as it turns out to be, and only then copied to arrays of that length. */
let room: PostingList = NO_POSTINGS;

function roomFor(bytes: number): PostingList {
  if (room.places.length < bytes) {
    const rows = Math.ceil(bytes / MIN_ROW_BYTES) + 1;
    room = {
      rows: new Int32Array(rows),
      frequencies: new Float32Array(rows),
      starts: new Int32Array(rows + 1),
      places: new Int32Array(bytes),
    };
  }
  return room;
}

/** How many rows {@link decode} would give. */
export function countRows(found: PostingBytes, deleted: ReadonlySet<number>): number {
  const reader = new RowReader(found);
  let count = 0;
  for (let end = reader.next(); end >= 0; end = reader.next()) {
    if (!deleted.has(reader.row)) count += 1;
    reader.numbers.at = end;
  }
  return count;
}

/** One list of many, the short ones first: each is copied as often as others join it. */
export function mergeAll(lists: readonly PostingList[]): PostingList {
  return lists
    .toSorted((a, b) => a.places.length - b.places.length || a.rows.length - b.rows.length)
    .reduce(merge, NO_POSTINGS);
}

/** One list of two: of segments, whose rows differ, or of words, which may stand in the same row. */
function merge(a: PostingList, b: PostingList): PostingList {
  if (a.rows.length === 0) return b;
  if (b.rows.length === 0) return a;
  const most = a.rows.length + b.rows.length;
  const rows = new Int32Array(most);
  const frequencies = new Float32Array(most);
  const starts = new Int32Array(most + 1);
  const places = new Int32Array(a.places.length + b.places.length);
  let [count, filled, atA, atB] = [0, 0, 0, 0];
  while (atA < a.rows.length || atB < b.rows.length) {
    const rowA = a.rows[atA] ?? Number.POSITIVE_INFINITY;
    const rowB = b.rows[atB] ?? Number.POSITIVE_INFINITY;
    const first = filled;
    let frequency = 0;
    if (rowA <= rowB) {
      frequency += a.frequencies[atA] ?? 0;
      filled = copyPlaces(a, atA++, places, filled);
    }
    if (rowB <= rowA) {
      frequency += b.frequencies[atB] ?? 0;
      filled = copyPlaces(b, atB++, places, filled);
    }
    if (rowA === rowB) places.subarray(first, filled).sort();
    rows[count] = Math.min(rowA, rowB);
    frequencies[count] = frequency;
    count += 1;
    starts[count] = filled;
  }
  return {
    rows: rows.subarray(0, count),
    frequencies: frequencies.subarray(0, count),
    starts: starts.subarray(0, a.starts.length === 0 ? 0 : count + 1),
    places: places.subarray(0, filled),
  };
}

function copyPlaces(from: PostingList, row: number, places: Int32Array, filled: number): number {
  const [start = 0, end = 0] = [from.starts[row], from.starts[row + 1]];
  for (let at = start; at < end; at += 1) places[filled + at - start] = from.places[at] ?? 0;
  return filled + end - start;
}

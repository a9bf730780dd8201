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
  const merged = new Merged(a, b);
  let [atA, atB] = [0, 0];
  while (atA < a.rows.length && atB < b.rows.length) {
    const [rowA, rowB] = [a.rows[atA] as number, b.rows[atB] as number];
    if (rowA === rowB) merged.addBoth(a, atA++, b, atB++);
    else if (rowA < rowB) atA = merged.addRun(a, atA, leap(a.rows, atA, rowB));
    else atB = merged.addRun(b, atB, leap(b.rows, atB, rowA));
  }
  merged.addRun(a, atA, a.rows.length);
  merged.addRun(b, atB, b.rows.length);
  return merged.list();
}

/** A list that grows by rows of two others. */
class Merged {
  readonly #rows: Int32Array;
  readonly #frequencies: Float32Array;
  readonly #starts: Int32Array;
  readonly #places: Int32Array;
  #count = 0;
  #filled = 0;

  constructor(a: PostingList, b: PostingList) {
    const most = a.rows.length + b.rows.length;
    this.#rows = new Int32Array(most);
    this.#frequencies = new Float32Array(most);
    this.#starts = new Int32Array(a.starts.length === 0 ? 0 : most + 1);
    this.#places = new Int32Array(a.places.length + b.places.length);
  }

  /** Rows that only one list has, from one on up to another; in one piece: of most words, one form is far the commonest. */
  addRun(from: PostingList, first: number, end: number): number {
    if (first === end) return end;
    this.#rows.set(from.rows.subarray(first, end), this.#count);
    this.#frequencies.set(from.frequencies.subarray(first, end), this.#count);
    if (from.starts.length > 0) {
      const shift = this.#filled - (from.starts[first] as number);
      for (let at = first; at < end; at += 1)
        this.#starts[this.#count + 1 + at - first] = (from.starts[at + 1] as number) + shift;
      this.#addPlaces(from, first, end);
    }
    this.#count += end - first;
    return end;
  }

  /** A row that both have. */
  addBoth(a: PostingList, atA: number, b: PostingList, atB: number): void {
    const first = this.#filled;
    this.#rows[this.#count] = a.rows[atA] as number;
    this.#frequencies[this.#count] = (a.frequencies[atA] as number) + (b.frequencies[atB] as number);
    if (a.starts.length > 0) {
      this.#addPlaces(a, atA, atA + 1);
      this.#addPlaces(b, atB, atB + 1);
      this.#places.subarray(first, this.#filled).sort();
      this.#starts[this.#count + 1] = this.#filled;
    }
    this.#count += 1;
  }

  #addPlaces(from: PostingList, first: number, end: number): void {
    const [start, stop] = [from.starts[first] as number, from.starts[end] as number];
    this.#places.set(from.places.subarray(start, stop), this.#filled);
    this.#filled += stop - start;
  }

  list(): PostingList {
    return {
      rows: this.#rows.subarray(0, this.#count),
      frequencies: this.#frequencies.subarray(0, this.#count),
      starts: this.#starts.subarray(0, this.#count + 1),
      places: this.#places.subarray(0, this.#filled),
    };
  }
}

/** The first position from `from` on that holds `wanted` or more. */
export function leap(rows: Int32Array, from: number, wanted: number): number {
  if (from >= rows.length || (rows[from] as number) >= wanted) return from;
  let step = 1;
  while (from + step < rows.length && (rows[from + step] as number) < wanted) step *= 2;
  let low = from + step / 2;
  let high = Math.min(from + step, rows.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

import { FullTextPages } from './full-text-pages.ts';
import type { IndexFile } from './index-file.ts';
import { countRows, decode, merge, NO_POSTINGS, type PostingList } from './posting-list.ts';
import {
  type ChunkMap,
  type PageLengths,
  pageLengths,
  readChunkMap,
  readLengths,
} from './ranking-numbers.ts';

/** What a title, a heading path and a body weigh. */
export const COLUMN_WEIGHTS: readonly number[] = [3, 2, 1];

/** Lists of the words of recent queries are kept, up to so many numbers of four bytes: 16 MB. */
const MAX_KEPT = 4_000_000;

const MAX_COUNTS = 50_000;

const kept = new WeakMap<IndexFile, FullText>();

/** The full-text table as lists of words, in the state it has in the reader's snapshot. */
export class FullText {
  readonly #index: IndexFile;
  readonly #state: string;
  readonly #file: FullTextPages;
  readonly #lists = new Map<string, PostingList>();
  readonly #counts = new Map<string, number>();
  #size = 0;
  #epoch = -1;
  #lengths: Int32Array | undefined;
  #chunkMap: ChunkMap | undefined;
  #pageLengths: PageLengths | undefined;
  /** Rows of the table, and tokens a row on average. */
  readonly rows: number;
  readonly averageLength: number;

  private constructor(index: IndexFile, state: string) {
    this.#index = index;
    this.#state = state;
    this.#file = new FullTextPages(index);
    const totals = this.#file.totals();
    this.rows = totals.rows;
    this.averageLength = totals.rows === 0 ? 1 : Math.max(1, totals.tokens / totals.rows);
  }

  static of(index: IndexFile): FullText {
    let found = kept.get(index);
    // Asked many times a search: within a snapshot once is enough.
    if (found !== undefined && found.#epoch === index.epoch && index.database.inTransaction) return found;
    const state = index.state();
    if (found === undefined || found.#state !== state) {
      found = new FullText(index, state);
      kept.set(index, found);
    }
    found.#epoch = index.epoch;
    return found;
  }

  /** Tokens of each row, all columns together, by the row's id. */
  get lengths(): Int32Array {
    this.#lengths ??= readLengths(this.#index);
    return this.#lengths;
  }

  get chunkMap(): ChunkMap {
    this.#chunkMap ??= readChunkMap(this.#index);
    return this.#chunkMap;
  }

  get pages(): PageLengths {
    this.#pageLengths ??= pageLengths(this.chunkMap, this.lengths);
    return this.#pageLengths;
  }

  /** How many rows hold a stem; much faster than its list. */
  count(stem: string): number {
    let count = this.#lists.get(stem)?.rows.length ?? this.#counts.get(stem);
    if (count === undefined) {
      count = 0;
      for (const segment of this.#file.segments) {
        const found = this.#file.postings(segment, stem);
        if (found !== undefined) count += countRows(found, segment.deleted);
      }
      if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
      this.#counts.set(stem, count);
    }
    return count;
  }

  /** The rows that hold a stem; empty for one the table does not know. */
  list(stem: string): PostingList {
    const before = this.#lists.get(stem);
    if (before !== undefined) return before;
    const reading = { weights: COLUMN_WEIGHTS, withPlaces: true };
    let list = NO_POSTINGS;
    for (const segment of this.#file.segments) {
      const found = this.#file.postings(segment, stem);
      if (found !== undefined) list = merge(list, decode(found, segment.deleted, reading));
    }
    this.#keep(stem, list);
    return list;
  }

  /** The rows that hold any word that begins so. */
  listOfPrefix(prefix: string): PostingList {
    const terms = this.#index.all<{ term: string }>(
      `SELECT term FROM vocabulary WHERE term >= ? AND term < ?`,
      prefix,
      `${prefix}\u{10ffff}`,
    );
    return terms.reduce((all, { term }) => merge(all, this.list(term)), NO_POSTINGS);
  }

  #keep(stem: string, list: PostingList): void {
    const size = list.rows.length * 3 + list.places.length;
    if (this.#size + size > MAX_KEPT) {
      this.#lists.clear();
      this.#size = 0;
    }
    this.#lists.set(stem, list);
    this.#size += size;
  }
}

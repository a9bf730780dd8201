import { beginningOf, stem } from '../core/words.ts';
import { FullTextPages } from './full-text-pages.ts';
import type { IndexFile } from './index-file.ts';
import { countRows, decode, mergeAll, type PostingList } from './posting-list.ts';
import {
  type ChunkMap,
  type PageLengths,
  pageLengths,
  readChunkMap,
  readLengths,
} from './ranking-numbers.ts';

/** What a title, a heading path and a body weigh. */
export const COLUMN_WEIGHTS: readonly number[] = [3, 2, 1];

/** Lists of the words of recent queries are kept, up to so many numbers of four bytes: 192 MB. */
const MAX_KEPT = 48_000_000;

const MAX_COUNTS = 50_000;

const kept = new WeakMap<IndexFile, FullText>();

/** The full-text table as lists of words, in the state it has in the reader's snapshot. */
export class FullText {
  readonly #index: IndexFile;
  readonly #state: string;
  readonly #file: FullTextPages;
  /** Those used last stand last. */
  readonly #lists = new Map<string, PostingList>();
  readonly #counts = new Map<string, number>();
  readonly #forms = new Map<string, readonly string[]>();
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

  /** The words of the documents that have this stem; those of deleted rows may be among them. */
  forms(of: string): readonly string[] {
    let forms = this.#forms.get(of);
    if (forms === undefined) {
      forms = this.#wordsFrom(beginningOf(of)).filter((word) => stem(word) === of);
      if (this.#forms.size >= MAX_COUNTS) this.#forms.clear();
      this.#forms.set(of, forms);
    }
    return forms;
  }

  /** How many rows hold a word as it is written; much faster than its list. */
  count(word: string): number {
    let count = this.#counts.get(word);
    if (count === undefined) {
      count = 0;
      for (const segment of this.#file.segments) {
        const found = this.#file.postings(segment, word);
        if (found !== undefined) count += countRows(found, segment.deleted);
      }
      if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
      this.#counts.set(word, count);
    }
    return count;
  }

  /** How many rows hold the forms of a stem, a row that holds several counted for each; much faster than their list. */
  countForms(of: string): number {
    return this.forms(of).reduce((sum, word) => sum + this.count(word), 0);
  }

  /** The rows that hold a stem in any of its forms; empty for one the table does not know. */
  list(of: string): PostingList {
    return this.#kept(`forms of ${of}`, () => mergeAll(this.forms(of).map((word) => this.#read(word, true))));
  }

  /** The rows that hold a word as it is written; places may be left out. */
  written(word: string): PostingList {
    const ofStem = stem(word);
    // Most words stand in one form: the list is there already.
    if (this.forms(ofStem).length === 1 && this.forms(ofStem)[0] === word) return this.list(ofStem);
    return this.#kept(word, () => this.#read(word, false));
  }

  /** The rows that hold any word that begins so. */
  listOfBeginning(beginning: string): PostingList {
    return this.#kept(`words from ${beginning}`, () =>
      mergeAll(this.#wordsFrom(beginning).map((word) => this.#read(word, true))),
    );
  }

  #wordsFrom(beginning: string): string[] {
    const words = this.#file.segments.flatMap((segment) => this.#file.wordsFrom(segment, beginning));
    return [...new Set(words)];
  }

  #read(word: string, withPlaces: boolean): PostingList {
    const reading = { weights: COLUMN_WEIGHTS, withPlaces };
    return mergeAll(
      this.#file.segments.flatMap((segment) => {
        const found = this.#file.postings(segment, word);
        return found === undefined ? [] : [decode(found, segment.deleted, reading)];
      }),
    );
  }

  #kept(key: string, read: () => PostingList): PostingList {
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = read();
      this.#size += sizeOf(list);
    } else this.#lists.delete(key);
    this.#lists.set(key, list);
    for (const [oldest, one] of this.#size > MAX_KEPT ? this.#lists : []) {
      if (this.#size <= MAX_KEPT || oldest === key) break;
      this.#lists.delete(oldest);
      this.#size -= sizeOf(one);
    }
    return list;
  }
}

function sizeOf(list: PostingList): number {
  return list.rows.length * 2 + list.starts.length + list.places.length;
}

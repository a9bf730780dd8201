import { KbError } from '../core/errors.ts';
import type { IndexFile } from './index-file.ts';
import { Numbers } from './sqlite-numbers.ts';

/** Some of the posting lists are here: FTS5 writes a segment per transaction and merges them now and then. */
export interface Segment {
  readonly id: number;
  readonly firstPage: number;
  readonly lastPage: number;
  /** Rows that were deleted after the segment was written. */
  readonly deleted: ReadonlySet<number>;
}

/** The bytes that FTS5 has for one word in one segment. */
export interface PostingBytes {
  readonly bytes: Uint8Array;
  /** Where in `bytes` a row is written as its id, not as the distance from the row before: the first of each page. */
  readonly restarts: readonly number[];
}

const TOTALS_ROW = 1;
const STRUCTURE_ROW = 10;
/** Marks a structure that knows deleted rows, as every table with `contentless_delete` has. */
const STRUCTURE_MARK = 0xff000001;
const PAGE_BITS = 37;
/** Pages whose words are kept: some hundred words each. */
const MAX_PAGES = 1000;
/** Pages of deleted rows are numbered as if of a segment so much higher. */
const DELETED_PAGES = 65_536;
const HEAD = 4;
/** FTS5 puts this before each word of its main index. */
const WORD_MARK = 0x30;

/**
 * FTS5's own pages, read as its file format has them (the comments of `fts5_index.c`): to score a row, FTS5 looks up
 * two more rows of its tables, which cost more than all else a search did (docs/decisions/posting-lists.md). SQLite promises that files of today stay readable; a test compares with what MATCH and bm25() say.
 */
export class FullTextPages {
  readonly #index: IndexFile;
  readonly #words = new Map<number, readonly string[]>();
  readonly segments: readonly Segment[];

  constructor(index: IndexFile) {
    this.#index = index;
    this.segments = this.#readSegments();
  }

  /** Rows of the table, and the tokens of all of them. */
  totals(): { readonly rows: number; readonly tokens: number } {
    const block = this.#block(TOTALS_ROW);
    const [rows = 0, ...tokens] = block === undefined ? [] : new Numbers(block).rest();
    return { rows, tokens: tokens.reduce((sum, one) => sum + one, 0) };
  }

  /** What a segment has for a word; undefined where it does not know it. */
  postings(segment: Segment, word: string): PostingBytes | undefined {
    const term = termOf(word);
    const number = this.#pageOf(segment, term);
    const page = this.#page(segment, number);
    const found = page === undefined ? undefined : findTerm(page, term);
    if (page === undefined || found === undefined) return undefined;
    const parts = [page.bytes.subarray(found.start, found.end)];
    const restarts: number[] = [];
    let length = found.end - found.start;
    // The list goes on with the next page as long as no other term has begun.
    for (let next = number + 1; found.isLast && next <= segment.lastPage; next += 1) {
      const more = this.#page(segment, next);
      if (more === undefined) break;
      const end = more.firstTerm ?? more.end;
      if (more.firstRow >= HEAD && more.firstRow < end) restarts.push(length + more.firstRow - HEAD);
      parts.push(more.bytes.subarray(HEAD, end));
      length += end - HEAD;
      if (more.firstTerm !== undefined) break;
    }
    return {
      bytes: parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts),
      restarts,
    };
  }

  /** The words of a segment that begin so, ascending; words of deleted rows may be among them. */
  wordsFrom(segment: Segment, beginning: string): string[] {
    const first = termOf(beginning);
    const further = this.#index.allBlob<{ pgno: number }>(
      `SELECT pgno FROM lexical_idx WHERE segid = ? AND term > ? AND term < ? ORDER BY term`,
      segment.id,
      first,
      Buffer.concat([first, Buffer.of(0xff)]),
    );
    const words: string[] = [];
    for (const number of new Set([this.#pageOf(segment, first), ...further.map((row) => row.pgno >> 1)]))
      for (const word of this.#wordsOf(segment, number)) if (word.startsWith(beginning)) words.push(word);
    return words;
  }

  /** The words that begin in a page. Words are asked for by the dozen, and those that begin alike are in one page. */
  #wordsOf(segment: Segment, number: number): readonly string[] {
    const id = segment.id * 2 ** PAGE_BITS + number;
    let words = this.#words.get(id);
    if (words === undefined) {
      const page = this.#page(segment, number);
      words = page === undefined ? [] : wholeTerms(page);
      if (this.#words.size >= MAX_PAGES) this.#words.clear();
      this.#words.set(id, words);
    }
    return words;
  }

  #pageOf(segment: Segment, term: Buffer): number {
    const row = this.#index.allBlob<{ pgno: number }>(
      `SELECT pgno FROM lexical_idx WHERE segid = ? AND term <= ? ORDER BY term DESC LIMIT 1`,
      segment.id,
      term,
    )[0];
    // The lowest bit tells whether there is an index into a long list, which whoever reads all of it needs not.
    return row === undefined ? segment.firstPage : Math.max(row.pgno >> 1, segment.firstPage);
  }

  #page(segment: Segment, number: number): Page | undefined {
    const bytes = this.#block(segment.id * 2 ** PAGE_BITS + number);
    return bytes === undefined ? undefined : readPage(this.#index.path, bytes);
  }

  #readSegments(): Segment[] {
    const block = this.#block(STRUCTURE_ROW);
    if (block === undefined) return [];
    if (block.length < 8 || block.readUInt32BE(HEAD) !== STRUCTURE_MARK) throw damaged(this.#index.path);
    const numbers = new Numbers(block, 8);
    const levels = numbers.next();
    numbers.skip(2);
    const segments: Segment[] = [];
    for (let level = 0; level < levels; level += 1) {
      numbers.skip(1);
      for (let left = numbers.next(); left > 0; left -= 1) {
        const [id, firstPage, lastPage] = [numbers.next(), numbers.next(), numbers.next()];
        numbers.skip(2);
        const deleted = this.#readDeleted(id, numbers.next());
        numbers.skip(2);
        segments.push({ id, firstPage, lastPage, deleted });
      }
    }
    return segments;
  }

  #readDeleted(segment: number, pages: number): ReadonlySet<number> {
    const deleted = new Set<number>();
    for (let page = 0; page < pages; page += 1) {
      const id = (BigInt(segment + DELETED_PAGES) << BigInt(PAGE_BITS)) + BigInt(page);
      const block = this.#block(id);
      if (block === undefined) throw damaged(this.#index.path);
      if (block[1] !== 0) deleted.add(0);
      const size = block[0] === 4 ? 4 : 8;
      // Slots of a hash table, unused ones 0.
      for (let at = 8; at + size <= block.length; at += size) {
        const row = size === 4 ? block.readUInt32BE(at) : Number(block.readBigUInt64BE(at));
        if (row !== 0) deleted.add(row);
      }
    }
    return deleted;
  }

  #block(id: number | bigint): Buffer | undefined {
    return this.#index.get<{ block: Buffer }>(`SELECT block FROM lexical_data WHERE id = ?`, id)?.block;
  }
}

interface Page {
  readonly bytes: Buffer;
  /** Where the first row begins that is written as its id; 0 where none does. */
  readonly firstRow: number;
  /** Where the content ends, and the list of where each term begins starts. */
  readonly end: number;
  readonly firstTerm: number | undefined;
}

function readPage(path: string, bytes: Buffer): Page {
  if (bytes.length < HEAD) throw damaged(path);
  const end = bytes.readUInt16BE(2);
  if (end > bytes.length) throw damaged(path);
  const firstTerm = end === bytes.length ? undefined : new Numbers(bytes, end).next();
  return { bytes, firstRow: bytes.readUInt16BE(0), end, firstTerm };
}

/**
 * Where the list of a term begins and ends in the page it begins in. Terms ascend, and each tells how many bytes it
 * shares with the one before: as long as that is more than the wanted one shares, it is no nearer.
 */
function findTerm(page: Page, wanted: Buffer): { start: number; end: number; isLast: boolean } | undefined {
  const { bytes, firstTerm } = page;
  let shared = 0;
  for (const { start, next } of termsOf(page)) {
    const head = new Numbers(bytes, start);
    const kept = start === firstTerm ? 0 : head.next();
    const list = head.next() + head.at;
    if (kept > shared) continue;
    const rest = bytes.subarray(head.at, list);
    const order = kept < shared ? 1 : rest.compare(wanted, shared);
    if (order > 0) return undefined;
    if (order === 0) return { start: list, end: next ?? page.end, isLast: next === undefined };
    shared += sharedBytes(rest, wanted, shared);
  }
  return undefined;
}

/** The words that begin in a page, each whole. */
function wholeTerms(page: Page): string[] {
  const words: string[] = [];
  let term = Buffer.alloc(0);
  for (const { start } of termsOf(page)) {
    const head = new Numbers(page.bytes, start);
    const kept = start === page.firstTerm ? 0 : head.next();
    const length = head.next();
    term = Buffer.concat([term.subarray(0, kept), page.bytes.subarray(head.at, head.at + length)]);
    words.push(term.toString('utf8', 1));
  }
  return words;
}

function* termsOf(page: Page): Generator<{ start: number; next: number | undefined }> {
  const distances = new Numbers(page.bytes, page.end);
  let start = page.firstTerm === undefined ? undefined : distances.next();
  while (start !== undefined) {
    const next: number | undefined = distances.at < page.bytes.length ? start + distances.next() : undefined;
    yield { start, next };
    start = next;
  }
}

function termOf(word: string): Buffer {
  return Buffer.concat([Buffer.of(WORD_MARK), Buffer.from(word, 'utf8')]);
}

function sharedBytes(rest: Buffer, wanted: Buffer, from: number): number {
  let at = 0;
  while (at < rest.length && rest[at] === wanted[from + at]) at += 1;
  return at;
}

export function damaged(path: string): KbError {
  return new KbError(
    'index-corrupt',
    `the index ${path} is damaged: its full-text tables cannot be read`,
    { path, reason: 'unknown full-text format' },
    { hint: 'build it anew: kb reset --force, then kb ingest' },
  );
}

import type { IndexFile } from './index-file.ts';
import { Numbers, writeNumbers } from './sqlite-numbers.ts';

/** The row of FTS5's `lexical_data` that holds the number of its rows and the tokens of each column. */
const TOTALS_ROW = 1;
const FIELDS = 3;

/** Section, document and place in the order of paths and sections of each chunk, by the chunk's id. */
export interface ChunkMap {
  readonly sections: Int32Array;
  readonly documents: Int32Array;
  readonly order: Int32Array;
}

export interface PageLengths {
  readonly lengths: Int32Array;
  /** Pages of several sections, and the tokens of one on average. */
  readonly count: number;
  readonly averageLength: number;
}

/**
 * Stores what a ranking must know of every row in one piece each, to be read at once: the tokens of each row, and where
 * each chunk belongs. Also makes the totals that BM25 divides by those of the rows that are there: FTS5 forgets to
 * subtract what is deleted from a table without content, so that every edit would shift all scores a little further
 * from those of a fresh index. Call inside the transaction that changed rows, after its last change.
 */
export function recordRankingNumbers(index: IndexFile): void {
  const { lengths, totals } = countTokens(index);
  writeTotals(index, totals);
  store(index, 'lexical', lengths);
  store(index, 'chunk', mapChunks(index));
}

/** As {@link recordRankingNumbers}, where rows have changed, or the index is of a time before there were such numbers. */
export function settleRankingNumbers(index: IndexFile, isChanged: boolean): void {
  if (isChanged || index.get('SELECT 1 FROM ranking') === undefined) recordRankingNumbers(index);
}

/** Tokens of each row, all columns together, by the row's id. */
export function readLengths(index: IndexFile): Int32Array {
  return load(index, 'lexical') ?? countTokens(index).lengths;
}

export function readChunkMap(index: IndexFile): ChunkMap {
  const all = load(index, 'chunk') ?? mapChunks(index);
  const size = all.length / FIELDS;
  return {
    sections: all.subarray(0, size),
    documents: all.subarray(size, 2 * size),
    order: all.subarray(2 * size),
  };
}

/**
 * What each page of several sections is long, by the document's id: the tokens of its chunks. 0 for any other page, which
 * is not counted.
 */
export function pageLengths({ sections, documents }: ChunkMap, lengths: Int32Array): PageLengths {
  const pages = new Int32Array(documents.reduce((most, id) => Math.max(most, id), 0) + 1);
  const firstSection = new Int32Array(pages.length);
  const hasMany = new Uint8Array(pages.length);
  for (const [chunk, page] of documents.entries()) {
    const section = sections[chunk] as number;
    pages[page] = (pages[page] as number) + (lengths[chunk] ?? 0);
    if (firstSection[page] === 0) firstSection[page] = section;
    else if (firstSection[page] !== section) hasMany[page] = 1;
  }
  let [count, total] = [0, 0];
  for (const [page, tokens] of pages.entries()) {
    if (hasMany[page] === 1) [count, total] = [count + 1, total + tokens];
    else pages[page] = 0;
  }
  return { lengths: pages, count, averageLength: Math.max(1, total / Math.max(1, count)) };
}

function store(index: IndexFile, name: string, numbers: Int32Array): void {
  index.runBlob(
    `INSERT OR REPLACE INTO ranking (name, totals, numbers)
     SELECT ?, block, ? FROM lexical_data WHERE id = ${TOTALS_ROW}`,
    name,
    numbers,
  );
}

/** What is stored, if it is of the rows that are there. */
function load(index: IndexFile, name: string): Int32Array | undefined {
  const row = index.get<{ numbers: Buffer }>(
    `SELECT numbers FROM ranking
     WHERE name = ? AND totals = (SELECT block FROM lexical_data WHERE id = ${TOTALS_ROW})`,
    name,
  );
  return row === undefined ? undefined : new Int32Array(Uint8Array.from(row.numbers).buffer);
}

function mapChunks(index: IndexFile): Int32Array {
  const last = index.get<{ id: number | null }>('SELECT max(id) AS id FROM chunk')?.id ?? 0;
  const size = last + 1;
  const map = new Int32Array(FIELDS * size);
  const rows = index.iterate<{ id: number; section: number; document: number }>(
    `SELECT chunk.id AS id, section_id AS section, document_id AS document FROM document
     CROSS JOIN section ON section.document_id = document.id
     CROSS JOIN chunk ON chunk.section_id = section.id ORDER BY document.path, section.position, chunk.id`,
  );
  let order = 0;
  for (const { id, section, document } of rows) {
    map[id] = section;
    map[size + id] = document;
    map[2 * size + id] = order;
    order += 1;
  }
  return map;
}

function countTokens(index: IndexFile): { lengths: Int32Array; totals: number[] } {
  const last = index.get<{ id: number | null }>(`SELECT max(id) AS id FROM lexical_docsize`)?.id ?? 0;
  const lengths = new Int32Array(last + 1);
  const totals = [0];
  for (const { id, sz } of index.iterate<{ id: number; sz: Buffer }>(`SELECT id, sz FROM lexical_docsize`)) {
    totals[0] = (totals[0] ?? 0) + 1;
    for (const [column, tokens] of new Numbers(sz).rest().entries()) {
      totals[column + 1] = (totals[column + 1] ?? 0) + tokens;
      lengths[id] = (lengths[id] ?? 0) + tokens;
    }
  }
  return { lengths, totals };
}

function writeTotals(index: IndexFile, totals: readonly number[]): void {
  // SQLite guards tables that belong to another; the connection is unsafe for this one statement only.
  index.database.unsafeMode(true);
  try {
    // Opening a savepoint makes FTS5 write the totals it has in memory: what is written now stays.
    index.database.exec('SAVEPOINT totals');
    index.run(
      `UPDATE lexical_data SET block = unhex(?) WHERE id = ?`,
      writeNumbers(totals).toString('hex'),
      TOTALS_ROW,
    );
    index.database.exec('RELEASE totals');
  } finally {
    index.database.unsafeMode(false);
  }
}

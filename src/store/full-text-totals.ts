import type { IndexFile } from './index-file.ts';

/** The row of an FTS5 table's `_data` that holds the number of its rows and the tokens of each column. */
const TOTALS_ROW = 1;

/**
 * Makes the totals that BM25 divides by those of the rows that are there. FTS5 forgets to subtract what is deleted from
 * a table without content, so that every edit would shift all scores a little further from those of a fresh index.
 * Call inside the transaction that deleted, after its last change.
 */
export function correctTotals(index: IndexFile): void {
  for (const table of ['lexical', 'page'] as const) {
    const totals: number[] = [];
    const rows = index.all<{ sz: Buffer }>(`SELECT sz FROM ${table}_docsize`);
    for (const { sz } of rows) {
      for (const [column, tokens] of readNumbers(sz).entries())
        totals[column] = (totals[column] ?? 0) + tokens;
    }
    writeTotals(index, table, [rows.length, ...totals]);
  }
}

function writeTotals(index: IndexFile, table: 'lexical' | 'page', totals: readonly number[]): void {
  // SQLite guards tables that belong to another; the connection is unsafe for this one statement only.
  index.database.unsafeMode(true);
  try {
    // Opening a savepoint makes FTS5 write the totals it has in memory: what is written now stays.
    index.database.exec('SAVEPOINT totals');
    index.run(
      `UPDATE ${table}_data SET block = unhex(?) WHERE id = ?`,
      writeNumbers(totals).toString('hex'),
      TOTALS_ROW,
    );
    index.database.exec('RELEASE totals');
  } finally {
    index.database.unsafeMode(false);
  }
}

/** SQLite's numbers of varying length: seven bits a byte, the highest first, the last byte without its top bit. */
function readNumbers(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte < 128) {
      numbers.push(value);
      value = 0;
    }
  }
  return numbers;
}

function writeNumbers(numbers: readonly number[]): Buffer {
  return Buffer.from(numbers.flatMap(writeNumber));
}

function writeNumber(number: number): number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest % 128) + 128);
  }
  return bytes;
}

import { guarded } from './failure.ts';
import type { IndexFile } from './index-file.ts';

export interface Holdings {
  readonly documents: number;
  readonly sections: number;
  readonly chunks: number;
}

export function countHoldings(index: IndexFile): Holdings {
  const row = index.get<Holdings>(
    `SELECT (SELECT count(*) FROM document WHERE status = 'indexed') AS documents,
            (SELECT count(*) FROM section) AS sections,
            (SELECT count(*) FROM chunk) AS chunks`,
  );
  return row ?? { documents: 0, sections: 0, chunks: 0 };
}

/** Merges each full-text index into one segment: fewer reads a query, and nothing left of what was deleted. */
export function optimise(index: IndexFile): void {
  index.run("INSERT INTO lexical (lexical) VALUES ('optimize')");
}

/** Gives freed pages back to the disk; old text is gone from the file afterwards. */
export function compact(index: IndexFile): void {
  optimise(index);
  guarded(index.path, () => {
    index.database.exec('VACUUM');
    index.database.pragma('wal_checkpoint(TRUNCATE)');
  });
}

/** What must not be: rows of one table without their counterpart in another. FTS5 lists its rows in `_docsize`. */
const STRAYS = {
  'chunks without lexical row': 'SELECT id FROM chunk EXCEPT SELECT id FROM lexical_docsize',
  'lexical rows without chunk': 'SELECT id FROM lexical_docsize EXCEPT SELECT id FROM chunk',
  'sections without document': 'SELECT document_id FROM section EXCEPT SELECT id FROM document',
  'chunks without section': 'SELECT section_id FROM chunk EXCEPT SELECT id FROM section',
  'vectors without text': 'SELECT input FROM embedding EXCEPT SELECT input FROM chunk',
  'vectors of another length than the first':
    'SELECT id FROM embedding WHERE length(vector) <> (SELECT length(vector) FROM embedding ORDER BY id LIMIT 1)',
};

/** Problems SQLite finds in the file, and rows that do not belong together; empty when it is sound. */
export function checkIntegrity(index: IndexFile): string[] {
  const rows = index.all<{ integrity_check: string }>('PRAGMA integrity_check');
  const problems = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  for (const [problem, sql] of Object.entries(STRAYS)) {
    const count = index.get<{ n: number }>(`SELECT count(*) AS n FROM (${sql})`)?.n ?? 0;
    if (count > 0) problems.push(`${count} ${problem}`);
  }
  return problems;
}

export function engineOf(index: IndexFile): { sqlite: string; fts5: boolean } {
  const row = index.get<{ sqlite: string; fts5: number }>(
    "SELECT sqlite_version() AS sqlite, sqlite_compileoption_used('ENABLE_FTS5') AS fts5",
  );
  return { sqlite: row?.sqlite ?? 'unknown', fts5: row?.fts5 === 1 };
}

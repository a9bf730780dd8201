import { guarded, type IndexFile } from './index-file.ts';

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
  index.run("INSERT INTO page (page) VALUES ('optimize')");
  index.run("INSERT INTO lexical (lexical) VALUES ('optimize')");
}

/** Gives freed pages back to the disk; old text is gone from the file afterwards. */
export function compact(index: IndexFile): void {
  optimise(index);
  index.database.exec('VACUUM');
  index.database.pragma('wal_checkpoint(TRUNCATE)');
}

/** Problems SQLite finds in the file; empty when it is sound. Also checks that every chunk has its lexical row. */
export function checkIntegrity(index: IndexFile): string[] {
  return guarded(index.path, () => {
    const rows = index.all<{ integrity_check: string }>('PRAGMA integrity_check');
    const problems = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
    const orphans = index.get<{ n: number }>(
      'SELECT (SELECT count(*) FROM chunk) - (SELECT count(*) FROM lexical) AS n',
    );
    if (orphans !== undefined && orphans.n !== 0) problems.push(`${orphans.n} chunks without lexical row`);
    return problems;
  });
}

export function engineOf(index: IndexFile): { sqlite: string; fts5: boolean } {
  const row = index.get<{ sqlite: string; fts5: number }>(
    "SELECT sqlite_version() AS sqlite, sqlite_compileoption_used('ENABLE_FTS5') AS fts5",
  );
  return { sqlite: row?.sqlite ?? 'unknown', fts5: row?.fts5 === 1 };
}

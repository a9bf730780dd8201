import type { IndexFile } from '../../src/store/index-file.ts';

const WEIGHTS = { lexical: '3.0, 2.0, 1.0', page: '3.0, 1.0' };

/** Rows that match an FTS5 expression with the scores SQLite itself gives them, best first: what ours are compared with. */
export function matches(
  index: IndexFile,
  expression: string,
  table: 'lexical' | 'page' = 'lexical',
): { id: number; score: number }[] {
  return index.all(
    `SELECT rowid AS id, -bm25(${table}, ${WEIGHTS[table]}) AS score FROM ${table} WHERE ${table} MATCH ?
     ORDER BY score DESC, id`,
    expression,
  );
}

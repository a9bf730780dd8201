import type { IndexFile } from '../../src/store/index-file.ts';

/** Rows that match an FTS5 expression with the scores SQLite itself gives them, best first: what ours are compared with. */
export function matches(index: IndexFile, expression: string): { id: number; score: number }[] {
  return index.all(
    `SELECT rowid AS id, -bm25(lexical, 3.0, 2.0, 1.0) AS score FROM lexical WHERE lexical MATCH ?
     ORDER BY score DESC, id`,
    expression,
  );
}

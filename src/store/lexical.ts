import { underPath } from './documents.ts';
import type { IndexFile } from './index-file.ts';

/** A chunk (or document) that matched, with its BM25 score (higher is better). */
export interface Match {
  readonly id: number;
  readonly score: number;
}

/** Weights of title, heading path and body. */
const SCORE = '-bm25(lexical, 3.0, 2.0, 1.0)';

/**
 * The best chunks for an FTS5 expression, best first, equal scores by id. `path` limits them to documents at or
 * below it before anything is ranked. Ordering by the selected score is twice as fast as by `rank`.
 */
export function bestMatches(index: IndexFile, expression: string, limit: number, path = ''): Match[] {
  const [where, values] = underPath(path);
  const filter =
    values.length === 0
      ? ''
      : `AND +lexical.rowid IN (
           SELECT chunk.id FROM document
           JOIN section ON section.document_id = document.id
           JOIN chunk ON chunk.section_id = section.id WHERE ${where})`;
  return index.all<Match>(
    `SELECT rowid AS id, ${SCORE} AS score FROM lexical WHERE lexical MATCH ? ${filter}
     ORDER BY score DESC, id LIMIT ?`,
    expression,
    ...values,
    limit,
  );
}

/** Every match with its score, in no order: for scores that are added to those of {@link bestMatches}. */
export function allMatches(index: IndexFile, expression: string): Match[] {
  return index.all<Match>(
    `SELECT rowid AS id, ${SCORE} AS score FROM lexical WHERE lexical MATCH ?`,
    expression,
  );
}

/** Every document of more than one section that matches as a whole, with its score. */
export function pageMatches(index: IndexFile, expression: string): Match[] {
  return index.all<Match>(
    'SELECT rowid AS id, -bm25(page, 3.0, 1.0) AS score FROM page WHERE page MATCH ?',
    expression,
  );
}

/** Chunks that hold a stem; 0 for one the index does not know. */
export function chunksWithStem(index: IndexFile, stem: string): number {
  return index.get<{ doc: number }>('SELECT doc FROM vocabulary WHERE term = ?', stem)?.doc ?? 0;
}

export function countChunks(index: IndexFile): number {
  return index.get<{ n: number }>('SELECT count(*) AS n FROM chunk')?.n ?? 0;
}

import { fold } from '../../src/core/words.ts';
import type { IndexFile } from '../../src/store/index-file.ts';

export interface Scored {
  readonly id: number;
  readonly score: number;
}

/** Rows that match an FTS5 expression of words as they are written, with SQLite's own scores, best first. */
export function matches(index: IndexFile, expression: string): Scored[] {
  return index.all(
    `SELECT rowid AS id, -bm25(lexical, 3.0, 2.0, 1.0) AS score FROM lexical WHERE lexical MATCH ?
     ORDER BY score DESC, id`,
    expression,
  );
}

/** The same of stems: the chunks of an index are given to a table that has FTS5's `porter` make them. */
export function stemMatches(index: IndexFile): (expression: string) => Scored[] {
  index.database.exec(
    `DROP TABLE IF EXISTS temp.stems;
     CREATE VIRTUAL TABLE temp.stems
     USING fts5 (title, path, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2')`,
  );
  const rows = index.all<{ id: number; title: string; headings: string; text: string }>(
    `SELECT chunk.id AS id, title, headings, text FROM chunk JOIN section ON section.id = section_id
     JOIN document ON document.id = document_id ORDER BY chunk.id`,
  );
  const insert = index.database.prepare(
    'INSERT INTO temp.stems (rowid, title, path, body) VALUES (?, ?, ?, ?)',
  );
  for (const { id, title, headings, text } of rows) {
    const path = (JSON.parse(headings) as string[]).join(' > ');
    insert.run(id, fold(title), fold(path), fold(text));
  }
  return (expression) =>
    index.all(
      `SELECT rowid AS id, -bm25(stems, 3.0, 2.0, 1.0) AS score FROM temp.stems WHERE stems MATCH ?
       ORDER BY score DESC, id`,
      expression,
    );
}

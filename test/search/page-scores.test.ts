import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold, stem } from '../../src/core/words.ts';
import { scorePages } from '../../src/search/page-scores.ts';
import { putDocument, removeDocument } from '../../src/store/documents.ts';
import { FullText } from '../../src/store/full-text.ts';
import type { IndexFile } from '../../src/store/index-file.ts';
import { document, openNew } from '../store/support.ts';

const WORDS = ['agent', 'server', 'interval', 'port', 'run'];
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' '));
const page = fc.array(fc.tuple(fc.constantFrom(...WORDS, ''), text), { minLength: 1, maxLength: 4 });
const pages = fc.array(page, { minLength: 1, maxLength: 8 });

/** The same pages as rows of a full-text table, scored by SQLite. */
function scoresOfSqlite(index: IndexFile, words: readonly string[]): [number, string][] {
  index.database.exec(
    "CREATE VIRTUAL TABLE temp.whole USING fts5 (title, path, body, tokenize = 'porter unicode61 remove_diacritics 2')",
  );
  const rows = index.all<{ id: number; title: string; headings: string; text: string }>(
    `SELECT document.id AS id, title, headings, text FROM document
     JOIN section ON section.document_id = document.id JOIN chunk ON chunk.section_id = section.id
     WHERE (SELECT count(*) FROM section AS other WHERE other.document_id = document.id) > 1 ORDER BY chunk.id`,
  );
  for (const id of new Set(rows.map((row) => row.id))) {
    const own = rows.filter((row) => row.id === id);
    const join = (texts: readonly string[]) => fold(texts.join('\n'));
    index.run(
      'INSERT INTO whole (rowid, title, path, body) VALUES (?, ?, ?, ?)',
      id,
      join(own.map((row) => row.title)),
      join(own.map((row) => (JSON.parse(row.headings) as string[]).join(' > '))),
      join(own.map((row) => row.text)),
    );
  }
  const found = index.all<{ id: number; score: number }>(
    'SELECT rowid AS id, -bm25(whole, 3.0, 2.0, 1.0) AS score FROM whole WHERE whole MATCH ? ORDER BY rowid',
    words.map((word) => `"${word}"`).join(' OR '),
  );
  index.database.exec('DROP TABLE temp.whole');
  return found.map(({ id, score }) => [id, score.toPrecision(9)]);
}

test('a page of several sections scores as all its chunks in one row would, one of a single section nothing', () => {
  fc.assert(
    fc.property(pages, fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1 }), (all, words) => {
      const index = openNew();
      for (const [at, sections] of all.entries()) putDocument(index, document(`${at}.md`, sections));
      // What is written again comes to stand behind the rest.
      putDocument(index, document('0.md', all[0] ?? []));
      if (all.length > 3) removeDocument(index, '1.md');
      const list = FullText.of(index);
      const scores = scorePages(
        list,
        words.map((word) => list.list(stem(word))),
      );
      const ours = [...scores.entries()].filter(([, score]) => score > 0);
      expect(ours.map(([id, score]) => [id, score.toPrecision(9)])).toEqual(scoresOfSqlite(index, words));
      index.close();
    }),
    { numRuns: 40 },
  );
});

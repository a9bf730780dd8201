/** "kbix" in ASCII: tells an index of ours from any other SQLite file. */
export const APPLICATION_ID = 0x6b626978;

/**
 * Each entry lifts the file by one version; `user_version` counts the entries applied. Never edit one that has
 * been released: add another.
 *
 * `lexical` is contentless: it holds folded text (see core/words.ts) that differs from what is shown, which is
 * in `chunk` and `section`. Its rowid is the chunk's id.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    status TEXT NOT NULL,
    note TEXT,
    depends TEXT NOT NULL
  );

  CREATE TABLE section (
    id INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    ref TEXT NOT NULL UNIQUE,
    headings TEXT NOT NULL,
    anchors TEXT NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    hash TEXT NOT NULL,
    markdown TEXT NOT NULL
  );
  CREATE UNIQUE INDEX section_of_document ON section (document_id, position);

  CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    section_id INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    text TEXT NOT NULL
  );
  CREATE INDEX chunk_of_section ON chunk (section_id);

  CREATE VIRTUAL TABLE lexical USING fts5 (
    title, path, body,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE VIRTUAL TABLE page USING fts5 (
    title, body,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
  );
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (lexical, 'row');
  `,
  // Vectors, by the text they were made of: the same text is embedded once, in however many chunks it stands.
  // `coarse` is one row: every vector in two bits a component, so that a scan reads 10 MB instead of 150.
  `
  ALTER TABLE chunk ADD COLUMN input TEXT;
  CREATE INDEX chunk_of_input ON chunk (input);

  CREATE TABLE embedding (
    id INTEGER PRIMARY KEY,
    input TEXT NOT NULL UNIQUE,
    vector BLOB NOT NULL
  );

  CREATE TABLE coarse (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    stamp TEXT NOT NULL,
    ids BLOB NOT NULL,
    signs BLOB NOT NULL
  );
  `,
  // What a ranking must know of every row, each in one piece; `totals` tells of which rows (store/ranking-numbers.ts).
  `
  CREATE TABLE ranking (
    name TEXT PRIMARY KEY,
    totals BLOB NOT NULL,
    numbers BLOB NOT NULL
  );
  `,
  // The score of a page is made from the lists of its chunks.
  `
  DROP TABLE page;
  DELETE FROM ranking WHERE name = 'page';
  `,
  // The same text in several places is shown once (store/copies.ts).
  'CREATE INDEX section_of_hash ON section (hash)',
  // Names of files as on disk, where they differ.
  'ALTER TABLE document ADD COLUMN spelled TEXT',
  // Words as they are written; which are forms of one word is settled when a query asks (docs/decisions).
  `
  DROP TABLE vocabulary;
  DROP TABLE lexical;
  CREATE VIRTUAL TABLE lexical USING fts5 (
    title, path, body,
    content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 2'
  );
  INSERT INTO lexical (rowid, title, path, body)
  SELECT chunk.id, fold(title), fold_headings(headings), fold(text) FROM chunk
  JOIN section ON section.id = section_id JOIN document ON document.id = document_id ORDER BY chunk.id;
  DELETE FROM ranking;
  `,
];
/** What this kb writes and the newest it can read. */
export const SCHEMA_VERSION = MIGRATIONS.length;

import type { Json } from '../core/chat.ts';
import type { Chunk, LineRange } from '../core/document.ts';
import { type DocPath, makeRef, type Ref } from '../core/ref.ts';
import type { DocumentScope, FieldFilter } from '../core/scope.ts';
import { fold, foldHeadings } from '../core/words.ts';
import { inputOf, inputsHoldTitle, titleOf } from './embedding-inputs.ts';
import type { IndexFile } from './index-file.ts';

export interface NewSection {
  readonly headings: readonly string[];
  readonly anchors: readonly string[];
  readonly lines: LineRange;
  readonly hash: string;
  readonly markdown: string;
  readonly chunks: readonly Chunk[];
}

/** `failed` documents have no sections: they are kept so that the reason can be told and the file is not tried again unchanged. */
export type DocumentStatus = 'indexed' | 'empty' | 'failed';

export interface Dependency {
  /** Empty for a file that is not there. */
  readonly hash: string;
  /** The document's path, if the file is one. */
  readonly path?: string;
}

export interface NewDocument {
  readonly path: DocPath;
  /** The path with its names as on disk, where they are spelled otherwise in Unicode: web servers tell them apart. */
  readonly spelled?: string;
  readonly title: string;
  readonly hash: string;
  /** Bytes on disk. */
  readonly size: number;
  readonly metadata: Readonly<Record<string, Json>>;
  readonly status: DocumentStatus;
  readonly note?: string;
  /** The files that were included into this one, by what it calls them. */
  readonly depends: Readonly<Record<string, Dependency>>;
  readonly sections: readonly NewSection[];
}

export interface DocumentRow {
  readonly id: number;
  readonly path: DocPath;
  readonly title: string;
  readonly hash: string;
  readonly size: number;
  readonly status: DocumentStatus;
  readonly note: string | null;
}

const DOCUMENT = 'SELECT id, path, title, hash, size, status, note FROM document';

export function allDocuments(index: IndexFile): DocumentRow[] {
  return index.all<DocumentRow>(`${DOCUMENT} ORDER BY path`);
}

export function findDocument(index: IndexFile, path: string): DocumentRow | undefined {
  return index.get<DocumentRow>(`${DOCUMENT} WHERE path = ?`, path);
}

/** Front matter as data; empty for an unknown document. */
export function documentMetadata(index: IndexFile, path: string): Readonly<Record<string, Json>> {
  const row = index.get<{ metadata: string }>('SELECT metadata FROM document WHERE path = ?', path);
  return row === undefined ? {} : (JSON.parse(row.metadata) as Record<string, Json>);
}

/** The path of a document with its names as they are spelled on disk. */
export function spelledPath(index: IndexFile, path: string): string {
  const row = index.get<{ spelled: string | null }>('SELECT spelled FROM document WHERE path = ?', path);
  return row?.spelled ?? path;
}

/** Documents of a scope; a path alone is one too. */
export function documentsUnder(index: IndexFile, scope: string | DocumentScope): DocumentRow[] {
  const [sql, values] = inScope(scope);
  return index.all<DocumentRow>(`${DOCUMENT} AS document WHERE ${sql} ORDER BY path`, ...values);
}

/** The condition on `document` for a scope, and its values; no values where every document is in it. */
export function inScope(scope: string | DocumentScope): [string, string[]] {
  const { path = '', where = [] } = typeof scope === 'string' ? { path: scope } : scope;
  const conditions = [underPath(path), ...where.map(withValue)].filter(([, values]) => values.length > 0);
  if (conditions.length === 0) return ['1', []];
  return [conditions.map(([sql]) => sql).join(' AND '), conditions.flatMap(([, values]) => values)];
}

function underPath(path: string): [string, string[]] {
  const clean = path
    .normalize('NFC')
    .replace(/^(?:\.\/)+/u, '')
    .replace(/\/+$/u, '');
  if (clean === '' || clean === '.') return ['1', []];
  // '0' follows '/' in Unicode: every path below the folder lies between the two.
  return [
    '(document.path = ? OR (document.path >= ? AND document.path < ?))',
    [clean, `${clean}/`, `${clean}0`],
  ];
}

/** A time stored in full is found by its day too. */
function withValue({ key, value }: FieldFilter): [string, string[]] {
  const keys = key.split('.');
  const last = keys.pop() ?? '';
  const parent = `$${keys.map((one) => `."${one.replace(/"/gu, '')}"`).join('')}`;
  const isDay = /^\d{4}-\d\d-\d\d$/u.test(value);
  const sql = `EXISTS (
    SELECT 1 FROM json_each(document.metadata, ?) AS field,
      json_each(CASE field.type WHEN 'array' THEN field.value WHEN 'true' THEN '["true"]'
        WHEN 'false' THEN '["false"]' ELSE json_array(field.value) END) AS item
    WHERE lower(field.key) = lower(?) AND lower(${isDay ? 'substr(item.value, 1, 10)' : 'item.value'}) = lower(?))`;
  return [sql, [parent, last, value]];
}

/** Which included files each document was built from. */
export function documentDependencies(index: IndexFile): Map<string, Record<string, Dependency>> {
  const rows = index.all<{ path: string; depends: string }>(
    "SELECT path, depends FROM document WHERE depends <> '{}'",
  );
  return new Map(rows.map((row) => [row.path, JSON.parse(row.depends) as Record<string, Dependency>]));
}

/** Takes a document with its sections, chunks and lexical rows out of the index; does nothing where there is none. */
export function removeDocument(index: IndexFile, path: string): void {
  const id = findDocument(index, path)?.id;
  if (id === undefined) return;
  removeLexicalRows(index, id);
  index.run('DELETE FROM document WHERE id = ?', id);
}

/** Has searches find nothing of a document; its sections stay, to be read. `note` says why. */
export function hideDocument(index: IndexFile, path: string, note: string): void {
  const id = findDocument(index, path)?.id;
  if (id === undefined) return;
  removeLexicalRows(index, id);
  index.run('DELETE FROM chunk WHERE section_id IN (SELECT id FROM section WHERE document_id = ?)', id);
  index.run('UPDATE document SET note = ? WHERE id = ?', note, id);
}

function removeLexicalRows(index: IndexFile, documentId: number): void {
  const chunks = index.all<{ id: number }>(
    'SELECT chunk.id AS id FROM section JOIN chunk ON chunk.section_id = section.id WHERE document_id = ?',
    documentId,
  );
  // Row by row: a statement that touches many rows makes FTS5 write out all it has gathered, each time.
  for (const chunk of chunks) index.run('DELETE FROM lexical WHERE rowid = ?', chunk.id);
}

/** Adds a document or replaces the one at its path; sections that keep their name keep their ref. */
export function putDocument(index: IndexFile, document: NewDocument): void {
  const held = refsOf(index, document.path);
  removeDocument(index, document.path);
  const documentId = index.run(
    'INSERT INTO document (path, title, hash, size, metadata, status, note, depends, spelled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    document.path,
    document.title,
    document.hash,
    document.size,
    JSON.stringify(document.metadata),
    document.status,
    document.note ?? null,
    JSON.stringify(document.depends),
    document.spelled ?? null,
  );
  const names = new Counter();
  const title = fold(document.title);
  const holdTitle = inputsHoldTitle(index);
  for (const [position, section] of document.sections.entries()) {
    const occurrence = names.next(JSON.stringify(section.headings));
    const ref =
      held.get(nameKey(section.headings, occurrence)) ??
      makeRef({ path: document.path, headings: section.headings, occurrence }, (candidate) =>
        isTaken(index, candidate, held),
      );
    putSection(index, { documentId, position, ref, title, titleText: document.title, holdTitle, section });
  }
}

/** Renames the anchors of a document's sections, in order. */
export function setAnchors(index: IndexFile, path: string, anchors: readonly (readonly string[])[]): void {
  const id = findDocument(index, path)?.id;
  if (id === undefined) return;
  for (const [position, names] of anchors.entries()) {
    const sql = 'UPDATE section SET anchors = ? WHERE document_id = ? AND position = ?';
    index.run(sql, JSON.stringify(names), id, position);
  }
}

interface PlacedSection {
  readonly documentId: number;
  readonly position: number;
  readonly ref: Ref;
  /** Folded, like all text given to FTS5. */
  readonly title: string;
  /** As written. */
  readonly titleText: string;
  /** See {@link inputOf}. */
  readonly holdTitle: boolean | undefined;
  readonly section: NewSection;
}

function putSection(index: IndexFile, placed: PlacedSection): void {
  const { section, title } = placed;
  const sectionId = index.run(
    `INSERT INTO section (document_id, position, ref, headings, anchors, first_line, last_line, hash, markdown)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    placed.documentId,
    placed.position,
    placed.ref,
    JSON.stringify(section.headings),
    JSON.stringify(section.anchors),
    section.lines.first,
    section.lines.last,
    section.hash,
    section.markdown,
  );
  const path = foldHeadings(section.headings);
  for (const chunk of section.chunks) {
    const body = fold(chunk.text);
    const id = index.run(
      'INSERT INTO chunk (section_id, first_line, last_line, text, input) VALUES (?, ?, ?, ?, ?)',
      sectionId,
      chunk.lines.first,
      chunk.lines.last,
      chunk.text,
      placed.holdTitle === undefined
        ? null
        : inputOf({ title: titleOf(placed.titleText, section.headings), text: chunk.text }, placed.holdTitle),
    );
    index.run('INSERT INTO lexical (rowid, title, path, body) VALUES (?, ?, ?, ?)', id, title, path, body);
  }
}

function refsOf(index: IndexFile, path: string): Map<string, Ref> {
  const rows = index.all<{ ref: Ref; headings: string }>(
    `SELECT ref, headings FROM section JOIN document ON document.id = document_id
     WHERE path = ? ORDER BY position`,
    path,
  );
  const names = new Counter();
  return new Map(rows.map((row) => [`${row.headings}#${names.next(row.headings)}`, row.ref]));
}

function nameKey(headings: readonly string[], occurrence: number): string {
  return `${JSON.stringify(headings)}#${occurrence}`;
}

/** A ref that the old version of this document held may still be claimed by the section it belonged to. */
function isTaken(index: IndexFile, ref: Ref, held: ReadonlyMap<string, Ref>): boolean {
  if (index.get('SELECT 1 FROM section WHERE ref = ?', ref) !== undefined) return true;
  for (const other of held.values()) if (other === ref) return true;
  return false;
}

/** Numbers equal keys: 0 for the first, 1 for the second, … */
class Counter {
  readonly #seen = new Map<string, number>();

  next(key: string): number {
    const count = this.#seen.get(key) ?? 0;
    this.#seen.set(key, count + 1);
    return count;
  }
}

import type { LineRange, Section } from '../core/document.ts';
import type { DocPath, Ref } from '../core/ref.ts';
import type { DocumentScope } from '../core/scope.ts';
import { inScope } from './documents.ts';
import type { IndexFile } from './index-file.ts';

interface SectionRow {
  readonly id: number;
  readonly ref: Ref;
  readonly path: DocPath;
  readonly title: string;
  readonly headings: string;
  readonly anchors: string;
  readonly first_line: number;
  readonly last_line: number;
  readonly position: number;
  readonly hash: string;
  readonly markdown: string;
  readonly document_hash: string;
}

/** A section with the row id that chunks point to. */
export interface StoredSection extends Section {
  readonly id: number;
  /** Of the whole document's bytes. */
  readonly documentHash: string;
}

export interface StoredChunk {
  readonly id: number;
  readonly sectionId: number;
  readonly lines: LineRange;
  readonly text: string;
}

const SECTION = `
  SELECT section.id, ref, path, title, headings, anchors, first_line, last_line, position, section.hash, markdown,
         document.hash AS document_hash
  FROM section JOIN document ON document.id = section.document_id`;

export function sectionByRef(index: IndexFile, ref: string): StoredSection | undefined {
  return index.all<SectionRow>(`${SECTION} WHERE ref = ?`, ref).map(toSection)[0];
}

/** In document order. */
export function sectionsOfDocument(index: IndexFile, path: string): StoredSection[] {
  return index.all<SectionRow>(`${SECTION} WHERE path = ? ORDER BY position`, path).map(toSection);
}

/** In the order of `ids`; those that are not there are left out. */
export function sectionsById(index: IndexFile, ids: readonly number[]): StoredSection[] {
  const rows = index.all<SectionRow>(
    `${SECTION} WHERE section.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [toSection(row)];
  });
}

/** Ref of the section `step` places away in the same document. */
export function neighbourRef(index: IndexFile, section: Section, step: 1 | -1): Ref | undefined {
  return index.get<{ ref: Ref }>(
    'SELECT ref FROM section JOIN document ON document.id = document_id WHERE path = ? AND position = ?',
    section.path,
    section.position + step,
  )?.ref;
}

/** Headings without text, in path and document order. */
export type OutlineRow = Omit<Section, 'markdown'>;

export function outlineUnder(
  index: IndexFile,
  scope: DocumentScope,
  limit: number,
  offset: number,
): OutlineRow[] {
  const [where, values] = inScope(scope);
  return index
    .all<SectionRow>(
      `SELECT section.id, ref, path, title, headings, anchors, first_line, last_line, position, section.hash, '' AS markdown
       FROM section JOIN document ON document.id = section.document_id
       WHERE ${where} ORDER BY path, position LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    )
    .map(toSection);
}

export function countSectionsUnder(index: IndexFile, scope: DocumentScope): number {
  const [where, values] = inScope(scope);
  const sql = `SELECT count(*) AS n FROM section JOIN document ON document.id = section.document_id WHERE ${where}`;
  return index.get<{ n: number }>(sql, ...values)?.n ?? 0;
}

export function allRefs(index: IndexFile): Ref[] {
  return index.all<{ ref: Ref }>('SELECT ref FROM section ORDER BY ref').map((row) => row.ref);
}

/** Chunks by id, in the order of the ids; SQLite's own table function keeps the statement the same for any count. */
export function chunksById(index: IndexFile, ids: readonly number[]): StoredChunk[] {
  const rows = index.all<{
    id: number;
    section_id: number;
    first_line: number;
    last_line: number;
    text: string;
  }>(
    `SELECT chunk.id, section_id, first_line, last_line, text
     FROM json_each(?) AS wanted CROSS JOIN chunk ON chunk.id = wanted.value ORDER BY wanted.key`,
    JSON.stringify(ids),
  );
  return rows.map((row) => ({
    id: row.id,
    sectionId: row.section_id,
    lines: { first: row.first_line, last: row.last_line },
    text: row.text,
  }));
}

/** Where sections stand among each other by path and position, whenever they came into the index. */
export function placesOf(index: IndexFile, ids: readonly number[]): ReadonlyMap<number, number> {
  const rows = index.all<{ id: number }>(
    `SELECT DISTINCT section.id AS id FROM json_each(?) AS wanted
     CROSS JOIN section ON section.id = wanted.value CROSS JOIN document ON document.id = section.document_id
     ORDER BY document.path, section.position`,
    JSON.stringify(ids),
  );
  return new Map(rows.map(({ id }, place) => [id, place]));
}

/** Chunks of the section with a ref, in order. */
export function chunksOfSection(index: IndexFile, ref: string): StoredChunk[] {
  const rows = index.all<{ id: number }>(
    'SELECT chunk.id AS id FROM section JOIN chunk ON chunk.section_id = section.id WHERE ref = ? ORDER BY chunk.id',
    ref,
  );
  return chunksById(
    index,
    rows.map((row) => row.id),
  );
}

function toSection(row: SectionRow): StoredSection {
  return {
    id: row.id,
    ref: row.ref,
    path: row.path,
    title: row.title,
    headings: JSON.parse(row.headings) as string[],
    anchors: JSON.parse(row.anchors) as string[],
    lines: { first: row.first_line, last: row.last_line },
    position: row.position,
    hash: row.hash,
    markdown: row.markdown,
    documentHash: row.document_hash,
  };
}

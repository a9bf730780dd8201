import { underPath } from './documents.ts';
import { FullText } from './full-text.ts';
import type { IndexFile } from './index-file.ts';

/** Chunks that hold a stem; 0 for one the index does not know. */
export function chunksWithStem(index: IndexFile, stem: string): number {
  return FullText.of(index, 'lexical').list(stem).rows.length;
}

export function countChunks(index: IndexFile): number {
  return FullText.of(index, 'lexical').rows;
}

/** Which chunks belong to documents at or below a path, by id; undefined for all. */
export function chunksUnder(index: IndexFile, path: string): Uint8Array | undefined {
  const [where, values] = underPath(path);
  if (values.length === 0) return undefined;
  const rows = index.all<{ id: number }>(
    `SELECT chunk.id AS id FROM document
     JOIN section ON section.document_id = document.id
     JOIN chunk ON chunk.section_id = section.id WHERE ${where}`,
    ...values,
  );
  const last = rows.reduce((most, row) => Math.max(most, row.id), 0);
  const isUnder = new Uint8Array(last + 1);
  for (const { id } of rows) isUnder[id] = 1;
  return isUnder;
}

import type { DocumentScope } from '../core/scope.ts';
import { inScope } from './documents.ts';
import { FullText } from './full-text.ts';
import type { IndexFile } from './index-file.ts';

/** Chunks that hold a stem; 0 for one the index does not know. */
export function chunksWithStem(index: IndexFile, stem: string): number {
  return FullText.of(index).list(stem).rows.length;
}

export function countChunks(index: IndexFile): number {
  return FullText.of(index).rows;
}

/** Which chunks belong to documents of a scope, by id; undefined for all. */
export function chunksUnder(index: IndexFile, scope: DocumentScope): Uint8Array | undefined {
  const [where, values] = inScope(scope);
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

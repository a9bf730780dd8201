import { createHash } from 'node:crypto';
import { allDocuments } from '../store/documents.ts';
import { pinnedIdentity } from '../store/embeddings.ts';
import type { IndexFile } from '../store/index-file.ts';
import type { Origin } from '../store/origin.ts';

/** SHA-256 (hex, first 16 characters) of all that decides what is found: the documents, how they were cut, the vectors' model. */
export function indexIdentity(index: IndexFile, origin: Origin): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([origin.pipeline, pinnedIdentity(index) ?? null]));
  for (const document of allDocuments(index)) hash.update(`${document.path}\0${document.hash}\n`);
  return hash.digest('hex').slice(0, 16);
}

import { basename } from 'node:path';

/** Commands that errors advise, for an index whose path is all that is known. */

/** For an index whose own name says nothing of where its documents are. */
export const INGEST = 'kb ingest ./FOLDER';

/** Name of the knowledge base an index file belongs to. */
function nameOfIndex(path: string): string {
  return basename(path).replace(/\.db$/u, '');
}

/** The command that brings just this index up to date. */
export function ingestNamed(path: string): string {
  return `kb ingest ${nameOfIndex(path)}`;
}

/** The command that lists what just this index holds. */
export function listNamed(path: string): string {
  return `kb list -k ${nameOfIndex(path)}`;
}

/** The command that deletes just this index, whichever was ingested last. */
export function resetCommand(path: string): string {
  return `kb reset -k ${nameOfIndex(path)} --force`;
}

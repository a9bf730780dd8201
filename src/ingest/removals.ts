import { KbError } from '../core/errors.ts';
import { allDocuments, documentsUnder } from '../store/documents.ts';
import type { IndexFile } from '../store/index-file.ts';
import type { Roots } from './roots.ts';
import type { Walked } from './walk.ts';

export interface RemovalInput {
  readonly index: IndexFile;
  readonly roots: Roots;
  readonly walked: Walked;
  readonly force: boolean;
}

/**
 * Documents whose files are gone. Absence is only believed where it could be seen: what stands below an
 * unreadable folder stays, a configured path that vanished is an error, and one that has lost every document
 * wants `--force` (an unmounted disk looks just like it).
 */
export function planRemovals({ index, roots, walked, force }: RemovalInput): string[] {
  refuseMissingRoots(index, roots, force);
  const present = new Set(walked.files.map((file) => file.path));
  const hidden = walked.skipped.filter((skipped) => skipped.unreadable).map((skipped) => skipped.path);
  const gone = allDocuments(index)
    .map((document) => document.path as string)
    .filter((path) => !present.has(path) && !hidden.some((folder) => isBelow(path, folder)));
  if (!force) refuseEmptiedRoots(index, roots, gone);
  return gone;
}

function refuseMissingRoots(index: IndexFile, roots: Roots, force: boolean): void {
  if (roots.found.length === 0 && roots.missing.length > 0) {
    const [first] = roots.missing;
    throw new KbError(
      'root-unreadable',
      `none of the configured paths can be read: ${first?.path} (${first?.reason})`,
      { path: first?.path ?? '', reason: first?.reason ?? '' },
      { hint: 'check `paths` in the knowledge-base file and the rights of the folders; nothing was changed' },
    );
  }
  for (const { path, reason } of roots.missing) {
    const held = documentsUnder(index, path).length;
    if (held > 0 && !force) {
      throw rootUnreadable(
        path,
        reason,
        `${path} cannot be read (${reason}), but ${held} of its documents are indexed`,
      );
    }
  }
}

function refuseEmptiedRoots(index: IndexFile, roots: Roots, gone: readonly string[]): void {
  const lost = new Set(gone);
  for (const root of roots.found) {
    const held = documentsUnder(index, root.path);
    if (held.length === 0 || !held.every((document) => lost.has(document.path))) continue;
    throw new KbError(
      'removal-refused',
      `${root.path === '' ? 'the folder' : root.path} holds no document any more; ${held.length} would be removed from the index`,
      { path: root.path, documents: held.length },
      {
        hint: 'if they are really gone, add --force; otherwise check that the folder is mounted and complete',
      },
    );
  }
}

function rootUnreadable(path: string, reason: string, message: string): KbError {
  return new KbError(
    'root-unreadable',
    message,
    { path, reason },
    {
      hint: 'check `paths` in the knowledge-base file and the rights of the folder; nothing was changed (to drop those documents, add --force)',
    },
  );
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

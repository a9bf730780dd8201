import { rmSync, statSync } from 'node:fs';
import type { Workspace } from '../config/workspace.ts';
import { INGEST, listNamed } from '../core/advice.ts';
import { KbError } from '../core/errors.ts';
import { rebuildCoarse } from '../store/coarse.ts';
import { documentsUnder, removeDocument } from '../store/documents.ts';
import { removeOrphanVectors } from '../store/embeddings.ts';
import { guarded } from '../store/failure.ts';
import { refuseForeign } from '../store/foreign-file.ts';
import { openForWriting } from '../store/index-file.ts';
import { compact } from '../store/maintenance.ts';
import { recordRankingNumbers } from '../store/ranking-numbers.ts';
import { acquireWriterLock } from '../store/writer-lock.ts';
import { rebuildCommand } from './next-command.ts';
import { recallOrigin } from './recall.ts';

/**
 * Takes the documents at or below a path out of the index; gives their paths. Files on disk are not touched. Throws
 * address-unknown where there are none, index-missing where nothing was ingested.
 */
export function removeFromIndex(indexPath: string, path: string): string[] {
  refuseMissing(indexPath);
  if (path.trim() === '') throw nothingAt(indexPath, path);
  const lock = acquireWriterLock(indexPath);
  try {
    const index = openForWriting(indexPath);
    try {
      const paths = documentsUnder(index, path).map((document) => document.path as string);
      if (paths.length === 0) throw nothingAt(indexPath, path);
      index.transaction(() => {
        for (const one of paths) removeDocument(index, one);
        recordRankingNumbers(index);
        removeOrphanVectors(index);
        rebuildCoarse(index);
      });
      compact(index);
      return paths;
    } finally {
      index.close();
    }
  } finally {
    lock.release();
  }
}

function nothingAt(indexPath: string, path: string): KbError {
  return new KbError(
    'address-unknown',
    `no document at or below "${path}"`,
    { address: path, nearest: [] },
    {
      hint: `see the paths there are: ${listNamed(indexPath)}`,
    },
  );
}

/** The command that builds an index anew after it is deleted, as far as the index still tells where it came from. */
export function rebuildOf(indexPath: string, workspace: Workspace): string {
  try {
    const origin = recallOrigin(indexPath);
    if (origin !== undefined)
      return rebuildCommand(origin, { cwd: workspace.start, corporaDir: workspace.corporaDir });
  } catch {
    // Damaged, too new or half made: that is why it is deleted.
  }
  return INGEST;
}

/** Deletes an index, a damaged one too. Throws index-missing, index-locked, index-foreign for a file of others. */
export function deleteIndex(indexPath: string): void {
  refuseMissing(indexPath);
  refuseForeign(indexPath);
  const lock = acquireWriterLock(indexPath);
  try {
    guarded(indexPath, () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(indexPath + suffix, { force: true });
    });
  } finally {
    lock.release();
  }
}

function refuseMissing(indexPath: string): void {
  if (statSync(indexPath, { throwIfNoEntry: false }) !== undefined) return;
  throw new KbError(
    'index-missing',
    `there is no index at ${indexPath}`,
    { path: indexPath },
    { hint: INGEST },
  );
}

import { rmSync, statSync } from 'node:fs';
import { KbError } from '../core/errors.ts';
import { rebuildCoarse } from '../store/coarse.ts';
import { documentsUnder, removeDocument } from '../store/documents.ts';
import { removeOrphanVectors } from '../store/embeddings.ts';
import { guarded, openForWriting } from '../store/index-file.ts';
import { compact } from '../store/maintenance.ts';
import { recordRankingNumbers } from '../store/ranking-numbers.ts';
import { acquireWriterLock } from '../store/writer-lock.ts';

/**
 * Takes the documents at or below a path out of the index; gives their paths. Files on disk are not touched. Throws
 * address-unknown where there are none, index-missing where nothing was ingested.
 */
export function removeFromIndex(indexPath: string, path: string): string[] {
  refuseMissing(indexPath);
  if (path.trim() === '') throw nothingAt(path);
  const lock = acquireWriterLock(indexPath);
  try {
    const index = openForWriting(indexPath);
    try {
      const paths = documentsUnder(index, path).map((document) => document.path as string);
      if (paths.length === 0) throw nothingAt(path);
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

function nothingAt(path: string): KbError {
  return new KbError(
    'address-unknown',
    `no document at or below "${path}"`,
    { address: path, nearest: [] },
    {
      hint: 'kb list shows the paths there are',
    },
  );
}

/** Deletes an index. Works on a damaged or foreign file too. Throws index-missing, index-locked. */
export function deleteIndex(indexPath: string): void {
  refuseMissing(indexPath);
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
    { hint: 'kb ingest' },
  );
}

import { rmSync } from 'node:fs';
import { KbError } from '../core/errors.ts';
import { documentsUnder, removeDocument } from '../store/documents.ts';
import { openForWriting } from '../store/index-file.ts';
import { compact } from '../store/maintenance.ts';
import { acquireWriterLock } from '../store/writer-lock.ts';

/** Takes the documents at or below a path out of the index; gives their paths. Files on disk are not touched. */
export function removeFromIndex(indexPath: string, path: string): string[] {
  const lock = acquireWriterLock(indexPath);
  try {
    const index = openForWriting(indexPath);
    try {
      const paths = documentsUnder(index, path).map((document) => document.path as string);
      if (paths.length === 0) throw nothingAt(path);
      index.transaction(() => {
        for (const one of paths) removeDocument(index, one);
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

/** Deletes an index with everything that stands beside it. Waits for no one: a running ingest keeps its lock. */
export function deleteIndex(indexPath: string): void {
  const lock = acquireWriterLock(indexPath);
  try {
    for (const suffix of ['', '-wal', '-shm']) rmSync(indexPath + suffix, { force: true });
  } finally {
    lock.release();
  }
  for (const suffix of ['.lock', '.holder']) rmSync(indexPath + suffix, { force: true });
}

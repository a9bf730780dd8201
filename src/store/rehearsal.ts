import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { KbError } from '../core/errors.ts';
import { guarded } from './failure.ts';
import { openForReading } from './index-file.ts';
import { acquireWriterLock } from './writer-lock.ts';

export interface WorkPlace {
  /** The index file to work on. */
  readonly path: string;
  leave(): void;
}

/** Where an index is written: itself, with its lock held. */
export function workPlace(indexPath: string): WorkPlace {
  const lock = acquireWriterLock(indexPath);
  return { path: indexPath, leave: () => lock.release() };
}

/**
 * Where a run that is undone at its end may work: on the index itself, or, where opening it for writing would already
 * change it (it is not there, or of an older schema), on a copy that is deleted afterwards.
 */
export function rehearsalPlace(indexPath: string): WorkPlace {
  if (isCurrent(indexPath)) return workPlace(indexPath);
  const lock = existsSync(indexPath) ? acquireWriterLock(indexPath) : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'kb-dry-run-'));
  const leave = (): void => {
    rmSync(folder, { recursive: true, force: true });
    lock?.release();
  };
  try {
    const path = join(folder, basename(indexPath));
    for (const suffix of ['', '-wal']) {
      if (existsSync(indexPath + suffix))
        guarded(indexPath, () => copyFileSync(indexPath + suffix, path + suffix));
    }
    return { path, leave };
  } catch (error) {
    leave();
    throw error;
  }
}

function isCurrent(indexPath: string): boolean {
  try {
    openForReading(indexPath).close();
    return true;
  } catch (error) {
    if (error instanceof KbError && (error.code === 'index-missing' || error.code === 'index-outdated'))
      return false;
    throw error;
  }
}

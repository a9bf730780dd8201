import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { KbError } from '../core/errors.ts';
import { guarded } from './failure.ts';
import { openForReading } from './index-file.ts';
import { acquireWriterLock, type WriterLock } from './writer-lock.ts';

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
  const folder = temporaryFolder();
  let lock: WriterLock | undefined;
  const leave = (): void => {
    rmSync(folder, { recursive: true, force: true });
    lock?.release();
  };
  try {
    if (existsSync(indexPath)) lock = acquireWriterLock(indexPath);
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

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'kb-dry-run-'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new KbError(
      'index-unwritable',
      `a dry run works in a temporary folder, and none can be made in ${tmpdir()}: ${reason}`,
      { path: tmpdir(), reason },
      { hint: 'set TMPDIR to a folder that may be written' },
    );
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

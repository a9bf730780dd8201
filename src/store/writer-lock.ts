import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { KbError } from '../core/errors.ts';
import { guarded, translate } from './failure.ts';
import { makeIndexesFolder } from './index-file.ts';

export interface WriterLock {
  release(): void;
}

/**
 * Lets one process at a time write an index. The lock is an exclusive transaction on a second SQLite file
 * beside it, so the kernel frees it when the holder dies, however it dies. Who holds it stands in a text file,
 * for the message only. The file of the lock is never removed: a process that has just opened it would then hold a
 * lock that nobody else sees. Throws `index-locked` at once when it is held.
 */
export function acquireWriterLock(indexPath: string): WriterLock {
  makeIndexesFolder(dirname(indexPath));
  const lockPath = `${indexPath}.lock`;
  const holderPath = `${indexPath}.holder`;
  const database = guarded(lockPath, () => new Database(lockPath));
  try {
    database.pragma('busy_timeout = 0');
    lock(database, indexPath, holderPath);
  } catch (error) {
    database.close();
    throw translate(lockPath, error);
  }
  const holder = `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}`;
  try {
    chmodSync(lockPath, 0o600);
    writeFileSync(holderPath, `${holder}\n`, { mode: 0o600 });
  } catch (error) {
    database.close();
    throw translate(holderPath, error);
  }
  return {
    release() {
      rmSync(holderPath, { force: true });
      database.exec('ROLLBACK');
      database.close();
    },
  };
}

/** Who has the lock but not yet written its name, or is just leaving, is asked again: so often, and after so many ms. */
const TRIES = 50;
const PAUSE = 20;

function lock(database: Database.Database, indexPath: string, holderPath: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))) throw error;
      const holder = readHolder(holderPath);
      if (holder !== '') throw locked(indexPath, holder);
      if (tries === TRIES) throw locked(indexPath, 'another process');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

/** Empty where nobody has written its name. */
function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function locked(path: string, holder: string): KbError {
  return new KbError(
    'index-locked',
    `another kb is writing ${path}: ${holder}`,
    { path, holder },
    { hint: 'wait for it to end, then run the command again' },
  );
}

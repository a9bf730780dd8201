import { INGEST, ingestNamed, resetCommand } from '../core/advice.ts';
import { KbError } from '../core/errors.ts';
import { nativeFailure } from '../core/native-failure.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** Turns SQLite's own errors into ours, so that nobody above this folder needs to know its codes. */
export function guarded<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translate(path, error);
  }
}

/** Anything else than an error of SQLite or the file system stays what it is. */
export function translate(path: string, error: unknown): unknown {
  if (error instanceof KbError) return error;
  const native = nativeFailure(error);
  if (native !== undefined) return native;
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  if (code === 'SQLITE_NOTADB') return foreign(path, 'it is not an SQLite file');
  if (code.startsWith('SQLITE_CORRUPT')) {
    return new KbError(
      'index-corrupt',
      `the index ${path} is damaged: ${reason}`,
      { path, reason },
      { hint: `delete it, then build it anew from the files: ${resetCommand(path)}` },
    );
  }
  if (/^SQLITE_(BUSY|LOCKED)/u.test(code)) {
    return new KbError(
      'index-locked',
      `the index ${path} is busy`,
      { path, holder: 'another connection' },
      {
        hint: 'try again in a moment',
      },
    );
  }
  if (
    /^(SQLITE_(CANTOPEN|READONLY|PERM|FULL|IOERR)|EACCES|EPERM|EROFS|ENOSPC|EISDIR|ENOTDIR)|^ERR_FS_EISDIR/u.test(
      code,
    )
  ) {
    return unwritable(path, error);
  }
  return error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function unwritable(path: string, cause: unknown): KbError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new KbError(
    'index-unwritable',
    `the index ${path} cannot be opened or written: ${reason}`,
    { path, reason },
    { hint: 'check the folder and its rights, or name another with KB_HOME' },
  );
}

export function foreign(path: string, reason: string): KbError {
  return new KbError(
    'index-foreign',
    `${path} is not an index of kb: ${reason}`,
    { path, reason },
    { hint: `move the file away yourself, then build the index: ${INGEST}` },
  );
}

/** Version 0: made, but killed before its first ingest ended. */
export function outdated(path: string, version: number): KbError {
  if (version === 0) {
    return new KbError('index-missing', `the index ${path} is empty`, { path }, { hint: INGEST });
  }
  return new KbError(
    'index-outdated',
    `the index ${path} was written by an older kb (schema ${version}; this kb wants ${SCHEMA_VERSION})`,
    { path, found: version, supported: SCHEMA_VERSION },
    { hint: `bring it up to date: ${ingestNamed(path)}` },
  );
}

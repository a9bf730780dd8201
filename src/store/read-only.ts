import { readFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Where a database says how it is written and read: 2 for a write-ahead log, 1 for none. */
const JOURNAL_AT = [18, 19] as const;
const WITHOUT_LOG = 1;

/**
 * A copy in memory of an index in a folder where nothing may be made: a reader of a database with a write-ahead log
 * needs a file beside it. Undefined when that was not what was wrong, or when a log holds what the file does not.
 */
export function openInMemory(path: string, error: unknown): Database.Database | undefined {
  const code = error instanceof Database.SqliteError ? error.code : '';
  if (!/^SQLITE_(?:READONLY|CANTOPEN)/u.test(code)) return undefined;
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined;
  const bytes = readFileSync(path);
  for (const at of JOURNAL_AT) if (bytes.length > at) bytes[at] = WITHOUT_LOG;
  return new Database(bytes, { readonly: true });
}

import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { INGEST, resetCommand } from '../core/advice.ts';
import { KbError } from '../core/errors.ts';
import { fold, foldHeadings } from '../core/words.ts';
import { foreign, guarded, outdated, unwritable } from './failure.ts';
import { openInMemory } from './read-only.ts';
import { APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION } from './schema.ts';

type Value = string | number | bigint | null;

/** Of the file, bytes: mapped pages count as memory of the process, and more of them make no search faster. */
const MAPPED = 64 * 1024 * 1024;

/** Waits this long for another connection before giving up, milliseconds. */
const BUSY_TIMEOUT = 10_000;

/** An open index: one SQLite connection whose statements are prepared once. */
export class IndexFile {
  readonly path: string;
  readonly database: Database.Database;
  /** Counts writes and snapshots of this connection: as long as it stays the same within a transaction, so does all that is read. */
  epoch = 0;
  #writes = 0;
  readonly #statements = new Map<string, Database.Statement<(Value | Buffer)[], unknown>>();

  constructor(path: string, database: Database.Database) {
    this.path = path;
    this.database = database;
  }

  /** All rows. `Row` is the caller's word for what the SQL selects; SQL lives in this folder only. */
  all<Row>(sql: string, ...values: Value[]): Row[] {
    return guarded(this.path, () => this.#statement(sql).all(...values) as Row[]);
  }

  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    return guarded(this.path, () => this.#statement(sql).get(...values) as Row | undefined);
  }

  /** Runs a statement that returns nothing; gives the id of the row it inserted. */
  run(sql: string, ...values: Value[]): number {
    this.#noteWrite();
    return guarded(this.path, () => Number(this.#statement(sql).run(...values).lastInsertRowid));
  }

  /** As {@link run} and {@link all}, with typed arrays stored as the bytes they are. */
  runBlob(sql: string, ...values: (Value | ArrayBufferView)[]): void {
    this.#noteWrite();
    this.#statement(sql).run(...values.map(toBytes));
  }

  allBlob<Row>(sql: string, ...values: (Value | ArrayBufferView)[]): Row[] {
    return this.#statement(sql).all(...values.map(toBytes)) as Row[];
  }

  /** Row by row, for results too large to hold. The connection can do nothing else until the end. */
  iterate<Row>(sql: string, ...values: Value[]): IterableIterator<Row> {
    return this.#statement(sql).iterate(...values) as IterableIterator<Row>;
  }

  /** All of `work` or nothing of it. */
  transaction<Result>(work: () => Result): Result {
    try {
      return guarded(this.path, () => this.database.transaction(work).immediate());
    } finally {
      this.#noteWrite();
    }
  }

  /**
   * As {@link transaction}, for work that lets other events in between; nobody else may use the connection meanwhile.
   * Work that gives false is undone.
   */
  async transactionAsync(work: () => Promise<boolean>): Promise<void> {
    guarded(this.path, () => this.database.exec('BEGIN IMMEDIATE'));
    try {
      const end = (await work()) ? 'COMMIT' : 'ROLLBACK';
      guarded(this.path, () => this.database.exec(end));
    } catch (error) {
      if (this.database.inTransaction) this.database.exec('ROLLBACK');
      throw error;
    } finally {
      // What was undone is a change too, to whoever has read it meanwhile.
      this.#noteWrite();
    }
  }

  /** The same text as long as the file holds the same: it changes with every write, of this connection or another. */
  state(): string {
    const others = this.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
    return `${others} ${this.#writes}`;
  }

  /** Several reads that see one state, whatever a writer does meanwhile. */
  snapshot<Result>(work: () => Result): Result {
    if (this.database.inTransaction) return work();
    this.epoch += 1;
    return guarded(this.path, () => this.database.transaction(work).deferred());
  }

  #noteWrite(): void {
    this.#writes += 1;
    this.epoch += 1;
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }

  #statement(sql: string): Database.Statement<(Value | Buffer)[], unknown> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare<(Value | Buffer)[], unknown>(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function toBytes(value: Value | ArrayBufferView): Value | Buffer {
  return ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

/**
 * Opens an index for reading. Rejects a missing, foreign, corrupt or too new file with the KbError of that
 * name; an older one than schema `oldest` is read once an ingest has lifted it.
 */
export function openForReading(path: string, oldest = SCHEMA_VERSION): IndexFile {
  if (!existsSync(path)) {
    throw new KbError('index-missing', `there is no index at ${path}`, { path }, { hint: INGEST });
  }
  return guarded(path, () => {
    const database = connectForReading(path);
    try {
      const version = isUntouched(path, database) ? 0 : checkIdentity(path, database);
      if (version < oldest) throw outdated(path, version);
      database.pragma(`mmap_size = ${MAPPED}`);
      return new IndexFile(path, database);
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Opens an index for writing; makes it (mode 0600) when missing and lifts it to the present schema. */
export function openForWriting(path: string): IndexFile {
  makeIndexesFolder(dirname(path));
  return guarded(path, () => {
    const fresh = !existsSync(path);
    // Made by us with the mode in place, so that it is never readable by others, not even for a moment.
    if (fresh) closeSync(openSync(path, 'wx', 0o600));
    const database = connect(path, false);
    try {
      if (isUntouched(path, database)) initialise(database);
      const version = checkIdentity(path, database);
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = NORMAL');
      database.pragma('secure_delete = ON');
      database.pragma('cache_size = -65536');
      migrate(database, version);
      chmodSync(path, 0o600);
      return new IndexFile(path, database);
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** The folder of all indexes: private, and never committed by accident. */
export function makeIndexesFolder(folder: string): void {
  try {
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined) return;
    writeFileSync(join(folder, '.gitignore'), '*\n');
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function connectForReading(path: string): Database.Database {
  const database = connect(path, true);
  try {
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (error) {
    database.close();
    const copy = openInMemory(path, error);
    if (copy === undefined) throw error;
    return prepared(copy);
  }
}

function connect(path: string, readonly: boolean): Database.Database {
  return prepared(new Database(path, { readonly, fileMustExist: true }));
}

function prepared(database: Database.Database): Database.Database {
  database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  return database;
}

/**
 * An empty file: what a kill between creating the file and the first transaction leaves behind. SQLite calls a file of
 * one byte empty too, but that byte is not ours.
 */
function isUntouched(path: string, database: Database.Database): boolean {
  return (
    statSync(path).size !== 1 &&
    database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0 &&
    database.pragma('user_version', { simple: true }) === 0 &&
    database.pragma('application_id', { simple: true }) === 0
  );
}

function initialise(database: Database.Database): void {
  database.pragma('auto_vacuum = INCREMENTAL');
  database.pragma(`application_id = ${APPLICATION_ID}`);
}

function checkIdentity(path: string, database: Database.Database): number {
  const application = database.pragma('application_id', { simple: true });
  if (application !== APPLICATION_ID) throw foreign(path, 'it is an SQLite file of another program');
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > SCHEMA_VERSION) {
    throw new KbError(
      'index-too-new',
      `${path} was written by a newer kb (schema ${version}; this kb knows ${SCHEMA_VERSION})`,
      { path, found: version, supported: SCHEMA_VERSION },
      { hint: `update kb, or delete the index to build it anew: ${resetCommand(path)}` },
    );
  }
  return version;
}

function migrate(database: Database.Database, version: number): void {
  database.function('fold', { deterministic: true }, (text) => fold(String(text)));
  database.function('fold_headings', { deterministic: true }, (headings) =>
    foldHeadings(JSON.parse(String(headings)) as string[]),
  );
  for (let next = version; next < SCHEMA_VERSION; next += 1) {
    database
      .transaction(() => {
        database.exec(MIGRATIONS[next] ?? '');
        database.pragma(`user_version = ${next + 1}`);
      })
      .immediate();
  }
}

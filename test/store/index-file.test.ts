import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { allDocuments, putDocument } from '../../src/store/documents.ts';
import { openForReading, openForWriting } from '../../src/store/index-file.ts';
import { countChunks } from '../../src/store/lexical.ts';
import { checkIntegrity, compact, countHoldings, engineOf } from '../../src/store/maintenance.ts';
import { SCHEMA_VERSION } from '../../src/store/schema.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';
import { matches } from '../support/match.ts';
import { document, newIndexPath, openNew } from './support.ts';

/** A closed index of some documents, large enough to have pages in its middle. */
function filledIndex(): string {
  const path = newIndexPath();
  const index = openForWriting(path);
  index.transaction(() => {
    for (let number = 0; number < 40; number += 1) {
      putDocument(index, document(`${number}.md`, [['One', `word${number} ${'filler text '.repeat(200)}`]]));
    }
  });
  compact(index);
  index.close();
  return path;
}

describe('a new index', () => {
  test('is a file only its owner reads, in a folder that is never committed', () => {
    const index = openNew();
    expect(statSync(index.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(index.path)).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(dirname(index.path), '.gitignore'), 'utf8')).toBe('*\n');
    putDocument(index, document('a.md', [['A', 'text']]));
    for (const suffix of ['-wal', '-shm']) expect(statSync(index.path + suffix).mode & 0o077).toBe(0);
    index.close();
  });

  test('holds nothing, is sound, and opens for reading', () => {
    const index = openNew();
    index.close();
    const reading = openForReading(index.path);
    expect(countHoldings(reading)).toEqual({ documents: 0, sections: 0, chunks: 0 });
    expect(checkIntegrity(reading)).toEqual([]);
    expect(engineOf(reading).fts5).toBe(true);
    reading.close();
  });

  test('cannot be written through a connection for reading', async () => {
    const index = openNew();
    index.close();
    const reading = openForReading(index.path);
    const error = await kbErrorOf(() => putDocument(reading, document('a.md', [['A', 'text']])));
    expect(error.code).toBe('index-unwritable');
    reading.close();
  });

  test('takes the place of an empty file that a killed process left', async () => {
    const path = newIndexPath();
    mkdirSync(dirname(path));
    writeFileSync(path, '', { mode: 0o644 });
    expect((await kbErrorOf(() => openForReading(path))).code).toBe('index-missing');
    openForWriting(path).close();
    openForReading(path).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe('what is no index of ours', () => {
  test('is missing where there is nothing, and reading makes nothing', async () => {
    const path = newIndexPath();
    const error = await kbErrorOf(() => openForReading(path));
    expect([error.code, error.hint]).toEqual(['index-missing', 'kb ingest ./FOLDER']);
    expect(existsSync(dirname(path))).toBe(false);
  });

  test.each([
    ['a line of text', 'my notes\n'],
    ['a long text', 'my notes\n'.repeat(5000)],
    ['one byte', 'x'],
  ])('is foreign when it is %s, and stays as it was', async (_, content) => {
    const path = newIndexPath();
    mkdirSync(dirname(path));
    writeFileSync(path, content);
    for (const open of [openForReading, openForWriting]) {
      const error = await kbErrorOf(() => open(path));
      expect(error.code).toBe('index-foreign');
      expect(error.hint).toMatch(/move the file away/u);
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
  });

  test.each([
    ['tables', 'CREATE TABLE mine (x); INSERT INTO mine VALUES (42);'],
    ['no table but its own application id', 'PRAGMA application_id = 1234;'],
    ['no table but its own version', 'PRAGMA user_version = 7;'],
  ])('is foreign when it is an SQLite file of another program with %s', async (_, sql) => {
    const path = newIndexPath();
    mkdirSync(dirname(path));
    const other = new Database(path);
    other.exec(sql);
    other.close();
    const before = readFileSync(path);
    for (const open of [openForReading, openForWriting]) {
      expect((await kbErrorOf(() => open(path))).code).toBe('index-foreign');
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  test('is too new when a later kb wrote it, and stays as it was', async () => {
    const path = filledIndex();
    const later = new Database(path);
    later.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    later.pragma('wal_checkpoint(TRUNCATE)');
    later.close();
    const before = readFileSync(path);
    for (const open of [openForReading, openForWriting]) {
      const error = await kbErrorOf(() => open(path));
      expect(error.code).toBe('index-too-new');
      expect(error.details).toMatchObject({ found: SCHEMA_VERSION + 1, supported: SCHEMA_VERSION });
      expect(error.hint).toMatch(/update kb/u);
    }
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('cannot be opened when it is a folder', async () => {
    const path = newIndexPath();
    mkdirSync(path, { recursive: true });
    for (const open of [openForReading, openForWriting]) {
      expect((await kbErrorOf(() => open(path))).code).toBe('index-unwritable');
    }
  });

  test('cannot be made where the folder of indexes is a file', async () => {
    const path = newIndexPath();
    writeFileSync(dirname(path), 'a file');
    const error = await kbErrorOf(() => openForWriting(path));
    expect(error.code).toBe('index-unwritable');
    expect(error.hint).toMatch(/KB_HOME/u);
    expect(readFileSync(dirname(path), 'utf8')).toBe('a file');
  });
});

describe('a damaged index', () => {
  /** Everything a command may do with an index. */
  function useAll(path: string): string[] {
    const index = openForReading(path);
    try {
      matches(index, 'word7');
      allDocuments(index);
      countChunks(index);
      index.all('SELECT * FROM section');
      index.all('SELECT * FROM chunk');
      return checkIntegrity(index);
    } finally {
      index.close();
    }
  }

  test.each([0.2, 0.4, 0.6, 0.8])(
    'with bytes overwritten at %f of its length is said to be damaged',
    async (share) => {
      const path = filledIndex();
      const size = statSync(path).size;
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.alloc(12_288, 0xa5), 0, 12_288, Math.floor(size * share));
      closeSync(file);
      let problems: string[] = [];
      try {
        problems = useAll(path);
      } catch (error) {
        const known = await kbErrorOf(() => {
          throw error;
        });
        expect(known.code).toBe('index-corrupt');
        expect(known.hint).toMatch(/kb reset -k \w+ --force/u);
        return;
      }
      expect(problems).not.toEqual([]);
    },
  );

  test('cut short is said to be damaged, for reading and for writing', async () => {
    const path = filledIndex();
    truncateSync(path, Math.floor(statSync(path).size / 2));
    expect((await kbErrorOf(() => useAll(path))).code).toBe('index-corrupt');
    const error = await kbErrorOf(() => {
      const index = openForWriting(path);
      try {
        for (let number = 0; number < 40; number += 1)
          putDocument(index, document(`${number}.md`, [['X', 'other']]));
      } finally {
        index.close();
      }
    });
    expect(error.code).toBe('index-corrupt');
  });
});

describe('the check of an index', () => {
  test.each([
    ['chunks without lexical row', 'DELETE FROM lexical WHERE rowid = (SELECT min(id) FROM chunk)'],
    ['lexical rows without chunk', "INSERT INTO lexical (rowid, body) VALUES (999999, 'stray')"],
  ])('notices %s', (problem, sql) => {
    const path = filledIndex();
    const index = openForWriting(path);
    expect(checkIntegrity(index)).toEqual([]);
    index.run(sql);
    expect(checkIntegrity(index)).toEqual([`1 ${problem}`]);
    index.close();
  });

  test('notices one row missing and another too many at the same time', () => {
    const index = openForWriting(filledIndex());
    index.run('DELETE FROM lexical WHERE rowid = (SELECT min(id) FROM chunk)');
    index.run("INSERT INTO lexical (rowid, body) VALUES (999999, 'stray')");
    expect(checkIntegrity(index)).toHaveLength(2);
    index.close();
  });
});

describe('a transaction', () => {
  test('is not seen by another connection until it is done, and then wholly', async () => {
    const writer = openNew();
    writer.transaction(() => putDocument(writer, document('a.md', [['A', 'old words']])));
    const reader = openForReading(writer.path);
    const seen = () => ({
      paths: allDocuments(reader).map((one) => one.path as string),
      old: matches(reader, 'old').length,
      new: matches(reader, 'new').length,
    });
    const before = { paths: ['a.md'], old: 1, new: 0 };
    await writer.transactionAsync(async () => {
      putDocument(writer, document('a.md', [['A', 'new words']]));
      expect(seen()).toEqual(before);
      await new Promise((resolve) => setImmediate(resolve));
      putDocument(writer, document('b.md', [['B', 'new things']]));
      expect(seen()).toEqual(before);
      return true;
    });
    expect(seen()).toEqual({ paths: ['a.md', 'b.md'], old: 0, new: 2 });
    reader.close();
    writer.close();
  });

  test('that fails leaves everything as it was', async () => {
    const index = openNew();
    index.transaction(() => putDocument(index, document('a.md', [['A', 'old words']])));
    const failing = index.transactionAsync(async () => {
      putDocument(index, document('a.md', [['A', 'new words']]));
      putDocument(index, document('b.md', [['B', 'more']]));
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    expect(allDocuments(index).map((one) => one.path)).toEqual(['a.md']);
    expect(matches(index, 'old')).toHaveLength(1);
    expect(checkIntegrity(index)).toEqual([]);
    index.close();
  });

  test('that is not to be kept leaves everything as it was', async () => {
    const index = openNew();
    await index.transactionAsync(async () => {
      putDocument(index, document('a.md', [['A', 'only tried']]));
      return false;
    });
    expect(allDocuments(index)).toEqual([]);
    index.close();
  });

  test('of a reader sees one state while a writer commits', () => {
    const writer = openNew();
    writer.transaction(() => putDocument(writer, document('a.md', [['A', 'old']])));
    const reader = openForReading(writer.path);
    reader.snapshot(() => {
      expect(countChunks(reader)).toBe(1);
      writer.transaction(() => putDocument(writer, document('b.md', [['B', 'new']])));
      expect(countChunks(reader)).toBe(1);
      expect(matches(reader, 'new')).toEqual([]);
    });
    expect(countChunks(reader)).toBe(2);
    reader.close();
    writer.close();
  });
});

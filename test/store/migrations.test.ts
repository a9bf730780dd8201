import { describe, expect, test } from 'vitest';
import { putDocument } from '../../src/store/documents.ts';
import { FullText } from '../../src/store/full-text.ts';
import { openForReading, openForWriting } from '../../src/store/index-file.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';
import { document, openNew } from './support.ts';

describe('an index of an older kb', () => {
  test('that held stems holds every word as it is written once it is opened for writing', async () => {
    const index = openNew();
    putDocument(index, document('Größe.md', [['The Agents', 'They were running in 東京タワー.']]));
    putDocument(index, document('b.md', [['', 'runs']]));
    const text = FullText.of(index);
    const words = ['große', 'agents', 'running', '東京', 'runs', 'run'];
    const before = words.map((word) => [...text.written(word).rows]);
    // What an index of schema 6 held.
    index.database.exec(
      `DROP TABLE lexical;
       CREATE VIRTUAL TABLE lexical USING fts5 (title, path, body, content = '', contentless_delete = 1,
         tokenize = 'porter unicode61 remove_diacritics 2');
       CREATE VIRTUAL TABLE vocabulary USING fts5vocab (lexical, 'row');
       PRAGMA user_version = 6`,
    );
    index.close();
    expect((await kbErrorOf(() => openForReading(index.path))).code).toBe('index-outdated');
    const lifted = openForWriting(index.path);
    const after = FullText.of(lifted);
    expect(words.map((word) => [...after.written(word).rows])).toEqual(before);
    expect([...after.list('run').rows]).toEqual([1, 2]);
    lifted.close();
  });
});

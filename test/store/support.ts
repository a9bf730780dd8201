import { join } from 'node:path';
import type { DocPath } from '../../src/core/ref.ts';
import { hashSection } from '../../src/store/content-hash.ts';
import type { NewDocument, NewSection } from '../../src/store/documents.ts';
import { type IndexFile, openForWriting } from '../../src/store/index-file.ts';
import { temporaryFolder } from '../support/folders.ts';

/** Path of an index in a fresh folder; nothing is there yet. */
export function newIndexPath(): string {
  return join(temporaryFolder(), 'indexes', 'docs.db');
}

export function openNew(): IndexFile {
  return openForWriting(newIndexPath());
}

/** A document whose sections are given as heading and text; an empty heading is the text before the first one. */
export function document(
  path: string,
  sections: readonly (readonly [heading: string, text: string])[],
): NewDocument {
  return {
    path: path as DocPath,
    title: path,
    hash: JSON.stringify(sections),
    size: 1,
    metadata: {},
    status: 'indexed',
    depends: {},
    sections: sections.map(([heading, text], position): NewSection => {
      const lines = { first: position * 2 + 1, last: position * 2 + 2 };
      return {
        headings: heading === '' ? [] : [heading],
        anchors: heading === '' ? [] : [heading.toLowerCase()],
        lines,
        hash: hashSection(text),
        markdown: text,
        chunks: text === '' ? [] : [{ text, lines }],
      };
    }),
  };
}

/** Rows of each table that a document fills. */
export function rowCounts(index: IndexFile): Record<string, number> {
  const tables = ['document', 'section', 'chunk', 'lexical_docsize'];
  return Object.fromEntries(
    tables.map((table) => [table, index.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? -1]),
  );
}

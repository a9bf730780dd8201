import type { EmbedderIdentity } from '../core/embedder.ts';
import type { IndexFile } from './index-file.ts';
import { readMeta, writeMeta } from './meta.ts';

/** A text that has no vector yet. */
export interface PendingInput {
  /** Hash of the text with its heading path: what vectors are stored by. */
  readonly input: string;
  /** Heading path, for the document prefix. */
  readonly title: string;
  readonly text: string;
}

const IDENTITY = 'embedder';
/** Changes with every change of the vectors: what was computed from them is only good for one value. */
const STAMP = 'vectors-stamp';

/** Identity all vectors of this index were made with; undefined while there are none. */
export function pinnedIdentity(index: IndexFile): EmbedderIdentity | undefined {
  const text = readMeta(index, IDENTITY);
  return text === undefined ? undefined : (JSON.parse(text) as EmbedderIdentity);
}

export function pinIdentity(index: IndexFile, identity: EmbedderIdentity): void {
  writeMeta(index, IDENTITY, JSON.stringify(identity));
}

/** Forgets every vector and the identity they had. */
export function dropEmbeddings(index: IndexFile): void {
  index.run('DELETE FROM embedding');
  index.run('DELETE FROM coarse');
  index.run('DELETE FROM meta WHERE key = ?', IDENTITY);
  touchStamp(index);
}

export interface EmbeddingCounts {
  /** Different texts there are to embed, and those that have a vector. */
  readonly inputs: number;
  readonly vectors: number;
}

export function countEmbeddings(index: IndexFile): EmbeddingCounts {
  const row = index.get<EmbeddingCounts>(
    `SELECT (SELECT count(DISTINCT input) FROM chunk) AS inputs,
            (SELECT count(*) FROM embedding) AS vectors`,
  );
  return row ?? { inputs: 0, vectors: 0 };
}

export function countVectors(index: IndexFile): number {
  return index.get<{ n: number }>('SELECT count(*) AS n FROM embedding')?.n ?? 0;
}

/** Different texts that have no vector. */
export function countPending(index: IndexFile): number {
  const { inputs, vectors } = countEmbeddings(index);
  return Math.max(0, inputs - vectors);
}

export function hasEmbeddings(index: IndexFile): boolean {
  return index.get('SELECT 1 FROM embedding LIMIT 1') !== undefined;
}

/** Texts without vector in index order, `limit` at most, after the one with the chunk id `after`. */
export function pendingInputs(
  index: IndexFile,
  limit: number,
  after = 0,
): (PendingInput & { chunkId: number })[] {
  const rows = index.all<{ id: number; input: string; title: string; headings: string; text: string }>(
    `SELECT min(chunk.id) AS id, chunk.input AS input, document.title AS title, headings, text
     FROM chunk JOIN section ON section.id = section_id JOIN document ON document.id = document_id
     WHERE chunk.id > ? AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedding.input = chunk.input)
     GROUP BY chunk.input ORDER BY 1 LIMIT ?`,
    after,
    limit,
  );
  return rows.map((row) => ({
    chunkId: row.id,
    input: row.input,
    title: titleOf(row.title, JSON.parse(row.headings) as string[]),
    text: row.text,
  }));
}

/** What stands for `{title}` in a document prefix: the heading path, with the title where it is not in it. */
export function titleOf(title: string, headings: readonly string[]): string {
  const path = headings[0] === title ? headings : [title, ...headings];
  return path.filter((part) => part !== '').join(' > ');
}

/** Adds the vectors of some texts, all or none; a text that got one meanwhile keeps it. */
export function putVectors(
  index: IndexFile,
  vectors: readonly { readonly input: string; readonly vector: Float32Array }[],
): void {
  index.transaction(() => {
    for (const { input, vector } of vectors) {
      index.runBlob(
        'INSERT INTO embedding (input, vector) VALUES (?, ?) ON CONFLICT (input) DO NOTHING',
        input,
        vector,
      );
    }
    touchStamp(index);
  });
}

/** Removes vectors of texts that no chunk holds any more; gives how many. */
export function removeOrphanVectors(index: IndexFile): number {
  const before = countEmbeddings(index).vectors;
  index.run(
    'DELETE FROM embedding WHERE NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.input = embedding.input)',
  );
  const removed = before - countEmbeddings(index).vectors;
  if (removed > 0) touchStamp(index);
  return removed;
}

export function vectorStamp(index: IndexFile): string {
  return readMeta(index, STAMP) ?? '0';
}

function touchStamp(index: IndexFile): void {
  writeMeta(index, STAMP, String(Number(vectorStamp(index)) + 1));
}

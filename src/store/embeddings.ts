import type { EmbedderIdentity } from '../core/embedder.ts';
import { titleOf } from './embedding-inputs.ts';
import type { IndexFile } from './index-file.ts';
import { readMeta, writeMeta } from './meta.ts';

/** A text that has no vector yet. */
export interface PendingInput {
  /** Hash of what is embedded: what vectors are stored by. */
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
  const text = hasEmbeddings(index) ? readMeta(index, IDENTITY) : undefined;
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
  /** Different texts there are to embed (a chunk not yet named counts for one), and those that have a vector. */
  readonly inputs: number;
  readonly vectors: number;
}

export function countEmbeddings(index: IndexFile): EmbeddingCounts {
  const row = index.get<EmbeddingCounts>(
    `SELECT (SELECT count(DISTINCT input) + count(*) - count(input) FROM chunk) AS inputs,
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

function hasEmbeddings(index: IndexFile): boolean {
  return index.get('SELECT 1 FROM embedding LIMIT 1') !== undefined;
}

/** Different texts without vector in index order, from at most `limit` chunks after the one with the id `after`. */
export function pendingInputs(
  index: IndexFile,
  limit: number,
  after = 0,
): (PendingInput & { chunkId: number })[] {
  // By id, so that going on costs nothing for the chunks before; a text that comes again is embedded by then.
  const rows = index.all<{ id: number; input: string; title: string; headings: string; text: string }>(
    `SELECT chunk.id AS id, chunk.input AS input, document.title AS title, headings, text
     FROM chunk CROSS JOIN section ON section.id = section_id CROSS JOIN document ON document.id = document_id
     WHERE chunk.id > ? AND NOT EXISTS (SELECT 1 FROM embedding WHERE embedding.input = chunk.input)
     ORDER BY chunk.id LIMIT ?`,
    after,
    limit,
  );
  const first = new Map<string, PendingInput & { chunkId: number }>();
  for (const { id, input, title, headings, text } of rows) {
    if (first.has(input)) continue;
    first.set(input, { chunkId: id, input, title: titleOf(title, JSON.parse(headings) as string[]), text });
  }
  return [...first.values()];
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
  const before = countVectors(index);
  index.run(
    'DELETE FROM embedding WHERE NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.input = embedding.input)',
  );
  const removed = before - countVectors(index);
  if (removed > 0) touchStamp(index);
  return removed;
}

export function vectorStamp(index: IndexFile): string {
  return readMeta(index, STAMP) ?? '0';
}

function touchStamp(index: IndexFile): void {
  writeMeta(index, STAMP, String(Number(vectorStamp(index)) + 1));
}

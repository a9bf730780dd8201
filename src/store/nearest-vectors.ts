import type { DocumentScope } from '../core/scope.ts';
import { type CoarseVectors, toVector } from './coarse.ts';
import { candidates } from './coarse-scan.ts';
import { inScope } from './documents.ts';
import type { IndexFile } from './index-file.ts';
import { loadVectorExtension } from './vector-extension.ts';

/** An embedding with its likeness to the query: the cosine, 1 for the same direction. */
export interface NearVector {
  readonly id: number;
  readonly likeness: number;
}

/** Ids of the embeddings of chunks of a scope; undefined for all. */
export function embeddingsUnder(index: IndexFile, scope: DocumentScope): ReadonlySet<number> | undefined {
  const [where, values] = inScope(scope);
  if (values.length === 0) return undefined;
  const rows = index.all<{ id: number }>(
    `SELECT DISTINCT embedding.id AS id FROM document
     JOIN section ON section.document_id = document.id
     JOIN chunk ON chunk.section_id = section.id
     JOIN embedding ON embedding.input = chunk.input WHERE ${where}`,
    ...values,
  );
  return new Set(rows.map((row) => row.id));
}

/** The nearest vectors, every one of them (or of `only`) compared exactly. */
export function exactNearest(
  index: IndexFile,
  query: Float32Array,
  limit: number,
  only?: ReadonlySet<number>,
): NearVector[] {
  if (only !== undefined) return rescore(index, query, [...only], limit);
  if (loadVectorExtension(index) !== true) {
    const rows = index.iterate<{ id: number; vector: Buffer }>('SELECT id, vector FROM embedding');
    return best(likenesses(rows, query), limit);
  }
  return index.allBlob<NearVector>(
    `SELECT id, 1 - vec_distance_cosine(vector, ?) AS likeness FROM embedding ORDER BY likeness DESC, id LIMIT ${limit}`,
    query,
  );
}

/** The nearest vectors among those whose bits agree most with the query: nearly always the same, for a tenth of the work. */
export function coarseNearest(
  index: IndexFile,
  coarse: CoarseVectors,
  wanted: {
    readonly query: Float32Array;
    readonly limit: number;
    readonly only: ReadonlySet<number> | undefined;
  },
): NearVector[] {
  const { query, limit, only } = wanted;
  return rescore(index, query, candidates(coarse, query, { limit, only }), limit);
}

function rescore(index: IndexFile, query: Float32Array, ids: readonly number[], limit: number): NearVector[] {
  if (loadVectorExtension(index) === true) {
    return index.allBlob<NearVector>(
      `SELECT embedding.id AS id, 1 - vec_distance_cosine(vector, ?) AS likeness
       FROM json_each(?) AS wanted CROSS JOIN embedding ON embedding.id = wanted.value
       ORDER BY likeness DESC, embedding.id LIMIT ${limit}`,
      query,
      JSON.stringify(ids),
    );
  }
  const rows = index.iterate<{ id: number; vector: Buffer }>(
    `SELECT embedding.id AS id, vector FROM json_each(?) AS wanted
     CROSS JOIN embedding ON embedding.id = wanted.value`,
    JSON.stringify(ids),
  );
  return best(likenesses(rows, query), limit);
}

function* likenesses(
  rows: Iterable<{ readonly id: number; readonly vector: Buffer }>,
  query: Float32Array,
): Generator<NearVector> {
  for (const row of rows) {
    const vector = toVector(row.vector);
    let likeness = 0;
    for (let at = 0; at < query.length; at += 1) likeness += (vector[at] ?? 0) * (query[at] ?? 0);
    yield { id: row.id, likeness };
  }
}

function best(found: Iterable<NearVector>, limit: number): NearVector[] {
  return [...found].sort((a, b) => b.likeness - a.likeness || a.id - b.id).slice(0, limit);
}

/** Chunks that hold each embedded text, with their sections, in the order of `ids`, then by chunk. */
export function chunksOfEmbeddings(
  index: IndexFile,
  ids: readonly number[],
  scope: DocumentScope,
): { id: number; chunkId: number; sectionId: number }[] {
  const [where, values] = inScope(scope);
  return index.all(
    `SELECT embedding.id AS id, chunk.id AS chunkId, chunk.section_id AS sectionId FROM json_each(?) AS wanted
     CROSS JOIN embedding ON embedding.id = wanted.value
     CROSS JOIN chunk ON chunk.input = embedding.input
     CROSS JOIN section ON section.id = chunk.section_id CROSS JOIN document ON document.id = section.document_id
     ${values.length === 0 ? '' : `WHERE ${where}`}
     ORDER BY wanted.key, document.path, section.position, chunk.id`,
    JSON.stringify(ids),
    ...values,
  );
}

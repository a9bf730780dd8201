import { createRequire } from 'node:module';
import { type CoarseVectors, signsOf, toVector } from './coarse.ts';
import { underPath } from './documents.ts';
import type { IndexFile } from './index-file.ts';

/** An embedding with its likeness to the query: the cosine, 1 for the same direction. */
export interface NearVector {
  readonly id: number;
  readonly likeness: number;
}

/** Candidates that get an exact look for each that is wanted, and at least. Measured: recall@10 above 0.99 (docs/decisions). */
const CANDIDATES_EACH = 10;
const CANDIDATES_MIN = 600;

const extensionOf = new WeakMap<IndexFile, string | true>();

/** Loads sqlite-vec into a connection once; true, or why it could not be loaded. Everything works without it, slower. */
export function loadVectorExtension(index: IndexFile): string | true {
  let state = extensionOf.get(index);
  if (state === undefined) {
    state = tryLoad(index);
    extensionOf.set(index, state);
  }
  return state;
}

function tryLoad(index: IndexFile): string | true {
  try {
    const extension = createRequire(import.meta.url)('sqlite-vec') as { getLoadablePath(): string };
    index.database.loadExtension(extension.getLoadablePath());
    return true;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Ids of the embeddings of chunks at or below a path; undefined for all. */
export function embeddingsUnder(index: IndexFile, path: string): ReadonlySet<number> | undefined {
  const [where, values] = underPath(path);
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

/** The nearest vectors among those whose signs differ least: a fraction of the work, nearly always the same ones. */
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
  const distances = signDistances(coarse, signsOf(query), only);
  const count = Math.max(CANDIDATES_MIN, limit * CANDIDATES_EACH);
  return rescore(index, query, smallest(coarse.ids, distances, count), limit);
}

/** Differing signs of every vector; the largest number for those that are not wanted. */
function signDistances(coarse: CoarseVectors, query: Uint32Array, only?: ReadonlySet<number>): Uint16Array {
  const { ids, signs, words } = coarse;
  const distances = new Uint16Array(ids.length).fill(0xffff);
  for (let vector = 0, at = 0; vector < ids.length; vector += 1) {
    if (only !== undefined && !only.has(ids[vector] ?? 0)) {
      at += words;
      continue;
    }
    let distance = 0;
    for (let word = 0; word < words; word += 1, at += 1)
      distance += bits((signs[at] ?? 0) ^ (query[word] ?? 0));
    distances[vector] = distance;
  }
  return distances;
}

/** Number of ones in a 32-bit number. */
function bits(value: number): number {
  let x = value - ((value >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  x = (x + (x >>> 4)) & 0x0f0f0f0f;
  return Math.imul(x, 0x01010101) >>> 24;
}

/** Ids with the smallest distances, by counting: distances are small whole numbers. Equals by id. */
function smallest(ids: Int32Array, distances: Uint16Array, count: number): number[] {
  const counts = new Uint32Array(0x10000);
  for (const distance of distances) counts[distance] = (counts[distance] ?? 0) + 1;
  let bound = 0;
  for (let seen = 0; bound < 0xffff; bound += 1) {
    seen += counts[bound] ?? 0;
    if (seen >= count) break;
  }
  const found: number[] = [];
  for (const [position, distance] of distances.entries()) {
    if (distance <= bound && distance !== 0xffff) found.push(ids[position] ?? 0);
  }
  return found;
}

function rescore(index: IndexFile, query: Float32Array, ids: readonly number[], limit: number): NearVector[] {
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

/** Chunks that hold each embedded text, in the order of `ids`, then by chunk. */
export function chunksOfEmbeddings(
  index: IndexFile,
  ids: readonly number[],
  path: string,
): { id: number; chunkId: number }[] {
  const [where, values] = underPath(path);
  const join =
    values.length === 0
      ? ''
      : 'JOIN section ON section.id = chunk.section_id JOIN document ON document.id = section.document_id';
  return index.all<{ id: number; chunkId: number }>(
    `SELECT embedding.id AS id, chunk.id AS chunkId FROM json_each(?) AS wanted
     CROSS JOIN embedding ON embedding.id = wanted.value
     CROSS JOIN chunk ON chunk.input = embedding.input ${join}
     ${values.length === 0 ? '' : `WHERE ${where}`} ORDER BY wanted.key, chunk.id`,
    JSON.stringify(ids),
    ...values,
  );
}

import { type CoarseVectors, readCoarse } from '../store/coarse.ts';
import { countVectors, vectorStamp } from '../store/embeddings.ts';
import type { IndexFile } from '../store/index-file.ts';
import {
  chunksOfEmbeddings,
  coarseNearest,
  embeddingsUnder,
  exactNearest,
} from '../store/nearest-vectors.ts';
import { placesOfChunks } from '../store/sections.ts';

/** Up to this many vectors are all compared exactly. */
const EXACT_MAX = 20_000;
/** A section may have several near chunks: more chunks are taken than sections are wanted. */
const CHUNKS_EACH = 3;

export interface NearSection {
  readonly sectionId: number;
  readonly chunkId: number;
  /** Cosine of the query with the section's best chunk. */
  readonly likeness: number;
}

/** Signs of the vectors of an open index, read once and kept as long as they are right. */
const coarseOf = new WeakMap<IndexFile, { readonly stamp: string; readonly coarse: CoarseVectors }>();

/** Sections by the likeness of their nearest chunk to a query vector, best first; only those at or below `path`. */
export function nearestSections(
  index: IndexFile,
  vector: Float32Array,
  limit: number,
  path = '',
): NearSection[] {
  const only = embeddingsUnder(index, path);
  const near = nearestEmbeddings(index, vector, { limit: limit * CHUNKS_EACH, only });
  const likeness = new Map(near.map((one) => [one.id, one.likeness]));
  const chunks = chunksOfEmbeddings(
    index,
    near.map((one) => one.id),
    path,
  );
  const places = placesOfChunks(
    index,
    chunks.map((one) => one.chunkId),
  );
  const sections = new Map<number, NearSection>();
  for (const { id, chunkId } of chunks) {
    const sectionId = places.get(chunkId)?.sectionId;
    if (sectionId === undefined || sections.has(sectionId)) continue;
    sections.set(sectionId, { sectionId, chunkId, likeness: likeness.get(id) ?? 0 });
  }
  return [...sections.values()].slice(0, limit);
}

function nearestEmbeddings(
  index: IndexFile,
  query: Float32Array,
  wanted: { readonly limit: number; readonly only: ReadonlySet<number> | undefined },
) {
  const count = wanted.only?.size ?? countVectors(index);
  const coarse = count > EXACT_MAX ? coarseVectors(index, query.length) : undefined;
  if (coarse === undefined) return exactNearest(index, query, wanted.limit, wanted.only);
  return coarseNearest(index, coarse, { query, ...wanted });
}

function coarseVectors(index: IndexFile, dimensions: number): CoarseVectors | undefined {
  const stamp = vectorStamp(index);
  const held = coarseOf.get(index);
  if (held?.stamp === stamp) return held.coarse;
  const coarse = readCoarse(index, dimensions);
  if (coarse !== undefined) coarseOf.set(index, { stamp, coarse });
  return coarse;
}

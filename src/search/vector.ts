import type { DocumentScope } from '../core/scope.ts';
import { type CoarseVectors, readCoarse } from '../store/coarse.ts';
import { countVectors, vectorStamp } from '../store/embeddings.ts';
import type { IndexFile } from '../store/index-file.ts';
import {
  chunksOfEmbeddings,
  coarseNearest,
  embeddingsUnder,
  exactNearest,
  type NearVector,
} from '../store/nearest-vectors.ts';

/** Up to this many vectors are all compared exactly. */
const EXACT_MAX = 20_000;
/** A section may have several near chunks: more chunks are taken than sections are wanted. */
const CHUNKS_EACH = 3;
const WIDER = 4;

export interface NearSection {
  readonly sectionId: number;
  readonly chunkId: number;
  /** Cosine of the query with the section's best chunk. */
  readonly likeness: number;
}

/** What is known of the vectors of an open index: read once, and kept as long as it is right. */
interface Held {
  readonly stamp: string;
  readonly count: number;
  /** Only where there are too many for an exact look at each, and only once they are written. */
  readonly coarse: CoarseVectors | undefined;
}

const heldBy = new WeakMap<IndexFile, Held>();

/** Sections by the likeness of their nearest chunk to a query vector, best first; only those of the scope. */
export function nearestSections(
  index: IndexFile,
  vector: Float32Array,
  limit: number,
  scope: DocumentScope = {},
): NearSection[] {
  const only = embeddingsUnder(index, scope);
  // A long section may hold all the nearest chunks: more are taken until there are sections enough, or no more chunks.
  for (let wanted = limit * CHUNKS_EACH; ; wanted *= WIDER) {
    const near = nearestEmbeddings(index, vector, { limit: wanted, only });
    const sections = sectionsOf(index, near, scope);
    if (sections.length >= limit || near.length < wanted) return sections.slice(0, limit);
  }
}

/** The sections of the chunks that hold the texts, each once, in the order of its best. */
function sectionsOf(index: IndexFile, near: readonly NearVector[], scope: DocumentScope): NearSection[] {
  const likeness = new Map(near.map((one) => [one.id, one.likeness]));
  const chunks = chunksOfEmbeddings(
    index,
    near.map((one) => one.id),
    scope,
  );
  const sections = new Map<number, NearSection>();
  for (const { id, chunkId, sectionId } of chunks) {
    if (sections.has(sectionId)) continue;
    sections.set(sectionId, { sectionId, chunkId, likeness: likeness.get(id) ?? 0 });
  }
  return [...sections.values()];
}

function nearestEmbeddings(
  index: IndexFile,
  query: Float32Array,
  wanted: { readonly limit: number; readonly only: ReadonlySet<number> | undefined },
): NearVector[] {
  const { count, coarse } = heldOf(index, query.length);
  const isMany = (wanted.only?.size ?? count) > EXACT_MAX;
  if (!isMany || coarse === undefined) return exactNearest(index, query, wanted.limit, wanted.only);
  return coarseNearest(index, coarse, { query, ...wanted });
}

function heldOf(index: IndexFile, dimensions: number): Held {
  const stamp = vectorStamp(index);
  const held = heldBy.get(index);
  if (held?.stamp === stamp) return held;
  const count = countVectors(index);
  const coarse = count > EXACT_MAX ? readCoarse(index, dimensions) : undefined;
  const now: Held = { stamp, count, coarse };
  // Signs that are still to be written come without a new stamp: they are looked for again.
  if (count <= EXACT_MAX || coarse !== undefined) heldBy.set(index, now);
  return now;
}

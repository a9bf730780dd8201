import { vectorStamp } from './embeddings.ts';
import type { IndexFile } from './index-file.ts';

/**
 * Every vector as the signs of its components' difference from the mean, 8 to a byte: enough to find the candidates
 * worth an exact look. The mean is taken off since all texts of a corpus point a common way too, which would make the
 * signs of many components all alike.
 */
export interface CoarseVectors {
  /** Ids of the embeddings, ascending. */
  readonly ids: Int32Array;
  /** `ids.length` times `bytes`: bit `b` of byte `a` is the sign of component `8a + b`. */
  readonly signs: Uint8Array;
  readonly bytes: number;
}

const ALL = 'SELECT id, vector FROM embedding ORDER BY id';

interface EmbeddingRow {
  readonly id: number;
  readonly vector: Buffer;
}

/** Computes and stores the signs of all vectors, unless those stored are of just these vectors. */
export function rebuildCoarse(index: IndexFile): void {
  const stamp = vectorStamp(index);
  if (index.get<{ stamp: string }>('SELECT stamp FROM coarse')?.stamp === stamp) return;
  const count = index.get<{ n: number }>('SELECT count(*) AS n FROM embedding')?.n ?? 0;
  const mean = meanVector(index, count);
  const bytes = bytesFor(mean.length);
  const ids = new Int32Array(count);
  const signs = new Uint8Array(count * bytes);
  let position = 0;
  for (const row of index.iterate<EmbeddingRow>(ALL)) {
    ids[position] = row.id;
    signs.set(signsOf(toVector(row.vector), mean), position * bytes);
    position += 1;
  }
  index.runBlob(
    'INSERT OR REPLACE INTO coarse (id, stamp, ids, signs) VALUES (1, ?, ?, ?)',
    stamp,
    ids,
    signs,
  );
}

function meanVector(index: IndexFile, count: number): Float32Array {
  let sums = new Float64Array(0);
  for (const row of index.iterate<EmbeddingRow>(ALL)) {
    const vector = toVector(row.vector);
    if (sums.length === 0) sums = new Float64Array(vector.length);
    for (let at = 0; at < vector.length; at += 1) sums[at] = (sums[at] ?? 0) + (vector[at] ?? 0);
  }
  return Float32Array.from(sums, (sum) => sum / count);
}

/** The stored signs; undefined where they are not of the vectors that are there now. */
export function readCoarse(index: IndexFile, dimensions: number): CoarseVectors | undefined {
  const row = index.get<{ stamp: string; ids: Buffer; signs: Buffer }>(
    'SELECT stamp, ids, signs FROM coarse',
  );
  if (row === undefined || row.stamp !== vectorStamp(index)) return undefined;
  const ids = new Int32Array(copyOf(row.ids));
  const bytes = bytesFor(dimensions);
  return row.signs.length === ids.length * bytes ? { ids, signs: row.signs, bytes } : undefined;
}

export function bytesFor(dimensions: number): number {
  return Math.ceil(dimensions / 8);
}

function signsOf(vector: Float32Array, mean: Float32Array): Uint8Array {
  const signs = new Uint8Array(bytesFor(vector.length));
  for (let at = 0; at < vector.length; at += 1) {
    if ((vector[at] ?? 0) > (mean[at] ?? 0)) signs[at >>> 3] = (signs[at >>> 3] ?? 0) | (1 << (at & 7));
  }
  return signs;
}

/** Stored vectors are little-endian float32, as every platform Node runs on has them. */
export function toVector(blob: Buffer): Float32Array {
  // A blob may start anywhere in a shared buffer; a Float32Array only at multiples of four.
  return blob.byteOffset % 4 === 0
    ? new Float32Array(blob.buffer, blob.byteOffset, blob.length / 4)
    : new Float32Array(copyOf(blob));
}

function copyOf(blob: Buffer): ArrayBuffer {
  return Uint8Array.from(blob).buffer;
}

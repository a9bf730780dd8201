import { vectorStamp } from './embeddings.ts';
import type { IndexFile } from './index-file.ts';

/**
 * Every vector as the signs of its components, 32 to a number: vectors that point the same way share most signs, so
 * counting differing bits finds the candidates worth an exact look. Held in memory by whoever searches.
 */
export interface CoarseVectors {
  /** Ids of the embeddings, ascending. */
  readonly ids: Int32Array;
  /** `ids.length` times `words` numbers. */
  readonly signs: Uint32Array;
  readonly words: number;
}

/** Computes and stores the signs of all vectors, unless those stored are of just these vectors. */
export function rebuildCoarse(index: IndexFile): void {
  const stamp = vectorStamp(index);
  if (index.get<{ stamp: string }>('SELECT stamp FROM coarse')?.stamp === stamp) return;
  const count = index.get<{ n: number }>('SELECT count(*) AS n FROM embedding')?.n ?? 0;
  const ids = new Int32Array(count);
  let signs = new Uint32Array(0);
  let position = 0;
  for (const row of index.iterate<{ id: number; vector: Buffer }>(
    'SELECT id, vector FROM embedding ORDER BY id',
  )) {
    const vector = toVector(row.vector);
    const words = wordsFor(vector.length);
    if (position === 0) signs = new Uint32Array(count * words);
    ids[position] = row.id;
    signs.set(signsOf(vector), position * words);
    position += 1;
  }
  index.runBlob(
    'INSERT OR REPLACE INTO coarse (id, stamp, ids, signs) VALUES (1, ?, ?, ?)',
    stamp,
    ids,
    signs,
  );
}

/** The stored signs; undefined where they are not of the vectors that are there now. */
export function readCoarse(index: IndexFile, dimensions: number): CoarseVectors | undefined {
  const row = index.get<{ stamp: string; ids: Buffer; signs: Buffer }>(
    'SELECT stamp, ids, signs FROM coarse',
  );
  if (row === undefined || row.stamp !== vectorStamp(index)) return undefined;
  const ids = new Int32Array(copyOf(row.ids));
  const words = wordsFor(dimensions);
  const signs = new Uint32Array(copyOf(row.signs));
  return signs.length === ids.length * words ? { ids, signs, words } : undefined;
}

export function wordsFor(dimensions: number): number {
  return Math.ceil(dimensions / 32);
}

export function signsOf(vector: Float32Array): Uint32Array {
  const signs = new Uint32Array(wordsFor(vector.length));
  for (let at = 0; at < vector.length; at += 1) {
    if ((vector[at] ?? 0) > 0) signs[at >>> 5] = (signs[at >>> 5] ?? 0) | (1 << (at & 31));
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

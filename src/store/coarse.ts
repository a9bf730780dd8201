import { vectorStamp } from './embeddings.ts';
import type { IndexFile } from './index-file.ts';

/**
 * Every vector in two bits a component: on which side of the mean it lies, and whether far from it. Enough to find the
 * candidates worth an exact look, in a sixteenth of the memory. The mean is taken off since all texts of a corpus point
 * a common way too, which would make the sides of many components all alike.
 */
export interface CoarseVectors {
  /** Ids of the embeddings, ascending. */
  readonly ids: Int32Array;
  /** Mean distance of each component from its mean. */
  readonly spread: Float32Array;
  /** `ids.length` times `bytes`: bit `b` of byte `a` is set where component `8a + b` lies above its mean. */
  readonly signs: Uint8Array;
  /** As `signs`: set where the component is farther from its mean than `spread`. */
  readonly strengths: Uint8Array;
  readonly bytes: number;
}

const ALL = 'SELECT id, vector FROM embedding ORDER BY id';
/** Part of the stamp: what another version has written is not read. */
const FORMAT = '2';
/** Mean distance from the mean of a normal distribution, in standard deviations. */
const MEAN_DISTANCE = Math.sqrt(2 / Math.PI);

interface EmbeddingRow {
  readonly id: number;
  readonly vector: Buffer;
}

/** Computes and stores the bits of all vectors, unless those stored are of just these vectors. */
export function rebuildCoarse(index: IndexFile): void {
  const stamp = stampOf(index);
  if (index.get<{ stamp: string }>('SELECT stamp FROM coarse')?.stamp === stamp) return;
  const count = index.get<{ n: number }>('SELECT count(*) AS n FROM embedding')?.n ?? 0;
  const { mean, spread } = distributionOf(index, count);
  const bytes = bytesFor(mean.length);
  const ids = new Int32Array(count);
  const coded = new Uint8Array(spread.byteLength + 2 * count * bytes);
  coded.set(new Uint8Array(spread.buffer));
  const signs = coded.subarray(spread.byteLength, spread.byteLength + count * bytes);
  const strengths = coded.subarray(spread.byteLength + count * bytes);
  let position = 0;
  for (const row of index.iterate<EmbeddingRow>(ALL)) {
    ids[position] = row.id;
    const start = position * bytes;
    const vector = toVector(row.vector);
    for (let at = 0; at < mean.length; at += 1) {
      const distance = (vector[at] ?? 0) - (mean[at] ?? 0);
      setBit(signs, start, at, distance > 0);
      setBit(strengths, start, at, Math.abs(distance) > (spread[at] ?? 0));
    }
    position += 1;
  }
  index.runBlob(
    'INSERT OR REPLACE INTO coarse (id, stamp, ids, signs) VALUES (1, ?, ?, ?)',
    stamp,
    ids,
    coded,
  );
}

/** Sets bit `at` of those that begin at byte `start`, if it is to be set. */
function setBit(bits: Uint8Array, start: number, at: number, isSet: boolean): void {
  const place = start + (at >>> 3);
  if (isSet) bits[place] = (bits[place] ?? 0) | (1 << (at & 7));
}

function distributionOf(index: IndexFile, count: number): { mean: Float32Array; spread: Float32Array } {
  let sums = new Float64Array(0);
  let squares = new Float64Array(0);
  for (const row of index.iterate<EmbeddingRow>(ALL)) {
    const vector = toVector(row.vector);
    if (sums.length === 0) {
      sums = new Float64Array(vector.length);
      squares = new Float64Array(vector.length);
    }
    for (let at = 0; at < vector.length; at += 1) {
      const value = vector[at] ?? 0;
      sums[at] = (sums[at] ?? 0) + value;
      squares[at] = (squares[at] ?? 0) + value * value;
    }
  }
  const mean = Float32Array.from(sums, (sum) => sum / count);
  const spread = Float32Array.from(squares, (square, at) => {
    const middle = mean[at] ?? 0;
    return MEAN_DISTANCE * Math.sqrt(Math.max(0, square / count - middle * middle));
  });
  return { mean, spread };
}

/** The stored bits; undefined where they are not of the vectors that are there now. */
export function readCoarse(index: IndexFile, dimensions: number): CoarseVectors | undefined {
  const row = index.get<{ stamp: string; ids: Buffer; signs: Buffer }>(
    'SELECT stamp, ids, signs FROM coarse',
  );
  if (row === undefined || row.stamp !== stampOf(index)) return undefined;
  const ids = new Int32Array(copyOf(row.ids));
  const bytes = bytesFor(dimensions);
  const head = dimensions * 4;
  const size = ids.length * bytes;
  if (row.signs.length !== head + 2 * size) return undefined;
  return {
    ids,
    spread: new Float32Array(copyOf(row.signs.subarray(0, head))),
    signs: row.signs.subarray(head, head + size),
    strengths: row.signs.subarray(head + size),
    bytes,
  };
}

function stampOf(index: IndexFile): string {
  return `${FORMAT}:${vectorStamp(index)}`;
}

function bytesFor(dimensions: number): number {
  return Math.ceil(dimensions / 8);
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

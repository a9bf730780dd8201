import { fold, stem, words } from '../../src/core/words.ts';

/**
 * A real embedding without a model: words and their character n-grams, hashed and projected with random signs, so that
 * texts with words of the same stems or spelling have vectors near each other. Always the same for the same text.
 */
export function hashedEmbedding(text: string, dimensions = 384): Float32Array {
  const vector = new Float64Array(dimensions);
  for (const [feature, weight] of featuresOf(text)) project(feature, weight, vector);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // A text without a letter still has a vector: one direction for all of them.
  if (length === 0) vector[0] = 1;
  return Float32Array.from(vector, (value) => value / (length || 1));
}

/** Words that are in every text say little of any. */
const COMMON = new Set(
  'a an and are as at be by can do does for from has have how i if in into is it its of on or that the this to was what when where which with you your'.split(
    ' ',
  ),
);
const PIECES = [3, 4, 5];

function featuresOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words(fold(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const features = new Map<string, number>();
  const add = (feature: string, weight: number) =>
    features.set(feature, (features.get(feature) ?? 0) + weight);
  for (const [word, count] of counts) {
    const weight = (1 + Math.log(count)) * (COMMON.has(word) ? 0.1 : 1);
    add(`w:${stem(word)}`, weight);
    const padded = `^${word}$`;
    for (const size of PIECES) {
      const pieces = padded.length - size + 1;
      // All pieces of a word together weigh half as much as its stem.
      for (let start = 0; start < pieces; start += 1) {
        add(
          `${size}:${padded.slice(start, start + size)}`,
          (0.5 * weight) / Math.sqrt(pieces * PIECES.length),
        );
      }
    }
  }
  return features;
}

const SIGNS = 8;

/** Adds a feature to a few places of the vector, with signs, all chosen by its hash. */
function project(feature: string, weight: number, vector: Float64Array): void {
  let state = 0x811c9dc5;
  for (let index = 0; index < feature.length; index += 1) {
    state = Math.imul(state ^ feature.charCodeAt(index), 0x01000193);
  }
  for (let round = 0; round < SIGNS; round += 1) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    state ^= state >>> 13;
    const place = (state >>> 1) % vector.length;
    vector[place] = (vector[place] ?? 0) + (state & 1 ? weight : -weight);
  }
}

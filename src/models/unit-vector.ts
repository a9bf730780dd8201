/**
 * The vector of unit length with the direction of `values`; in words what is wrong where there is none (`is all zeros`).
 * Any finite values will do: they are scaled before they are squared.
 */
export function unitVector(values: ArrayLike<number>): Float32Array | string {
  if (values.length === 0) return 'is empty';
  let largest = 0;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? Number.NaN;
    if (!Number.isFinite(value)) return 'holds values that are no finite numbers';
    largest = Math.max(largest, Math.abs(value));
  }
  if (largest === 0) return 'is all zeros';
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) squares += ((values[index] ?? 0) / largest) ** 2;
  const length = Math.sqrt(squares);
  return Float32Array.from(values, (value) => value / largest / length);
}

/** Length of a vector as it came. */
export function lengthOf(values: ArrayLike<number>): number {
  let squares = 0;
  for (let index = 0; index < values.length; index += 1) squares += (values[index] ?? 0) ** 2;
  return Math.sqrt(squares);
}

/** Inner product; the cosine where both have unit length. Of vectors of different length the shorter one counts. */
export function innerProduct(left: ArrayLike<number>, right: ArrayLike<number>): number {
  const size = Math.min(left.length, right.length);
  let sum = 0;
  for (let index = 0; index < size; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0);
  return sum;
}

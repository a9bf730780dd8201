/** Mistakes a person makes in a word of this length: one in three letters, at least one. */
function tolerance(word: string): number {
  return Math.max(1, Math.floor(word.length / 3));
}

/**
 * Damerau-Levenshtein distance (insert, delete, replace, swap of neighbours; optimal string alignment) in UTF-16
 * units. Gives up early: any value above `limit` only means "farther than `limit`".
 */
export function editDistance(left: string, right: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= right.length; column += 1) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      let value = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + cost,
      );
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        value = Math.min(value, at(before, column - 2) + 1);
      }
      current.push(value);
      best = Math.min(best, value);
    }
    if (best > limit) return limit + 1;
    before = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/**
 * Up to `count` candidates within `limit` edits of `word`, nearest first, equals in the order given. Upper and lower
 * case count as the same letter. `limit` is one edit per three letters of the word unless given.
 */
export function nearestFew(
  word: string,
  candidates: Iterable<string>,
  count: number,
  limit: number = tolerance(word),
): readonly string[] {
  const wanted = word.toLowerCase();
  const near: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), limit);
    if (distance <= limit) near.push({ candidate, distance });
  }
  near.sort((left, right) => left.distance - right.distance);
  return near.slice(0, count).map((found) => found.candidate);
}

/** The candidate that `word` most likely stands for; undefined when none is near. See {@link nearestFew}. */
export function nearest(word: string, candidates: Iterable<string>, limit?: number): string | undefined {
  return nearestFew(word, candidates, 1, limit)[0];
}

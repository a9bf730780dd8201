/** Rows that are looked at more closely, ascending; scores of theirs are kept in this order. */
export class Candidates {
  readonly rows: Int32Array;
  /** By row: its place among the candidates, counted from 1; 0 for a row that is none. */
  readonly #places: Int32Array;

  /** Rows with ids below `size`, each once, in any order. */
  constructor(rows: Iterable<number>, size: number) {
    this.rows = Int32Array.from(rows).sort();
    this.#places = new Int32Array(size);
    for (let at = 0; at < this.rows.length; at += 1) this.#places[this.rows[at] as number] = at + 1;
  }

  /** Where the scores of a row are kept; -1 for a row that is no candidate. */
  placeOf(row: number): number {
    return (this.#places[row] ?? 0) - 1;
  }
}

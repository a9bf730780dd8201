/** Makes a slug that is taken different, as one page's headings come in page order. */
export interface Numbering {
  /** The id of a heading whose slug is `slug`. */
  next(slug: string): string;
  /** An id written out on the page, which no slug may take. */
  reserve(id: string): void;
}

/** The next number that is free: `a`, `a-1` (literal), `a` gives `a-2`. */
export class FreeNumbering implements Numbering {
  readonly #last = new Map<string, number>();
  readonly #separator: string;

  constructor(separator = '-') {
    this.#separator = separator;
  }

  next(slug: string): string {
    let id = slug;
    let number = this.#last.get(slug) ?? 0;
    while (this.#last.has(id)) {
      number += 1;
      id = slug + this.#separator + number;
    }
    if (id !== slug) this.#last.set(slug, number);
    this.#last.set(id, 0);
    return id;
  }

  reserve(id: string): void {
    if (!this.#last.has(id)) this.#last.set(id, 0);
  }
}

/** A slug's own count, taken ids or not: `a`, `a-1` (literal), `a` gives `a-1` again. */
export class CountNumbering implements Numbering {
  readonly #seen = new Map<string, number>();
  readonly #separator: string;
  readonly #second: number;

  /** `second` is the number of a slug's second heading. */
  constructor(separator = '-', second = 1) {
    this.#separator = separator;
    this.#second = second;
  }

  next(slug: string): string {
    const count = this.#seen.get(slug) ?? 0;
    this.#seen.set(slug, count + 1);
    return count === 0 ? slug : slug + this.#separator + (this.#second + count - 1);
  }

  reserve(): void {
    // Ids written out are not counted by these generators.
  }
}

/** Python-Markdown: `a`, `a_1`; a number at the end counts on (`step_2` twice gives `step_3`); no letters give `_1`. */
export class PythonNumbering implements Numbering {
  readonly #used = new Set<string>(['']);
  /** By stem, from a number that is taken to one that may not be: every search makes the next one shorter. */
  readonly #later = new Map<string, Map<number, number>>();

  next(slug: string): string {
    let id = slug;
    if (this.#used.has(id)) {
      const found = /^(?<stem>.*)_(?<number>\d{1,9})$/su.exec(slug)?.groups;
      const stem = found?.['stem'] ?? slug;
      id = `${stem}_${this.#free(stem, Number(found?.['number'] ?? 0))}`;
    }
    this.#used.add(id);
    return id;
  }

  reserve(id: string): void {
    this.#used.add(id);
  }

  #free(stem: string, from: number): number {
    const later = this.#later.get(stem) ?? new Map<number, number>();
    this.#later.set(stem, later);
    const passed: number[] = [from];
    let number = later.get(from) ?? from + 1;
    while (this.#used.has(`${stem}_${number}`)) {
      passed.push(number);
      number = later.get(number) ?? number + 1;
    }
    for (const taken of passed) later.set(taken, number);
    return number;
  }
}

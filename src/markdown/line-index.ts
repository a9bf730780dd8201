/** Where the lines of a text begin. `\n`, `\r\n` and a lone `\r` end a line; nothing else does (U+2028, form feed). */
export class LineIndex {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    const end = text.includes('\r') ? /\r\n?|\n/gu : undefined;
    if (end === undefined) {
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    } else {
      for (const found of text.matchAll(end)) this.#starts.push(found.index + found[0].length);
    }
  }

  /** Offset of the first character of a line (from 0); the text's length for lines past the end. */
  start(line: number): number {
    return this.#starts[line] ?? this.#length;
  }

  /** The line (from 0) that holds the character at `offset`. */
  at(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The text with every line end as `\n`; lines keep their numbers. */
export function normaliseLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/gu, '\n') : text;
}

export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

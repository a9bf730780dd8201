const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/** Where the lines of a text begin. `\n`, `\r\n` and a lone `\r` end a line; nothing else does (U+2028, form feed). */
export class LineIndex {
  readonly #starts: number[] = [0];
  readonly #length: number;

  constructor(text: string) {
    this.#length = text.length;
    if (!text.includes('\r')) {
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
      return;
    }
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED))
        this.#starts.push(at + 1);
    }
  }

  /** Offset of the first character of a line (from 0); the text's length for lines past the end. */
  start(line: number): number {
    return this.#starts[line] ?? this.#length;
  }

  /** The lines that are longer than `limit`, by where they begin and end. */
  longerThan(limit: number): { readonly start: number; readonly end: number }[] {
    return this.#starts
      .map((start, line) => ({ start, end: this.start(line + 1) }))
      .filter(({ start, end }) => end - start > limit);
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

/** Tells the line (from 0) of places asked for in order: counted on from the last one, each line end is looked at once. */
export class LineCounter {
  readonly #text: string;
  #position = 0;
  #line = 0;

  constructor(text: string) {
    this.#text = text;
  }

  at(position: number): number {
    if (position < this.#position) [this.#position, this.#line] = [0, 0];
    this.#line += countLineEnds(this.#text.slice(this.#position, position));
    this.#position = position;
    return this.#line;
  }
}

/** Offset of the first line from `from` on, itself the beginning of a line, that holds more than blanks and has an end. */
export function skipBlankLines(text: string, from: number): number {
  let start = from;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) start = at + 1;
    else if (code !== SPACE && code !== TAB) break;
  }
  return start;
}

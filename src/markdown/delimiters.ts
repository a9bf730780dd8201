interface Opener {
  readonly part: number;
  readonly length: number;
  readonly both: boolean;
  left: number;
}

const BLANK = /\s/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Emphasis and strike-through marks: pairs are taken out, single marks (`a * b`, `snake_case`) are text. */
export class DelimiterStack {
  readonly #text: string;
  readonly #parts: string[];
  readonly #openers: Readonly<Record<string, Opener[]>> = { '*': [], _: [], '~': [] };

  /** `parts` is the text being written; marks that find no partner stay in it. */
  constructor(text: string, parts: string[]) {
    this.#text = text;
    this.#parts = parts;
  }

  /** Deals with the run of marks at `start`; returns the offset after it. */
  take(start: number): number {
    const mark = this.#text.charAt(start);
    let end = start;
    while (this.#text.charAt(end) === mark) end += 1;
    const length = end - start;
    const { open, close } = this.#flanks(mark, start, end);
    const usable = mark !== '~' || length === 2;
    let left = length;
    if (usable && close) left = this.#closePairs(mark, length, open);
    if (left === 0) return end;
    if (usable && open) {
      this.#openers[mark]?.push({ part: this.#parts.length, length, both: close, left });
    }
    this.#parts.push(mark.repeat(left));
    return end;
  }

  /** Marks written from this part on are gone and can open nothing. */
  forgetFrom(part: number): void {
    for (const openers of Object.values(this.#openers)) {
      while ((openers.at(-1)?.part ?? -1) >= part) openers.pop();
    }
  }

  #closePairs(mark: string, length: number, both: boolean): number {
    const openers = this.#openers[mark] ?? [];
    let left = length;
    for (let opener = openers.at(-1); opener !== undefined && left > 0; opener = openers.at(-1)) {
      const sum = opener.length + length;
      if ((opener.both || both) && sum % 3 === 0 && length % 3 !== 0) break;
      const used = Math.min(left, opener.left);
      opener.left -= used;
      left -= used;
      this.#parts[opener.part] = mark.repeat(opener.left);
      if (opener.left === 0) openers.pop();
    }
    return left;
  }

  #flanks(mark: string, start: number, end: number): { open: boolean; close: boolean } {
    const before = start === 0 ? ' ' : lastCharacter(this.#text, start);
    const after = end >= this.#text.length ? ' ' : String.fromCodePoint(this.#text.codePointAt(end) ?? 32);
    const blankBefore = BLANK.test(before);
    const blankAfter = BLANK.test(after);
    const markBefore = PUNCTUATION.test(before);
    const markAfter = PUNCTUATION.test(after);
    const left = !blankAfter && (!markAfter || blankBefore || markBefore);
    const right = !blankBefore && (!markBefore || blankAfter || markAfter);
    if (mark !== '_') return { open: left, close: right };
    return { open: left && (!right || markBefore), close: right && (!left || markAfter) };
  }
}

function lastCharacter(text: string, end: number): string {
  const low = text.charCodeAt(end - 1);
  const paired = low >= 0xdc00 && low <= 0xdfff && end > 1;
  return paired ? text.slice(end - 2, end) : text.charAt(end - 1);
}

/** Where a line stands once the containers around it are taken away. */
export interface Placed {
  /** Marks of the quotes it is put in. */
  readonly prefix: string;
  /** Columns of indentation after the prefix. */
  readonly indent: number;
  /** Without indentation; empty for a blank line. */
  readonly text: string;
  /** Columns of indentation in the source. */
  readonly column: number;
}

interface Container {
  readonly prefix: string;
  readonly base: number;
  /** Column of the line that opens it. */
  readonly column: number;
  /** A body ends by its indentation, the others by a line that closes them. */
  readonly body: boolean;
  /** What closes it: the name of a tag, the mark of a fence. */
  readonly name: string;
  /** Source columns that its lines lose; of the first line in it where nothing says so. */
  from: number | undefined;
}

/** Deeper nesting is left as it is. */
const MAX_DEPTH = 40;

/** The containers that a site adds to Markdown: bodies by indentation (`!!! note`), components, directives. */
export class Containers {
  readonly #open: Container[] = [];

  get depth(): number {
    return this.#open.length;
  }

  /** Lines from the next on belong to a body indented by four more columns; `quoted` puts them into a blockquote. */
  openBody(at: Placed, quoted: boolean): void {
    this.#push(at, { quoted, name: '', body: true, from: at.column + 4 });
  }

  /** Lines from the next on belong to something that {@link close} ends. */
  open(at: Placed, name: string, quoted: boolean): void {
    this.#push(at, { quoted, name, body: false, from: quoted ? at.column : undefined });
  }

  /** Ends the innermost container of a name and all inside it; false when there is none. */
  close(name: string): boolean {
    const index = this.#open.findLastIndex((container) => container.name === name);
    if (index === -1) return false;
    this.#open.length = index;
    return true;
  }

  has(name: string): boolean {
    return this.#open.some((container) => container.name === name);
  }

  /** Where a line of the source stands. Bodies that it is not part of end. */
  place(line: string): Placed {
    const text = line.trimStart();
    const column = columnsOf(line, line.length - text.length);
    if (text === '') return { prefix: '', indent: 0, text, column };
    const ended = this.#open.findIndex(({ body, from }) => body && column < (from ?? 0));
    if (ended !== -1) this.#open.length = ended;
    const inner = this.#open.at(-1);
    if (inner === undefined) return { prefix: '', indent: column, text, column };
    inner.from = Math.min(inner.from ?? column, column);
    const base = Math.max(0, inner.base + Math.min(0, inner.from - inner.column));
    return { prefix: inner.prefix, indent: base + column - inner.from, text, column };
  }

  #push(at: Placed, container: Pick<Container, 'name' | 'body' | 'from'> & { quoted: boolean }): void {
    if (this.#open.length >= MAX_DEPTH) return;
    const { quoted, name, body, from } = container;
    this.#open.push({
      prefix: quoted ? `${at.prefix}${' '.repeat(at.indent)}> ` : at.prefix,
      base: quoted ? 0 : at.indent,
      column: at.column,
      body,
      name,
      from,
    });
  }
}

/** Columns of the first `length` characters, which are blanks; a tab goes to the next multiple of four. */
function columnsOf(line: string, length: number): number {
  let column = 0;
  for (let at = 0; at < length; at += 1) column += line.charAt(at) === '\t' ? 4 - (column % 4) : 1;
  return column;
}

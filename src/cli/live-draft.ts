import type { SessionEvent } from '../core/event.ts';
import { stripControls } from '../core/text.ts';
import { stylesOf, type Terminal } from './render/terminal.ts';
import { widthOf } from './render/width.ts';

/** A stream that can be written to: stderr. */
export interface DraftStream {
  write(text: string): unknown;
  readonly rows?: number;
}

/** What may follow an opening bracket while it can still become a citation. */
const OPEN_CITATION =
  /(?:[([【]\s*(?:#[^)\]】\n]{0,80}|\^?[\d,;–\- ]{0,20}|[^)\]】\s]{0,60})|#[a-z2-7]{0,52})$/u;
/** A ref, or a number the model gave to a source of its own. */
const CITATION =
  /[([【]\s*#[^)\]】]*[)\]】]|(?<![\p{L}\p{N}_$)\]])[[【]\^?\d{1,4}(?:[,;–-] ?\d{1,4})*[\]】]|(?<![\p{L}\p{N}_&/])#(?=[a-z]*[2-7])[a-z2-7]{6,52}\b/gu;

/**
 * Shows what is going on while a question is answered: what is searched, and the model's words as they come. It
 * is a draft, on stderr of a terminal only: refs are left out, since none has been checked yet, and it is wiped when
 * the checked answer is there.
 */
export class LiveDraft {
  readonly #stream: DraftStream;
  readonly #terminal: Terminal;
  #pending = '';
  /** The character before what is looked at: `a[0]` is no marker. */
  #before = '';
  #lines = 0;
  #column = 0;

  constructor(stream: DraftStream, terminal: Terminal) {
    this.#stream = stream;
    this.#terminal = terminal;
  }

  readonly onEvent = (event: SessionEvent): void => {
    if (!this.#terminal.isTty) return;
    if (event.type === 'tool-call') this.#note(describeCall(event.call.name, event.call.input));
    else if (event.type === 'text-delta') this.#write(event.text);
    else if (event.type === 'text-withdrawn') this.#note('… checking the answer again');
    else if (event.type === 'session-end') this.#wipe();
  };

  #note(text: string): void {
    this.#flush();
    if (this.#column > 0) this.#put('\n');
    this.#put(`${text}\n`);
  }

  #write(text: string): void {
    this.#pending += stripControls(text);
    const open = OPEN_CITATION.exec(this.#pending);
    const ready = open === null ? this.#pending : this.#pending.slice(0, open.index);
    this.#pending = open === null ? '' : this.#pending.slice(open.index);
    this.#put(this.#withoutCitations(ready));
  }

  #flush(): void {
    this.#put(this.#withoutCitations(this.#pending));
    this.#pending = '';
  }

  #withoutCitations(text: string): string {
    const before = this.#before;
    this.#before = text.slice(-1) || before;
    return (before + text).replace(CITATION, '').slice(before.length);
  }

  #put(text: string): void {
    if (text === '') return;
    this.#stream.write(stylesOf(this.#terminal).dim(text));
    for (const [position, line] of text.split('\n').entries()) {
      if (position > 0) {
        this.#lines += 1;
        this.#column = 0;
      }
      this.#column += widthOf(line);
      this.#lines += Math.floor(this.#column / this.#terminal.columns);
      this.#column %= this.#terminal.columns;
    }
  }

  /** A draft longer than the screen has scrolled away: it stays, with a line that ends it. */
  #wipe(): void {
    this.#flush();
    if (this.#lines === 0 && this.#column === 0) return;
    if (this.#terminal.colour && this.#lines < (this.#stream.rows ?? 0) - 1) {
      this.#stream.write(`\r${this.#lines > 0 ? `\u001b[${this.#lines}A` : ''}\u001b[J`);
    } else {
      this.#stream.write(`${this.#column > 0 ? '\n' : ''}--- the checked answer:\n`);
    }
    this.#lines = 0;
    this.#column = 0;
  }
}

function describeCall(name: string, input: unknown): string {
  const fields = typeof input === 'object' && input !== null ? Object.values(input) : [];
  const words = fields.filter((value) => typeof value === 'string').join(' ');
  return `${stripControls(name)}: ${stripControls(words).replace(/\s+/gu, ' ').slice(0, 100)}`;
}

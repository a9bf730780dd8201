import { CodeTracker } from './code-tracker.ts';

/** `[THINK]` is Mistral's; the others are written by most models that reason in their text. */
const OPENING = ['<think>', '<thinking>', '<thought>', '[THINK]'];
const CLOSING = ['</think>', '</thinking>', '</thought>', '[/THINK]'];
const CLOSING_ANYWHERE = /<\/(?:think|thinking|thought)>|\[\/THINK\]/iu;

/**
 * Takes reasoning out of streamed text. Reasoning stands between tags, which may be cut over deltas, may come several
 * times, and may stay open when the model is cut. Some chat templates write the opening tag into the prompt, so that only
 * the closing one arrives: then all before it was reasoning. A tag inside Markdown code is text that is being quoted.
 */
export class ReasoningFilter {
  /** All visible text so far, without leading blanks. */
  text = '';
  reasoning = '';
  /** True when a closing tag came without its opening one; text given out before it was reasoning. */
  closedUnopened = false;
  #pending = '';
  #inside = false;
  #holdsBack: boolean;
  #code = new CodeTracker();

  /** @param opensUnseen the model is known to begin inside reasoning without a tag: nothing is visible until it closes or ends */
  constructor(opensUnseen = false) {
    this.#holdsBack = opensUnseen;
  }

  /** Takes the next delta; gives the visible text that is now certain. */
  push(delta: string): string {
    this.#pending += delta;
    if (this.#holdsBack) {
      // Only the new end can complete a tag.
      if (!CLOSING_ANYWHERE.test(this.#pending.slice(-delta.length - 12))) return '';
      this.#holdsBack = false;
    }
    return this.#drain(false);
  }

  /** The text has ended: gives what was held back because it might have begun a tag. */
  end(): string {
    this.#holdsBack = false;
    return this.#drain(true);
  }

  #drain(final: boolean): string {
    const before = this.text.length;
    let withdrawn = false;
    while (this.#pending !== '') {
      const step = this.#inside ? this.#passReasoning(final) : this.#passText(final);
      if (step === 'withdrawn') withdrawn = true;
      if (step === 'waiting') break;
    }
    return this.text.slice(withdrawn ? 0 : before);
  }

  #passReasoning(final: boolean): 'waiting' | 'passed' {
    const close = CLOSING_ANYWHERE.exec(this.#pending);
    if (close !== null) {
      this.reasoning += this.#pending.slice(0, close.index);
      this.#pending = this.#pending.slice(close.index + close[0].length);
      this.#inside = false;
      return 'passed';
    }
    const keep = final ? 0 : heldLength(this.#pending, CLOSING);
    this.reasoning += this.#pending.slice(0, this.#pending.length - keep);
    this.#pending = this.#pending.slice(this.#pending.length - keep);
    return 'waiting';
  }

  #passText(final: boolean): 'waiting' | 'passed' | 'withdrawn' {
    const text = this.#pending;
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charAt(index);
      const found = character === '<' || character === '[' ? this.#tagAt(text, index) : undefined;
      if (found === 'partial' && !final) return this.#stopAt(index);
      if (found !== undefined && found !== 'partial') return this.#take(index, found);
      this.#code.feed(character);
    }
    // Half of a surrogate pair is no character yet.
    const half = !final && /[\ud800-\udbff]$/u.test(text) ? 1 : 0;
    return this.#stopAt(text.length - half);
  }

  #stopAt(index: number): 'waiting' {
    this.#show(this.#pending.slice(0, index));
    this.#pending = this.#pending.slice(index);
    return 'waiting';
  }

  #take(index: number, tag: string): 'passed' | 'withdrawn' {
    this.#show(this.#pending.slice(0, index));
    this.#pending = this.#pending.slice(index + tag.length);
    if (OPENING.includes(tag)) {
      this.#inside = true;
      return 'passed';
    }
    if (this.text !== '') this.closedUnopened = true;
    this.reasoning += this.text;
    this.text = '';
    this.#code = new CodeTracker();
    return 'withdrawn';
  }

  #show(text: string): void {
    this.text += this.text === '' ? text.trimStart() : text;
  }

  /** The tag that begins at an index, or `partial` when more text could make it one. */
  #tagAt(text: string, index: number): string | undefined {
    if (this.#code.inCode) return undefined;
    const rest = text.slice(index, index + 12);
    // In brackets it could be a link's text anywhere but at the start of a line.
    const tags = [...OPENING, ...CLOSING].filter(
      (tag) => tag.startsWith('<') || this.#code.atLineStart || tag.startsWith('[/'),
    );
    return (
      tags.find((tag) => matches(rest, tag)) ??
      (tags.some((tag) => matches(tag, rest)) ? 'partial' : undefined)
    );
  }
}

/** Whether a text starts with a tag, in any case for the angled ones. */
function matches(text: string, start: string): boolean {
  const head = text.slice(0, start.length);
  return head === start || (start.startsWith('<') && head.toLowerCase() === start.toLowerCase());
}

/** Length of the text's end that might begin one of the tags. */
function heldLength(text: string, tags: readonly string[]): number {
  for (let length = Math.min(text.length, 11); length > 0; length -= 1) {
    const end = text.slice(-length);
    if (tags.some((tag) => tag.length > length && matches(tag, end))) return length;
  }
  return 0;
}

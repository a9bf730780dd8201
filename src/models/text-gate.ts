/** How a tool call written as text begins. */
const CALL_STARTS = [
  '<tool_call>',
  '<function=',
  '<|tool_call_start|>',
  '<|python_tag|>',
  '[TOOL_CALLS]',
  '[{',
  '{',
];

/**
 * Lets answer text through as it streams, but holds a reply that begins like a tool call until it is known to be none:
 * a call must never be seen as a piece of an answer.
 */
export class TextGate {
  #held = '';
  #state: 'undecided' | 'open' | 'held' = 'undecided';
  readonly #emit: (text: string) => void;

  constructor(guards: boolean, emit: (text: string) => void) {
    this.#emit = emit;
    if (!guards) this.#state = 'open';
  }

  push(text: string): void {
    if (text === '') return;
    if (this.#state === 'open') {
      this.#emit(text);
      return;
    }
    this.#held += text;
    if (this.#state === 'undecided') this.#decide();
  }

  /** The text is an answer: what was held goes out. */
  release(): void {
    const held = this.#held;
    this.#held = '';
    this.#state = 'open';
    if (held !== '') this.#emit(held);
  }

  /** What was held is not part of an answer. */
  discard(): void {
    this.#held = '';
  }

  #decide(): void {
    const start = this.#held.trimStart();
    if (CALL_STARTS.some((mark) => start.startsWith(mark))) this.#state = 'held';
    else if (!CALL_STARTS.some((mark) => mark.startsWith(start))) this.release();
  }
}

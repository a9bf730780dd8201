/**
 * Follows Markdown character by character and knows whether the next one stands in code (a fence or a code span), where
 * a tag is quoted text and no tag.
 */
export class CodeTracker {
  #run = '';
  #runLeads = false;
  #fence: string | undefined;
  #span = 0;
  #blank = true;

  feed(character: string): void {
    if (character === '`' || (character === '~' && (this.#blank || this.#run.startsWith('~')))) {
      if (this.#run !== '' && !this.#run.startsWith(character)) this.#settle();
      if (this.#run === '') this.#runLeads = this.#blank;
      this.#run += character;
      this.#blank = false;
      return;
    }
    this.#settle();
    if (character === '\n') {
      // A code span ends at the latest with its paragraph.
      if (this.#blank) this.#span = 0;
      this.#blank = true;
    } else if (character.trim() !== '') this.#blank = false;
  }

  get inCode(): boolean {
    this.#settle();
    return this.#fence !== undefined || this.#span > 0;
  }

  /** True when only blanks stand before the next character on its line. */
  get atLineStart(): boolean {
    return this.#blank && this.#run === '';
  }

  #settle(): void {
    const run = this.#run;
    if (run === '') return;
    this.#run = '';
    if (this.#runLeads && run.length >= 3) {
      if (this.#fence === undefined) this.#fence = run;
      else if (run.startsWith(this.#fence)) this.#fence = undefined;
    } else if (this.#fence === undefined && run.startsWith('`')) {
      if (this.#span === 0) this.#span = run.length;
      else if (this.#span === run.length) this.#span = 0;
    }
  }
}

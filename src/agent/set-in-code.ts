import type { Block, TextBlock } from './blocks.ts';

type Content = Exclude<Block, { kind: 'blank' }>;

/** Blanks that make a line code, counted from where the text of the list item around it begins. */
const CODE_INDENT = 4;

/** The blocks without blank ones; paragraphs that are set in as code are, code with blank lines in it as one block. */
export function withCodeBlocks(blocks: readonly Block[]): readonly Content[] {
  const reader = new SetInReader();
  for (const block of blocks) reader.read(block);
  return reader.found;
}

class SetInReader {
  readonly found: Content[] = [];
  /** Where the text of the list item begins that a line could belong to. */
  #inside = 0;
  #isBelowBlank = true;
  #isCode = false;

  read(block: Block): void {
    if (block.kind === 'blank') {
      this.#isBelowBlank = true;
      return;
    }
    if (block.kind === 'text' && this.#isSetIn(block)) this.#addCode(block);
    else this.#add(block);
    this.#isBelowBlank = false;
  }

  #isSetIn(block: TextBlock): boolean {
    // Code can't interrupt a paragraph, but goes on across blank lines.
    return (this.#isBelowBlank || this.#isCode) && indentOf(block) >= this.#inside + CODE_INDENT;
  }

  #addCode(block: TextBlock): void {
    const cut = this.#inside + CODE_INDENT;
    const lines = block.lines.map(({ prefix, text }) => `${spaces(prefix).slice(cut)}${text}`);
    const before = this.#isCode ? this.found.pop() : undefined;
    const above = before?.kind === 'fence' ? [...before.lines, ...(this.#isBelowBlank ? [''] : [])] : [];
    this.found.push({ kind: 'fence', info: '', lines: [...above, ...lines], indent: this.#inside });
    this.#isCode = true;
  }

  #add(block: Content): void {
    this.#isCode = false;
    this.found.push(block);
    if (block.kind !== 'text') return;
    if (block.form === 'item') this.#inside = spaces(block.lines[0]?.prefix ?? '').length;
    else if (indentOf(block) === 0) this.#inside = 0;
  }
}

/** Blanks before the first line of a block, a tab counted as four. */
export function indentOf(block: TextBlock): number {
  return /^ */u.exec(spaces(block.lines[0]?.prefix ?? ''))?.[0].length ?? 0;
}

function spaces(prefix: string): string {
  return prefix.replaceAll('\t', '    ');
}

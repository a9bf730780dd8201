import { fold, words } from '../core/words.ts';
import { type Block, blockText, splitBlocks, type TextBlock } from './blocks.ts';
import { removePrivateUse } from './marks.ts';
import { plainText } from './plain.ts';
import { splitSentences } from './sentences.ts';
import { indentOf, withCodeBlocks } from './set-in-code.ts';

/** The smallest pieces of a section that can be quoted by themselves, as a reader sees them. */
export interface Unit {
  /** `lead`: a line that ends in a colon, or a bare name; it says nothing without what follows it. */
  readonly kind: 'sentence' | 'item' | 'row' | 'code' | 'lead';
  /** Words in reading order; code spans keep their backticks, a code block its lines. */
  readonly text: string;
  /** Place among the units of the section of the line that announces this one, when there is one. */
  readonly lead?: number;
  /** Lines of the code block that belongs to the words: the command of a step. */
  readonly code?: readonly string[];
}

/** Longer code says too much to be quoted for one line of it; what belongs to a step may be longer. */
const CODE_LINES = 6;
const STEP_LINES = 12;
const UNIT_LENGTH = 600;
/** Fewer words say nothing without the line that announces them: `Yes.`, the name of a page. */
const WORDS_ALONE = 4;

/** Units in the order of the text. */
export function unitsOf(markdown: string): readonly Unit[] {
  const reader = new UnitReader();
  for (const block of withCodeBlocks(splitBlocks(removePrivateUse(markdown)))) reader.read(block);
  return reader.units;
}

class UnitReader {
  readonly units: Unit[] = [];
  /** Lines that announce what is set in further than they are, outermost first. */
  #leads: { readonly indent: number; readonly place: number }[] = [];
  /** What a code block right below belongs to; undefined below a heading, a table or other code. */
  #owner: { readonly place: number; readonly isItem: boolean } | undefined;

  read(block: Exclude<Block, { kind: 'blank' }>): void {
    if (block.kind === 'fence') {
      this.#readCode(block.lines, block.indent);
      return;
    }
    switch (block.form) {
      case 'heading':
      case 'rule':
        this.#leads = [];
        this.#owner = undefined;
        return;
      case 'item':
        this.#readItem(block);
        return;
      case 'row':
        this.#owner = undefined;
        this.#readRow(blockText(block));
        return;
      case 'paragraph':
        this.#readParagraph(block);
        return;
      case 'table-head':
      case 'table-rule':
        return;
    }
  }

  #readItem(block: TextBlock): void {
    const indent = indentOf(block);
    const lead = this.#leadOf(indent);
    this.#owner = undefined;
    const raw = blockText(block);
    if (isOnlyLinks(raw)) return;
    const text = flat(raw);
    if (!isReadable(text)) return;
    const isBare = lead === undefined && isShort(text);
    const place = this.#push(isBare || text.endsWith(':') ? 'lead' : 'item', text, lead);
    if (text.endsWith(':')) this.#leads.push({ indent, place });
    this.#owner = { place, isItem: true };
  }

  #readRow(line: string): void {
    const cells = cellsOf(line);
    const text = cells.join(' - ');
    if (cells.length > 1 && isReadable(text)) this.#push('row', text, this.#leadOf(0));
  }

  #readParagraph(block: TextBlock): void {
    const indent = indentOf(block) - 1;
    this.#leadOf(indent);
    this.#owner = undefined;
    const raw = blockText(block);
    if (isDefinition(raw) || isOnlyLinks(raw)) return;
    for (const text of joinShort(splitSentences(flat(withoutTitle(raw))).map((sentence) => sentence.text))) {
      this.#owner = undefined;
      if (!isReadable(text) || (isShort(text) && !text.endsWith(':'))) continue;
      const place = this.#push(text.endsWith(':') ? 'lead' : 'sentence', text);
      this.#owner = { place, isItem: false };
      if (text.endsWith(':')) this.#leads.push({ indent, place });
    }
  }

  /** The code below a step or a sentence is part of it; code below a heading stands for itself. */
  #readCode(lines: readonly string[], indent: number): void {
    const code = trimmed(lines);
    const owner = this.#owner;
    this.#owner = undefined;
    if (code.length === 0 || code.length > STEP_LINES) return;
    const unit = owner === undefined ? undefined : this.units[owner.place];
    const isOwn = owner !== undefined && (!owner.isItem || indent > 0 || unit?.text.endsWith(':') === true);
    if (unit === undefined || owner === undefined || !isOwn) {
      if (code.length <= CODE_LINES) this.#push('code', code.join('\n'));
    } else this.units[owner.place] = { ...unit, kind: unit.kind === 'lead' ? 'item' : unit.kind, code };
  }

  #leadOf(indent: number): number | undefined {
    while ((this.#leads.at(-1)?.indent ?? -Infinity) >= indent) this.#leads.pop();
    return this.#leads.at(-1)?.place;
  }

  #push(kind: Unit['kind'], text: string, lead?: number): number {
    return this.units.push({ kind, text, ...(lead === undefined ? {} : { lead }) }) - 1;
  }
}

/** A unit has words: a line of machinery or marks alone is none. */
function isReadable(text: string): boolean {
  return text.length <= UNIT_LENGTH && /\p{L}{2}|\p{Lo}/u.test(text);
}

function isShort(text: string): boolean {
  return words(fold(text)).length < WORDS_ALONE;
}

/** A word or two (`Yes.`, `Note.`) belong to the sentence after them. */
function joinShort(sentences: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let before = '';
  for (const sentence of sentences) {
    const text = before === '' ? sentence : `${before} ${sentence}`;
    before = isShort(text) && !text.endsWith(':') ? text : '';
    if (before === '') joined.push(text);
  }
  return before === '' ? joined : [...joined, before];
}

/** Without empty lines at both ends, and without the blanks that all lines begin with. */
function trimmed(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n').replace(/^(?:[ \t]*\n)+|\s+$/gu, '');
  if (text.trim() === '') return [];
  const kept = text.split('\n');
  const indents = kept.filter((line) => line.trim() !== '').map((line) => /^ */u.exec(line)?.[0].length ?? 0);
  const common = Math.min(...indents);
  return kept.map((line) => line.slice(common));
}

function flat(markdown: string): string {
  return plainText(markdown.replace(/\s*\n\s*/gu, ' '), { keepCode: true })
    .replace(/\s+/gu, ' ')
    .trim();
}

function cellsOf(line: string): readonly string[] {
  return line
    .replace(/^\s*\||\|\s*$/gu, '')
    .split(/(?<!\\)\|/u)
    .map((cell) => flat(cell.replace(/\\\|/gu, '|')))
    .filter((cell) => cell !== '');
}

/** A sentence in bold at the start of a paragraph is its title. */
function withoutTitle(text: string): string {
  return text.replace(/^\s*(\*\*|__)[^*_\n]{1,80}[.?!]\1\s+(?=\S)/u, '');
}

/** `[id]: target` lines are no text. */
function isDefinition(text: string): boolean {
  return /^\s*\[[^\]]+\]:\s*\S+/u.test(text);
}

/** A line of a menu: it names other pages and says nothing itself. */
function isOnlyLinks(text: string): boolean {
  return (
    text.includes('[') &&
    !/[\p{L}\p{N}]/u.test(text.replace(/!?\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])?/gu, ''))
  );
}

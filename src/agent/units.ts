import { type Block, blockText, splitBlocks } from './blocks.ts';
import { removePrivateUse } from './marks.ts';
import { plainText } from './plain.ts';
import { splitSentences } from './sentences.ts';

/** The smallest pieces of a section that can be quoted by themselves, as a reader sees them. */
export interface Unit {
  readonly kind: 'sentence' | 'item' | 'row' | 'code';
  /** Words in reading order; code spans keep their backticks, a code block its lines. */
  readonly text: string;
  /** The line that announces it (`… are:`), when there is one. */
  readonly lead?: string;
}

/** Longer code says too much to be quoted for one line of it. */
const CODE_LINES = 6;
const UNIT_LENGTH = 600;

export function unitsOf(markdown: string): readonly Unit[] {
  const units: Unit[] = [];
  let lead: string | undefined;
  for (const block of splitBlocks(removePrivateUse(markdown))) {
    if (block.kind === 'blank') continue;
    const found = unitsOfBlock(block);
    if (isPart(block)) units.push(...found.map((unit) => (lead === undefined ? unit : { ...unit, lead })));
    else {
      units.push(...found);
      const last = found.at(-1)?.text;
      lead = last?.endsWith(':') === true ? last : undefined;
    }
  }
  return units.filter(isQuotable);
}

/** What a line ending in a colon announces. */
function isPart(block: Block): boolean {
  return block.kind === 'fence' || (block.kind === 'text' && PARTS.has(block.form));
}

const PARTS: ReadonlySet<string> = new Set(['item', 'row', 'table-head', 'table-rule']);

function isQuotable(unit: Unit): boolean {
  return unit.text.length <= UNIT_LENGTH && !(unit.kind === 'sentence' && unit.text.endsWith(':'));
}

function unitsOfBlock(block: Exclude<Block, { kind: 'blank' }>): readonly Unit[] {
  if (block.kind === 'fence') return codeUnit(block.lines);
  switch (block.form) {
    case 'heading':
    case 'rule':
    case 'table-head':
    case 'table-rule':
      return [];
    case 'row':
      return readable('row', rowText(blockText(block)));
    case 'item':
      return readable('item', flat(blockText(block)));
    case 'paragraph':
      return isDefinition(blockText(block))
        ? []
        : splitSentences(flat(blockText(block))).flatMap(({ text }) => readable('sentence', text));
  }
}

function codeUnit(lines: readonly string[]): readonly Unit[] {
  const used = lines.filter((line) => line.trim() !== '');
  if (used.length === 0 || used.length > CODE_LINES) return [];
  return [{ kind: 'code', text: lines.join('\n').replace(/^\n+|\s+$/gu, '') }];
}

/** A unit has words: a line of machinery or marks alone is none. */
function readable(kind: Unit['kind'], text: string): readonly Unit[] {
  return /\p{L}{2}|\p{Lo}/u.test(text) ? [{ kind, text }] : [];
}

function flat(markdown: string): string {
  return plainText(markdown, { keepCode: true }).replace(/\s+/gu, ' ').trim();
}

function rowText(line: string): string {
  return line
    .replace(/^\s*\||\|\s*$/gu, '')
    .split(/(?<!\\)\|/u)
    .map((cell) => flat(cell.replace(/\\\|/gu, '|')))
    .filter((cell) => cell !== '')
    .join(' - ');
}

/** `[id]: target` lines are no text. */
function isDefinition(text: string): boolean {
  return /^\s*\[[^\]]+\]:\s*\S+/u.test(text);
}

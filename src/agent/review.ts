import type { Unsupported } from '../core/answer.ts';
import type { OpenedSection } from '../core/knowledge.ts';
import type { Ref } from '../core/ref.ts';
import { type Block, blockText, type TextBlock } from './blocks.ts';
import { marksIn, replaceMarks } from './marks.ts';
import { plainText } from './plain.ts';
import { splitSentences } from './sentences.ts';
import { type Claim, claimsOf, SupportText } from './support.ts';

export interface Review {
  readonly unsupported: readonly Unsupported[];
  readonly sentences: { readonly total: number; readonly uncited: number };
}

interface Cited {
  readonly text: string;
  readonly refs: readonly Ref[];
  /** `quoted`: all of it is a quotation; `title`: checked, and not counted as a sentence. */
  readonly kind: 'prose' | 'quoted' | 'code' | 'title';
}

/**
 * Looks up what cited sentences claim, and counts sentences. Headings, table heads, code blocks, lead-ins that end
 * in a colon and lines without words are not counted. A paragraph that ends in a citation covers the list, table or
 * code block right below it, whose parts are then checked against the same sections.
 */
export function reviewSentences(
  blocks: readonly Block[],
  refs: readonly Ref[],
  opened: ReadonlyMap<Ref, OpenedSection>,
  shown: ReadonlyMap<Ref, string>,
): Review {
  const units = citedUnits(blocks, refs);
  const unsupported = new Map<string, Unsupported>();
  const texts = supportTexts(opened, shown);
  for (const unit of units) {
    if (unit.refs.length === 0) continue;
    for (const claim of claimsIn(unit)) {
      if (texts(unit.refs).supports(claim)) continue;
      const sentence = replaceMarks(unit.text, () => '')
        .replace(/\s+/gu, ' ')
        .trim();
      const found = { ...claim, sentence, refs: unit.refs };
      unsupported.set(`${claim.kind}\n${claim.text}\n${sentence}`, found);
    }
  }
  const counted = units.filter((unit) => unit.kind === 'prose' || unit.kind === 'quoted');
  return {
    unsupported: [...unsupported.values()],
    sentences: { total: counted.length, uncited: counted.filter((unit) => unit.refs.length === 0).length },
  };
}

function claimsIn({ kind, text }: Cited): readonly Claim[] {
  if (kind === 'code') return [{ kind, text: text.trim() }];
  return kind === 'quoted' ? [{ kind: 'quote', text: replaceMarks(text, () => ' ').trim() }] : claimsOf(text);
}

/**
 * A list or table takes the citations of the paragraph before it, a code block those of the text before it; a line of
 * citations alone covers what stands right above it.
 */
function citedUnits(blocks: readonly Block[], refs: readonly Ref[]): readonly Cited[] {
  const gatherer = new Gatherer(refs);
  for (const block of blocks) {
    if (block.kind === 'blank' || isRule(block)) continue;
    const alone = refsAlone(block, refs);
    if (alone.length > 0) gatherer.coverAbove(alone);
    else gatherer.add(block);
  }
  return gatherer.units;
}

/** A `part` belongs to the paragraph above it: items, rows, quotes, and paragraphs that are set in. */
type GroupKind = 'text' | 'part' | 'code' | 'title';

class Gatherer {
  readonly #refs: readonly Ref[];
  readonly #groups: Cited[][] = [];
  #above: GroupKind | undefined;
  #listLead: readonly Ref[] = [];
  #codeLead: readonly Ref[] = [];
  /** The paragraph above ends in a colon. */
  #announced = false;

  constructor(refs: readonly Ref[]) {
    this.#refs = refs;
  }

  get units(): readonly Cited[] {
    return this.#groups.flat();
  }

  coverAbove(refs: readonly Ref[]): void {
    const group = this.#groups.pop() ?? [];
    this.#groups.push(group.map((unit) => (unit.refs.length === 0 ? { ...unit, refs } : unit)));
    this.#codeLead = refs;
  }

  add(block: Exclude<Block, { kind: 'blank' }>): void {
    const kind = groupKind(block);
    if (kind !== 'part' || this.#above !== 'part') this.#groups.push([]);
    this.#above = kind;
    const found =
      block.kind === 'fence' ? codeUnits(block.lines, this.#codeLead) : this.#unitsOf(block, kind);
    for (const unit of found.filter(isCounted)) this.#groups.at(-1)?.push(unit);
    if (block.kind === 'text') this.#remember(block, kind, found.at(-1)?.refs ?? []);
  }

  #unitsOf(block: TextBlock, kind: GroupKind): readonly Cited[] {
    const found = sentencesOf(block, this.#refs, kind === 'part' ? this.#listLead : []);
    if (kind === 'title')
      return found.filter((unit) => unit.refs.length > 0).map((unit) => ({ ...unit, kind }));
    if (!this.#announced || kind !== 'part' || !isQuotation(block)) return found;
    return found.map((unit) => ({ ...unit, kind: 'quoted' }));
  }

  #remember(block: TextBlock, kind: GroupKind, refs: readonly Ref[]): void {
    if (block.form === 'table-head') return;
    this.#codeLead = kind === 'title' ? [] : refs;
    if (kind === 'part') return;
    this.#listLead = this.#codeLead;
    this.#announced = /:[\s*_]*$/u.test(replaceMarks(blockText(block), () => ''));
  }
}

function groupKind(block: Exclude<Block, { kind: 'blank' }>): GroupKind {
  if (block.kind === 'fence') return 'code';
  if (block.form === 'heading' || block.form === 'table-head') return 'title';
  const prefix = block.lines[0]?.prefix ?? '';
  const isPart = block.form !== 'paragraph' || /^(?: {2,}|\t)|>/u.test(prefix);
  return isPart ? 'part' : 'text';
}

/** A block quote that is no note in a box. */
function isQuotation(block: TextBlock): boolean {
  return (
    block.form === 'paragraph' &&
    (block.lines[0]?.prefix ?? '').includes('>') &&
    !/^[\s*_]*(?:\[!\w+\]|[\p{L} ]{2,20}[*_]*:)/u.test(blockText(block))
  );
}

/** The sections a block cites that holds citations and no words; none for any other. */
function refsAlone(block: Block, refs: readonly Ref[]): readonly Ref[] {
  if (block.kind !== 'text' || block.form !== 'paragraph') return [];
  const text = blockText(block);
  if (HAS_WORDS.test(replaceMarks(text, () => ''))) return [];
  return [
    ...new Set(
      marksIn(text)
        .map((mark) => refs[mark])
        .filter((ref) => ref !== undefined),
    ),
  ];
}

function isRule(block: Block): boolean {
  return block.kind === 'text' && (block.form === 'table-rule' || block.form === 'rule');
}

function codeUnits(lines: readonly string[], refs: readonly Ref[]): readonly Cited[] {
  return lines.filter((line) => HAS_WORDS.test(line)).map((text) => ({ text, refs, kind: 'code' }));
}

function sentencesOf(block: TextBlock, refs: readonly Ref[], inherited: readonly Ref[]): readonly Cited[] {
  const isRow = block.form === 'row' || block.form === 'table-head';
  const sentences = isRow ? [rowSentence(block)] : splitSentences(blockText(block), { keepQuotes: true });
  return sentences.map(({ text, marks }) => {
    const own = [...new Set(marks.map((mark) => refs[mark]).filter((ref) => ref !== undefined))];
    return { text, refs: own.length > 0 ? own : inherited, kind: 'prose' };
  });
}

/** Lines without words say nothing, an uncited lead-in only announces. */
function isCounted({ text, refs }: Cited): boolean {
  const words = plainText(replaceMarks(text, () => '')).trim();
  return HAS_WORDS.test(words) && !(refs.length === 0 && words.endsWith(':'));
}

const HAS_WORDS = /[\p{L}\p{N}]/u;

function rowSentence(block: TextBlock): { readonly text: string; readonly marks: readonly number[] } {
  const text = blockText(block)
    .replace(/(?<!\\)\|/gu, ' ')
    .trim();
  return { text, marks: marksIn(text) };
}

/** Text of every set of sections that is cited together, made once. */
function supportTexts(
  opened: ReadonlyMap<Ref, OpenedSection>,
  shown: ReadonlyMap<Ref, string>,
): (refs: readonly Ref[]) => SupportText {
  const made = new Map<string, SupportText>();
  return (refs) => {
    const key = [...refs].sort().join(' ');
    const known = made.get(key);
    if (known !== undefined) return known;
    const text = new SupportText(refs.map((ref) => sourceOf(opened.get(ref), shown.get(ref))).join('\n\n'));
    made.set(key, text);
    return text;
  };
}

function sourceOf(opened: OpenedSection | undefined, shown: string | undefined): string {
  if (opened === undefined) return '';
  const { section, url } = opened;
  // The same text twice would let a quotation turned round pass.
  const more = shown === undefined || section.markdown.includes(shown.trim()) ? '' : shown;
  return [section.title, ...section.headings, section.path, url ?? '', section.markdown, more].join('\n');
}

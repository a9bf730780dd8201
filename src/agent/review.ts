import type { Unsupported } from '../core/answer.ts';
import type { OpenedSection } from '../core/knowledge.ts';
import type { Ref } from '../core/ref.ts';
import { type Block, blockText, type TextBlock } from './blocks.ts';
import { marksIn, replaceMarks } from './marks.ts';
import { plainText } from './plain.ts';
import { splitSentences } from './sentences.ts';
import { claimsOf, SupportText } from './support.ts';

export interface Review {
  readonly unsupported: readonly Unsupported[];
  readonly sentences: { readonly total: number; readonly uncited: number };
}

interface Cited {
  readonly text: string;
  readonly refs: readonly Ref[];
  readonly kind: 'prose' | 'code';
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
    const claims =
      unit.kind === 'code' ? [{ kind: 'code' as const, text: unit.text.trim() }] : claimsOf(unit.text);
    for (const claim of claims) {
      if (texts(unit.refs).supports(claim)) continue;
      const sentence = replaceMarks(unit.text, () => '')
        .replace(/\s+/gu, ' ')
        .trim();
      const found = { ...claim, sentence, refs: unit.refs };
      unsupported.set(`${claim.kind}\n${claim.text}\n${sentence}`, found);
    }
  }
  const counted = units.filter((unit) => unit.kind === 'prose');
  return {
    unsupported: [...unsupported.values()],
    sentences: { total: counted.length, uncited: counted.filter((unit) => unit.refs.length === 0).length },
  };
}

/** A list or table takes the citations of the paragraph before it, a code block those of the text before it. */
function citedUnits(blocks: readonly Block[], refs: readonly Ref[]): readonly Cited[] {
  const units: Cited[] = [];
  let listLead: readonly Ref[] = [];
  let codeLead: readonly Ref[] = [];
  for (const block of blocks) {
    if (block.kind === 'blank' || isTableFrame(block)) continue;
    if (block.kind === 'fence') {
      units.push(...codeUnits(block.lines, codeLead));
      continue;
    }
    const isPart = block.form === 'item' || block.form === 'row';
    const found = block.form === 'heading' ? [] : sentencesOf(block, refs, isPart ? listLead : []);
    units.push(...found.filter(isCounted));
    codeLead = found.at(-1)?.refs ?? [];
    if (!isPart) listLead = codeLead;
  }
  return units;
}

function isTableFrame(block: Block): boolean {
  return (
    block.kind === 'text' &&
    (block.form === 'table-head' || block.form === 'table-rule' || block.form === 'rule')
  );
}

function codeUnits(lines: readonly string[], refs: readonly Ref[]): readonly Cited[] {
  if (refs.length === 0) return [];
  return lines.filter((line) => HAS_WORDS.test(line)).map((text) => ({ text, refs, kind: 'code' }));
}

function sentencesOf(block: TextBlock, refs: readonly Ref[], inherited: readonly Ref[]): readonly Cited[] {
  const sentences = block.form === 'row' ? [rowSentence(block)] : splitSentences(blockText(block));
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
  return [section.title, ...section.headings, section.path, url ?? '', section.markdown, shown ?? ''].join(
    '\n',
  );
}

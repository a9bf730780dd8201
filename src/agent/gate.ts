import type { Answer, Citation, RemovedCitation, Unsupported } from '../core/answer.ts';
import type { OpenedSection } from '../core/knowledge.ts';
import type { Ref } from '../core/ref.ts';
import { stripControls } from '../core/text.ts';
import { type Block, blockText, joinBlocks, splitBlocks, withText } from './blocks.ts';
import { cleanBlock, type Findings, isDefinition, isFootnote } from './clean.ts';
import type { Evidence } from './evidence.ts';
import { mark, marksIn, removePrivateUse, replaceMarks } from './marks.ts';
import { dropOwnSources } from './own-sources.ts';
import { withoutHidden } from './reply-text.ts';
import { reviewSentences } from './review.ts';

export interface CheckedAnswer
  extends Pick<Answer, 'markdown' | 'citations' | 'removed' | 'unsupported' | 'sentences'> {
  /** Links, images and source lists that were made inert or taken out, one line each. */
  readonly notes: readonly string[];
  /** The text begins with the words the prompt asks for when the knowledge base holds no answer. */
  readonly saysNotFound: boolean;
}

/** First words of an answer that found nothing; the prompt asks for exactly these. */
export const NOT_FOUND = 'NOT FOUND';
const SAYS_NOT_FOUND = /^[\s*_#>`]*not[ _-]?found\b[\s*_`]*[:.!,–—-]*[\s*_`]*/iu;

/**
 * Checks a text against what was shown, without a model. A citation of anything else is taken out and reported;
 * so is every numbering, link, image, tag or list of sources that could be taken for ours. What is left has markers
 * `[1]`, `[2]`, … in order of first use, each with its citation.
 */
export function checkAnswer(text: string, evidence: Evidence): CheckedAnswer {
  const opened = openShown(evidence);
  const findings: Findings = { refs: [], removed: [], notes: [], ownSources: [] };
  const raw = removePrivateUse(stripControls(withoutHidden(text))).replace(/[([【]\s*#[a-z2-7]*$/iu, '');
  const saysNotFound = SAYS_NOT_FOUND.test(raw);
  const source = saysNotFound ? raw.replace(SAYS_NOT_FOUND, '') : raw;
  const cleaned = dropOwnSources(clean(splitBlocks(source), { evidence, opened, findings }), findings);
  const blocks = saysNotFound ? cleaned.map(withoutMarks) : cleaned;
  const numbers = numberMarks(blocks, findings.refs);
  const review = reviewSentences(blocks, findings.refs, opened, evidence.shown);
  return {
    markdown: joinBlocks(blocks.map((block) => numbered(block, findings.refs, numbers))),
    citations: [...numbers].map(([ref, marker]) => citationOf(marker, opened.get(ref))),
    removed: unique(findings.removed),
    unsupported: review.unsupported,
    sentences: review.sentences,
    notes: [...new Set(findings.notes)],
    saysNotFound,
  };
}

/** A shown section that can no longer be opened (the index changed meanwhile) cannot be cited. */
function openShown({ shown, knowledge }: Evidence): ReadonlyMap<Ref, OpenedSection> {
  const opened = new Map<Ref, OpenedSection>();
  for (const ref of shown.keys()) {
    const found = knowledge.open(ref);
    const section = found.status === 'found' ? found.sections[0] : undefined;
    if (section !== undefined) opened.set(ref, section);
  }
  return opened;
}

function clean(
  blocks: readonly Block[],
  context: {
    readonly evidence: Evidence;
    readonly opened: ReadonlyMap<Ref, OpenedSection>;
    readonly findings: Findings;
  },
): readonly Block[] {
  const cleaner = cleanBlock(context);
  return blocks.flatMap((block): readonly Block[] => {
    if (block.kind !== 'text' || block.form === 'rule' || block.form === 'table-rule') return [block];
    const text = blockText(block);
    if (isDefinition(text)) {
      context.findings.notes.push(`a link definition was taken out: ${text.slice(0, 200)}`);
      return [];
    }
    if (isFootnote(text)) {
      context.findings.notes.push('a footnote was taken out');
      // Its citations are what the footnote was for.
      const marks = marksIn(cleaner(text.replace(/^[^\]]*\]:/u, ''), false));
      return marks.length === 0 ? [] : [withText(block, marks.map(mark).join(''))];
    }
    const rewritten = cleaner(text, block.form === 'row' || block.form === 'table-head');
    return rewritten.trim() === '' && text.trim() !== '' ? [] : [withText(block, rewritten)];
  });
}

function withoutMarks(block: Block): Block {
  if (block.kind !== 'text') return block;
  // A blank in its place: what stood on both sides of it must not become one word.
  return withText(block, tidy(replaceMarks(blockText(block), () => ' ').replace(/ {2,}/gu, ' ')));
}

function tidy(text: string): string {
  return text.replace(/[ \t]+(?=[.,;:!?)]|$)/gmu, '');
}

/** Numbers in order of first use. */
function numberMarks(blocks: readonly Block[], refs: readonly Ref[]): ReadonlyMap<Ref, number> {
  const numbers = new Map<Ref, number>();
  for (const block of blocks) {
    if (block.kind !== 'text') continue;
    for (const index of marksIn(blockText(block))) {
      const ref = refs[index];
      if (ref !== undefined && !numbers.has(ref)) numbers.set(ref, numbers.size + 1);
    }
  }
  return numbers;
}

function numbered(block: Block, refs: readonly Ref[], numbers: ReadonlyMap<Ref, number>): Block {
  if (block.kind !== 'text') return block;
  const marker = (index: number): string => {
    const ref = refs[index];
    const number = ref === undefined ? undefined : numbers.get(ref);
    return number === undefined ? '' : `\ue002[${number}]`;
  };
  const text = replaceMarks(blockText(block), marker)
    .replace(/(\ue002\[\d+\])(?:[ \t]*\1)+/gu, '$1')
    .replace(/(\ue002\[\d+\])(?=[([A-Za-z0-9])/gu, '$1 ')
    .replace(/^(\s*\ue002\[\d+\]):/gmu, '$1\\:')
    .replaceAll('\ue002', '');
  return withText(block, text);
}

function citationOf(marker: number, opened: OpenedSection | undefined): Citation {
  if (opened === undefined) throw new Error(`citation ${marker} was numbered without its section`);
  const { section, url } = opened;
  const [anchor] = section.anchors;
  return {
    marker,
    ref: section.ref,
    path: section.path,
    title: section.title,
    headings: section.headings,
    ...(anchor === undefined ? {} : { anchor }),
    lines: section.lines,
    ...(url === undefined ? {} : { url }),
    hash: section.hash,
  };
}

function unique(removed: readonly RemovedCitation[]): readonly RemovedCitation[] {
  return [...new Map(removed.map((one) => [`${one.reason} ${one.text}`, one])).values()];
}

/** What the model is told when its answer needs one more try; undefined when it needs none. */
export function repairReasons(checked: CheckedAnswer): readonly string[] | undefined {
  if (checked.saysNotFound) return undefined;
  const reasons = checked.removed.filter((one) => one.reason !== 'malformed' || one.text.includes('#'));
  const uncited = checked.citations.length === 0;
  if (reasons.length === 0 && !uncited) return undefined;
  return [
    ...reasons.slice(0, REASONS_NAMED).map(({ text, reason }) => `${text}: ${REASONS[reason]}`),
    ...checked.unsupported
      .slice(0, REASONS_NAMED)
      .map(({ kind, text }: Unsupported) => `${kind} "${text}": not in the section cited for it`),
    ...(uncited ? ['no sentence cites a section that was given to you'] : []),
  ];
}

/** Of each kind; more would only fill the prompt. */
const REASONS_NAMED = 10;
const REASONS: Readonly<Record<RemovedCitation['reason'], string>> = {
  'not-shown': 'its text was never given to you',
  unknown: 'no section has this ref',
  malformed: 'this is not a ref',
};

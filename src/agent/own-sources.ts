import { fold, words } from '../core/words.ts';
import { type Block, blockText, type TextBlock } from './blocks.ts';
import type { Findings } from './clean.ts';
import { mark, marksIn, replaceMarks } from './marks.ts';
import { plainText } from './plain.ts';

const TITLE =
  /^(?:sources?|references?|citations?|bibliography|footnotes?|works cited|quellen?|quellenangaben|referenzen|fuentes|referencias|fontes|fonti|références|bronnen)\s*(?::|$)/iu;

/**
 * Takes out a list of sources the model wrote itself: the title and all up to the next heading or paragraph of prose.
 * Only kb names sources. Citations that stand nowhere else are kept as one bare line of markers. Where nothing else
 * would be left, the list is the answer, and only its title goes.
 */
export function dropOwnSources(blocks: readonly Block[], findings: Findings): readonly Block[] {
  const { kept, dropped, titles } = separate(blocks);
  if (titles.size > 0) findings.notes.push("the answer's own list of sources was taken out");
  if (titles.size > 0 && !kept.some(hasWords)) return blocks.filter((block) => !titles.has(block));
  const cited = new Set(kept.flatMap(citedIn).map((index) => findings.refs[index]));
  const listed = dropped.flatMap(citedIn);
  const only = listed.filter((index, place) => {
    const ref = findings.refs[index];
    const isFirst = listed.findIndex((other) => findings.refs[other] === ref) === place;
    return isFirst && !cited.has(ref);
  });
  if (only.length === 0) return kept;
  const text = only.map((index) => mark(index)).join(' ');
  return [...kept, { kind: 'blank' }, { kind: 'text', form: 'paragraph', lines: [{ prefix: '', text }] }];
}

/** Blocks outside and inside lists of sources; the titles are among the latter. */
function separate(blocks: readonly Block[]): {
  readonly kept: readonly Block[];
  readonly dropped: readonly Block[];
  readonly titles: ReadonlySet<Block>;
} {
  const kept: Block[] = [];
  const dropped: Block[] = [];
  const titles = new Set<Block>();
  let inList = false;
  for (const block of blocks) {
    if (block.kind === 'text') {
      if (isTitle(blockText(block))) {
        inList = true;
        titles.add(block);
      } else if (block.form === 'heading' || isProse(block)) inList = false;
    }
    (inList ? dropped : kept).push(block);
  }
  return { kept, dropped, titles };
}

/** A paragraph that says something, where the entries of a list name something. */
function isProse(block: TextBlock): boolean {
  if (block.form !== 'paragraph' || block.lines[0]?.prefix !== '') return false;
  const text = plainText(replaceMarks(blockText(block), () => ''))
    .replace(/\s+/gu, ' ')
    .trim();
  const isEntry = /^(?:\[|\(?\d{1,3}[\].):]|[-*•])|:\/\/|^\S+\.\w{1,9}$/u.test(text);
  return !isEntry && /[.!?。！？:]["'”’)]*$/u.test(text) && words(fold(text)).length >= PROSE_WORDS;
}

const PROSE_WORDS = 4;

function hasWords(block: Block): boolean {
  const text =
    block.kind === 'text' ? blockText(block) : block.kind === 'fence' ? block.lines.join('\n') : '';
  return /[\p{L}\p{N}]/u.test(replaceMarks(text, () => ''));
}

function citedIn(block: Block): readonly number[] {
  return block.kind === 'text' ? marksIn(blockText(block)) : [];
}

function isTitle(text: string): boolean {
  const words = plainText(replaceMarks(text, () => ''))
    .replace(/[*_]/gu, '')
    .trim();
  return TITLE.test(words) && words.length < 400;
}

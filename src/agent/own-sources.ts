import { type Block, blockText } from './blocks.ts';
import type { Findings } from './clean.ts';
import { mark, marksIn, replaceMarks } from './marks.ts';
import { plainText } from './plain.ts';

const TITLE =
  /^(?:sources?|references?|citations?|bibliography|footnotes?|works cited|quellen?|quellenangaben|referenzen|fuentes|referencias|fontes|fonti|références|bronnen)\s*(?::|$)/iu;

/**
 * Takes out a list of sources the model wrote itself: the title and all up to the next heading. Only kb names
 * sources. Citations that stand nowhere else are kept as one bare line of markers.
 */
export function dropOwnSources(blocks: readonly Block[], findings: Findings): readonly Block[] {
  const kept: Block[] = [];
  const dropped: string[] = [];
  let inList = false;
  for (const block of blocks) {
    const text = block.kind === 'text' ? blockText(block) : '';
    if (block.kind === 'text' && isTitle(text)) {
      inList = true;
      findings.notes.push("the answer's own list of sources was taken out");
    } else if (block.kind === 'text' && block.form === 'heading') inList = false;
    if (inList) dropped.push(text);
    else kept.push(block);
  }
  const cited = new Set(kept.flatMap(citedIn).map((index) => findings.refs[index]));
  const listed = dropped.flatMap(marksIn);
  const only = listed.filter((index, place) => {
    const ref = findings.refs[index];
    const isFirst = listed.findIndex((other) => findings.refs[other] === ref) === place;
    return isFirst && !cited.has(ref);
  });
  if (only.length === 0) return kept;
  const text = only.map((index) => mark(index)).join(' ');
  return [...kept, { kind: 'blank' }, { kind: 'text', form: 'paragraph', lines: [{ prefix: '', text }] }];
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

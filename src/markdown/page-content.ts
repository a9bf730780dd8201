import type { Block } from './block-scan.ts';
import { Footnotes } from './footnotes.ts';
import { type RenderedHeading, renderHeading } from './heading.ts';
import type { Page, PageSource } from './page-source.ts';
import { type Unit, UnitReader, type UnitSink } from './visible-units.ts';

/** A section in the making. Lines count from 0 within the body. */
export interface Draft {
  readonly first: number;
  /** The line after the heading itself. */
  readonly afterHeading: number;
  /** 0 for text before the first heading. */
  readonly level: number;
  readonly heading?: RenderedHeading;
  readonly units: Unit[];
}

export interface FoundHeading {
  readonly rendered: RenderedHeading;
  readonly level: number;
  readonly line: number;
  /** Index of the draft it opens. */
  readonly section?: number;
}

export interface FoundId {
  readonly id: string;
  readonly line: number;
  /** From an attribute list, which belongs to the block it touches; else from a tag, which stands where it stands. */
  readonly attribute: boolean;
}

/** All that a page's blocks hold, before it is put into sections. */
export interface PageContent {
  readonly drafts: readonly Draft[];
  readonly headings: readonly FoundHeading[];
  readonly ids: readonly FoundId[];
  readonly links: readonly { readonly target: string; readonly line: number }[];
}

/** Reads the blocks of a page in order; every top-level heading opens a section. */
export function readContent(source: PageSource, page: Page): PageContent {
  const drafts: Draft[] = [];
  const headings: FoundHeading[] = [];
  const ids: FoundId[] = [];
  const links: { target: string; line: number }[] = [];
  const footnotes = new Footnotes(source.footnotes);
  const sink: UnitSink = {
    onLink: (target, line) => links.push({ target, line }),
    onId: (id, line, attribute) => ids.push({ id, line, attribute }),
    onHeading: (heading) => headings.push(heading),
    onFootnote: (label, line) => footnotes.use(label, line),
  };
  const reader = new UnitReader(source, page, sink);
  // Lines before the first block are bare, but lines all the same: the first section begins where the body does.
  const [first] = source.scan.blocks;
  const opening = first !== undefined && first.first === 0 && opensSection(first, source);
  if (!opening && !source.isEmpty) drafts.push({ first: 0, afterHeading: 0, level: 0, units: [] });
  let end = -1;
  for (const block of source.scan.blocks) {
    addUnits(drafts.at(-1)?.units, reader.includesBefore(block.first));
    // Asked for headings too: a block outside lists ends a note.
    const note = footnotes.unitsAt(block);
    if (opensSection(block, source)) {
      const rendered = renderHeading(block.content, block.level, page);
      headings.push({ rendered, level: block.level, line: block.first, section: drafts.length });
      for (const target of rendered.links) links.push({ target, line: block.first });
      drafts.push(draftOf(block, rendered));
    } else {
      addUnits(note ?? drafts.at(-1)?.units, reader.read(block, block.first === end));
    }
    end = block.end;
  }
  addUnits(drafts.at(-1)?.units, reader.includesBefore(Number.POSITIVE_INFINITY));
  footnotes.settle((unit, line) => drafts[draftAt(drafts, line)]?.units.push(unit));
  for (const { id, line } of source.ids) ids.push({ id, line, attribute: false });
  if (source.ids.length > 0) ids.sort((one, other) => one.line - other.line);
  for (const { target, line } of source.scan.definitions) links.push({ target, line });
  links.sort((one, other) => one.line - other.line);
  return { drafts, headings, ids, links };
}

/** Which of the drafts, sorted by their first lines, a line belongs to. */
export function draftAt(drafts: readonly Draft[], line: number): number {
  let low = 0;
  let high = drafts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((drafts[middle]?.first ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** One by one: a page may have more units than a call may have arguments. */
function addUnits(list: Unit[] | undefined, units: readonly Unit[]): void {
  for (const unit of units) list?.push(unit);
}

function draftOf(block: Block, heading: RenderedHeading): Draft {
  return { first: block.first, afterHeading: block.end, level: block.level, heading, units: [] };
}

/** A heading without anything in it is a line that nobody sees. */
function opensSection(block: Block, source: PageSource): boolean {
  if (block.kind !== 'heading' || block.content.trim() === '') return false;
  return block.quotes === 0 && block.items === 0 && !source.isOpaque(block.first);
}

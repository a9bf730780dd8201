import { type Block, type BlockScan, scanBlocks } from './block-scan.ts';
import { readFrontMatter } from './front-matter.ts';
import { LineIndex, normaliseLineEnds } from './line-index.ts';
import { dropRawTags, hasTemplateTags, maskTemplateTags, type Span } from './template-tags.ts';

/** What all parts of one page share: link definitions of an included file count on the page that includes it. */
export interface Page {
  readonly include: (target: string) => string | undefined;
  readonly definitions: Map<string, string>;
  readonly footnotes: Set<string>;
  /** Lines (from 0) within the body. */
  readonly warnings: { line: number; text: string }[];
  /** Characters that includes may still add: two includes a level would double each time. */
  includeBudget: number;
}

/** A body cut into blocks, template tags taken out of its lines. Line numbers count from 0 within the body. */
export interface PageSource {
  readonly lines: readonly string[];
  readonly isEmpty: boolean;
  readonly scan: BlockScan;
  readonly includes: readonly IncludedSource[];
  /** Lines in template comments and code bodies: what looks like a heading there is none. */
  readonly isOpaque: (line: number) => boolean;
}

export interface IncludedSource {
  readonly line: number;
  readonly source: PageSource;
}

const MAX_INCLUDE_DEPTH = 8;
const FOOTNOTE = /^[ \t>]*\[\^(?<name>[^\]\s]+)\]:/gmu;

/** @throws {WorkBudgetError} when the text costs more than any page written by people. */
export function preparePage(body: string, page: Page): PageSource {
  return prepare(body, page, []);
}

function prepare(body: string, page: Page, within: readonly string[]): PageSource {
  const text = normaliseLineEnds(body);
  const sourceLines = text.split('\n');
  const scan = scanBlocks(text, sourceLines);
  for (const { label, target } of scan.definitions) {
    if (!page.definitions.has(label)) page.definitions.set(label, target);
  }
  if (text.includes('[^')) {
    for (const found of text.matchAll(FOOTNOTE)) page.footnotes.add(found.groups?.['name'] ?? '');
  }
  if (!hasTemplateTags(text)) {
    return { lines: sourceLines, isEmpty: text === '', scan, includes: [], isOpaque: () => false };
  }
  const index = new LineIndex(text);
  const masked = maskTemplateTags(text, codeSpans(scan.blocks, index));
  const lines = masked.text.split('\n');
  keepRawTagsOut(lines, scan.blocks);
  const opaque = masked.opaque.map((span) => ({ start: index.at(span.start), end: index.at(span.end) + 1 }));
  const includes = masked.includes.flatMap(({ offset, target }) => {
    const line = index.at(offset);
    const source = includeFile(target, line, page, within);
    return source === undefined ? [] : [{ line, source }];
  });
  return { lines, isEmpty: text === '', scan, includes, isOpaque: (line) => isWithin(opaque, line) };
}

function includeFile(
  target: string,
  line: number,
  page: Page,
  within: readonly string[],
): PageSource | undefined {
  const warn = (problem: string): undefined => {
    if (within.length === 0) page.warnings.push({ line, text: `include of ${target} ${problem}` });
  };
  if (within.includes(target)) return warn('includes itself; cut');
  if (within.length >= MAX_INCLUDE_DEPTH) return warn('nests too deeply; cut');
  const text = page.include(target);
  if (text === undefined) return warn('not found');
  page.includeBudget -= text.length;
  if (page.includeBudget < 0) return warn('makes the page too long; cut');
  return prepare(text.slice(readFrontMatter(text).end), page, [...within, target]);
}

function codeSpans(blocks: readonly Block[], index: LineIndex): Span[] {
  return blocks
    .filter((block) => block.kind === 'fence' || block.kind === 'code')
    .map((block) => ({ start: index.start(block.first), end: index.start(block.end) }));
}

function keepRawTagsOut(lines: string[], blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind !== 'fence' && block.kind !== 'code') continue;
    for (let line = block.first; line < block.end; line += 1) lines[line] = dropRawTags(lines[line] ?? '');
  }
}

/** `spans` are sorted. */
function isWithin(spans: readonly Span[], line: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return (spans[low]?.start ?? Number.POSITIVE_INFINITY) <= line;
}

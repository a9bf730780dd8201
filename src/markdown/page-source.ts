import { type Block, type BlockScan, scanBlocks } from './block-scan.ts';
import type { FootnoteLines } from './footnotes.ts';
import { readFrontMatter } from './front-matter.ts';
import { normalisePath, partOf } from './include-part.ts';
import { LineIndex, normaliseLineEnds } from './line-index.ts';
import type { IncludeMark } from './site.ts';
import { readSiteLines } from './site-lines.ts';
import { dropRawTags, hasTemplateTags, maskTemplateTags, type Span } from './template-tags.ts';

/** What all parts of one page share: link definitions of an included file count on the page that includes it. */
export interface Page {
  /** Of the file, without its folders. */
  readonly name: string;
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
  /** Of tags that are gone from the lines. */
  readonly ids: readonly { readonly id: string; readonly line: number }[];
  readonly footnotes: readonly FootnoteLines[];
  /** Lines in template comments and code bodies: what looks like a heading there is none. */
  readonly isOpaque: (line: number) => boolean;
}

export interface IncludedSource {
  readonly line: number;
  readonly source: PageSource;
}

const MAX_INCLUDE_DEPTH = 8;
const LISTING = '~'.repeat(12);
const FOOTNOTE = /^[ \t>]*\[\^(?<name>[^\]\s]+)\]:/gmu;

/** @throws {WorkBudgetError} when the text costs more than any page written by people. */
export function preparePage(body: string, page: Page): PageSource {
  return prepare(body, page, [page.name]);
}

/** `within` names the files around it, the page itself first. */
function prepare(body: string, page: Page, within: readonly string[]): PageSource {
  const original = normaliseLineEnds(body);
  const site = readSiteLines(original.split('\n'), within.at(-1) ?? '');
  if (within.length === 1) page.warnings.push(...site.warnings);
  const text = site.changed ? site.lines.join('\n') : original;
  const scan = scanBlocks(text, site.lines);
  for (const { label, target } of scan.definitions) {
    if (!page.definitions.has(label)) page.definitions.set(label, target);
  }
  for (const { label } of site.footnotes) page.footnotes.add(label);
  if (text.includes('[^')) {
    for (const found of text.matchAll(FOOTNOTE)) page.footnotes.add(found.groups?.['name'] ?? '');
  }
  const templates = readTemplates(text, site.lines, scan);
  const marks = [...site.includes, ...templates.includes].sort((one, other) => one.line - other.line);
  return {
    lines: templates.lines,
    isEmpty: original === '',
    scan,
    ids: site.ids,
    footnotes: site.footnotes,
    includes: marks.flatMap((mark) => {
      const source = includeFile(mark, page, within);
      return source === undefined ? [] : [{ line: mark.line, source }];
    }),
    isOpaque: templates.isOpaque,
  };
}

interface Templates {
  readonly lines: readonly string[];
  readonly includes: readonly IncludeMark[];
  readonly isOpaque: (line: number) => boolean;
}

/** Takes template tags out of the lines. */
function readTemplates(text: string, source: readonly string[], scan: BlockScan): Templates {
  if (!hasTemplateTags(text)) return { lines: source, includes: [], isOpaque: () => false };
  const index = new LineIndex(text);
  const masked = maskTemplateTags(text, codeSpans(scan.blocks, index));
  const lines = masked.text.split('\n');
  keepRawTagsOut(lines, scan.blocks);
  const opaque = masked.opaque.map((span) => ({ start: index.at(span.start), end: index.at(span.end) + 1 }));
  return {
    lines,
    includes: masked.includes.map(({ offset, target }) => ({ line: index.at(offset), target, code: false })),
    isOpaque: (line) => isWithin(opaque, line),
  };
}

function includeFile(mark: IncludeMark, page: Page, within: readonly string[]): PageSource | undefined {
  const target = resolveTarget(mark.target, within);
  const warn = (problem: string): PageSource | undefined => {
    if (mark.instead !== undefined) return prepare(mark.instead, page, [...within, '']);
    if (within.length === 1)
      page.warnings.push({ line: mark.line, text: `include of ${mark.target} ${problem}` });
    return undefined;
  };
  if (within.includes(target)) return warn('includes itself; cut');
  if (within.length > MAX_INCLUDE_DEPTH) return warn('nests too deeply; cut');
  const text = page.include(target);
  if (text === undefined) return warn('not found');
  const part = partOf(mark.code ? text : text.slice(readFrontMatter(text).end), mark);
  if (part === undefined) return warn('has no such part');
  page.includeBudget -= part.length;
  if (page.includeBudget < 0) return warn('makes the page too long; cut');
  return prepare(mark.code ? listing(part) : part, page, [...within, target]);
}

/** Includes in an included file are relative to that file. */
function resolveTarget(target: string, within: readonly string[]): string {
  const folder = within.length > 1 ? (within.at(-1) ?? '').replace(/[^/]*$/u, '') : '';
  return target.startsWith('/') ? target : normalisePath(folder + target);
}

function listing(text: string): string {
  return `${LISTING}\n${text.trimEnd()}\n${LISTING}\n`;
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

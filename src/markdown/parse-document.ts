import { type Block, WorkBudgetError } from './block-scan.ts';
import { type Body, firstLineOf, lastLineOf } from './body.ts';
import { chunkUnits } from './chunk.ts';
import { dialectsOf } from './dialect.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { headerUnits } from './header-words.ts';
import { htmlTitle } from './html-heading.ts';
import { LineIndex, skipBlankLines } from './line-index.ts';
import { type PageContent, readContent } from './page-content.ts';
import { type Page, type PageSource, preparePage } from './page-source.ts';
import type { ParsedDocument, ParsedSection } from './parsed.ts';
import { plainDocument } from './plain-document.ts';
import { buildSections, fragmentLinks } from './sections.ts';
import { replacePayloads } from './visible-characters.ts';

export interface ParseOptions {
  /** Names the page where nothing in it does. */
  readonly path: string;
  /**
   * Text of the file that `{% include_relative target %}` names, undefined when there is none. Must keep inside the
   * source; cycles, depth and size are cut here.
   */
  readonly include?: (target: string) => string | undefined;
}

/** Characters that all includes of one page may add. */
const INCLUDE_BUDGET = 4_000_000;
/** Of what can be read in two seconds. The longest page of the test bed has 1.4 million characters, and 12,000 lines. */
const MOST_CHARACTERS = 4_000_000;
const MOST_LINES = 80_000;
/** Data, not text; the longest of the test bed has 710,000. */
const LONG_LINE = 100_000;
const MOST_IN_LONG_LINES = 1_000_000;

/** A decoded Markdown file as sections and chunks. Never throws: a text that cannot be scanned is one plain section. */
export function parseDocument(text: string, options: ParseOptions): ParsedDocument {
  const front = headerOf(text);
  const body: Body = { text, front, index: new LineIndex(text), start: bodyStart(text, front.end) };
  try {
    refuseCostly(body);
    return parseBody(body, options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return plainDocument(body, { path: options.path, title: fileTitle(options.path), reason });
  }
}

function refuseCostly({ text, index }: Body): void {
  if (index.at(text.length) >= MOST_LINES) throw new WorkBudgetError(`it has more than ${MOST_LINES} lines`);
  const long = index.longerThan(LONG_LINE).map(({ start, end }) => text.slice(start, end));
  // Payloads, which a mark takes the place of, cost nothing.
  const shown = total(long.map(replacePayloads));
  if (text.length - total(long) + shown > MOST_CHARACTERS)
    throw new WorkBudgetError(`it is longer than ${MOST_CHARACTERS} characters`);
  if (shown > MOST_IN_LONG_LINES)
    throw new WorkBudgetError(`it has ${shown} characters in lines of over ${LONG_LINE}`);
}

function total(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/** What a pattern gives up on is no header. */
function headerOf(text: string): FrontMatter {
  try {
    return readFrontMatter(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const warnings = [{ line: 1, text: `a header was not looked for: ${reason}` }];
    return { metadata: {}, end: 0, warnings };
  }
}

function parseBody(body: Body, options: ParseOptions): ParsedDocument {
  const page: Page = {
    name: options.path.split('/').at(-1) ?? '',
    include: options.include ?? (() => undefined),
    definitions: new Map(),
    footnotes: new Set(),
    warnings: [],
    includeBudget: INCLUDE_BUDGET,
  };
  const firstLine = firstLineOf(body);
  const bodyText = body.text.slice(body.start);
  const source = preparePage(bodyText, page);
  const content = readContent(source, page);
  const title = body.front.title ?? firstTitle(content) ?? htmlTitle(source) ?? fileTitle(options.path);
  const { sections, headings } = buildSections(content, {
    firstLine,
    offsetOf: (line) => (line === 0 ? body.start : body.index.start(line + firstLine - 1)),
    bodyEnd: body.text.length,
    lastLine: lastLineOf(body),
    title,
  });
  const landing = sections.some(({ chunks }) => chunks.length > 0) ? undefined : headerSection(body);
  return {
    path: options.path,
    title,
    metadata: body.front.metadata,
    bodyStart: landing === undefined ? body.start : 0,
    sections: landing === undefined ? sections : [landing],
    headings: landing === undefined ? headings : [],
    links: fragmentLinks(content, firstLine),
    dialects: () =>
      dialectsOf({
        text: bodyText,
        prose: () => proseOf(source),
        metadata: body.front.metadata,
        toml: body.front.language === 'toml',
      }),
    warnings: [
      ...body.front.warnings,
      ...[...page.warnings, ...unclosed(source)].map(({ line, text }) => ({ line: line + firstLine, text })),
    ],
  };
}

/** A page whose words are all in its header, as those of landing pages are, is one section: the whole file. */
function headerSection(body: Body): ParsedSection | undefined {
  const chunks = chunkUnits(headerUnits(body.front.metadata), 1);
  if (chunks.length === 0) return undefined;
  const lines = { first: 1, last: lastLineOf(body) };
  const shown = chunks.map((chunk) => ({ ...chunk, lines }));
  return { headings: [], explicitAnchors: [], lines, start: 0, end: body.text.length, chunks: shown };
}

/** The lines that are not code. */
function proseOf({ scan, lines }: PageSource): string {
  return scan.blocks
    .filter(({ kind }) => kind !== 'fence' && kind !== 'code')
    .flatMap(({ first, end }) => lines.slice(first, end))
    .join('\n');
}

function firstTitle(content: PageContent): string | undefined {
  return content.drafts.find(({ level, heading }) => level === 1 && heading?.text !== '')?.heading?.label;
}

function unclosed(source: PageSource): { line: number; text: string }[] {
  return source.scan.blocks.flatMap((block) => {
    if (block.unclosed) return [{ line: block.first, text: 'code fence is not closed' }];
    return isOpenComment(block, source) ? [{ line: block.first, text: 'comment is not closed' }] : [];
  });
}

function isOpenComment(block: Block, source: PageSource): boolean {
  if (block.kind !== 'html' || source.lines[block.first]?.includes('<!--') !== true) return false;
  const html = source.lines.slice(block.first, block.end).join('\n');
  return html.trimStart().startsWith('<!--') && !html.includes('-->');
}

/** Where the first line stands that is not blank; the end of a text without one. */
function bodyStart(text: string, from: number): number {
  const start = skipBlankLines(text, from);
  return text.slice(start, start + 1000).trim() === '' && text.slice(start).trim() === ''
    ? text.length
    : start;
}

/** `_guides/getting-started.html.md` is "getting started". */
function fileTitle(path: string): string {
  const name = path.split('/').at(-1) ?? path;
  const stem = name.replace(/(?:\.html?)?\.(?:md|mdx|markdown|mdown|mkdn?|txt|text)$/iu, '');
  return stem.replace(/[-_]+/gu, ' ').trim() || name;
}

import MarkdownIt from 'markdown-it';
import type StateBlock from 'markdown-it/lib/rules_block/state_block.mjs';
import type Token from 'markdown-it/lib/token.mjs';

export type BlockKind =
  | 'paragraph'
  | 'heading'
  | 'fence'
  /** Code by indentation. */
  | 'code'
  | 'html'
  | 'table'
  | 'rule'
  | 'definition'
  /** Lines the scanner gave no block, such as those below its nesting limit: text all the same. */
  | 'unscanned';

/** A leaf block, by its lines (from 0, `end` excluded). */
export interface Block {
  readonly kind: BlockKind;
  readonly first: number;
  readonly end: number;
  /** Blockquotes and list items around it. */
  readonly quotes: number;
  readonly items: number;
  /** Of a heading; 0 otherwise. */
  readonly level: number;
  /** A heading's inline Markdown. */
  readonly content: string;
  /** A fence that its container or the file ends. */
  readonly unclosed: boolean;
}

export interface BlockScan {
  /** In page order, without gaps but for blank lines. */
  readonly blocks: readonly Block[];
  /** How many list items begin on a line; lines without are absent. */
  readonly itemsAt: ReadonlyMap<number, number>;
  /** Link reference definitions: normalised label to destination. The first of a label counts. */
  readonly definitions: readonly { readonly label: string; readonly target: string; readonly line: number }[];
}

/** Thrown when a text costs more work than any page written by people. */
export class WorkBudgetError extends Error {
  override readonly name = 'WorkBudgetError';
}

interface Environment {
  work: number;
  references: Record<string, { readonly href: string }>;
  definitions: { label: string; target: string; line: number }[];
}

/** Calls of the cheapest rule allowed: a page needs one or two a line, deeply nested lists some tens. */
const WORK_PER_LINE = 64;
const FREE_WORK = 200_000;
/** Real pages have up to about 1,400. */
const MAX_HEADINGS = 50_000;

const scanner = createScanner();

/** Cuts a text (line ends `\n`) into blocks in linear time; `lines` are its lines. @throws {WorkBudgetError} */
export function scanBlocks(text: string, lines: readonly string[]): BlockScan {
  const environment: Environment = {
    work: FREE_WORK + WORK_PER_LINE * lines.length,
    references: {},
    definitions: [],
  };
  const tokens: Token[] = [];
  scanner.block.parse(text, scanner, environment, tokens);
  const headings = tokens.reduce((count, { type }) => count + (type === 'heading_open' ? 1 : 0), 0);
  if (headings > MAX_HEADINGS) throw new WorkBudgetError(`it has ${headings} headings`);
  return { ...collectBlocks(tokens, lines), definitions: environment.definitions };
}

/** The form in which link labels are compared. */
export function normaliseLabel(label: string): string {
  return scanner.utils.normalizeReference(label);
}

/** A character reference such as `&amp;` or `&#8217;` decoded; one that is unknown stays as it is. */
export function decodeEntity(reference: string): string {
  return scanner.utils.unescapeAll(reference);
}

function createScanner(): MarkdownIt {
  // The nesting limit of the default preset, 100, is beyond what pages need; what lies below it stays text.
  const markdown = new MarkdownIt('default', { html: true });
  markdown.validateLink = () => true;
  markdown.normalizeLink = (url) => url;
  const [reference] = rulesOf('reference');
  const [fence] = rulesOf('fence');
  if (reference === undefined || fence === undefined) throw new Error('markdown-it lacks a block rule');
  markdown.block.ruler.at('reference', (state, start, end, silent) => {
    if (!reference(state, start, end, silent)) return false;
    recordDefinition(state, start);
    return true;
  });
  const [table] = rulesOf('table');
  if (table === undefined) throw new Error('markdown-it lacks its table rule');
  markdown.block.ruler.at(
    'table',
    (state, start, end, silent) => isTableSized(state, start) && table(state, start, end, silent),
    { alt: ['paragraph', 'reference'] },
  );
  // Every rule that looks at a line, or asks whether a line ends a paragraph, tries the fence first.
  markdown.block.ruler.at(
    'fence',
    (state, start, end, silent) => {
      const environment = state.env as Environment;
      environment.work -= 1;
      if (environment.work < 0) throw new WorkBudgetError('the text nests too deeply to be scanned');
      return fence(state, start, end, silent);
    },
    { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
  );
  return markdown;
}

/** A row of more cells is data; each would be three tokens. */
const MAX_CELLS = 1000;

function isTableSized({ src, bMarks, eMarks }: StateBlock, line: number): boolean {
  const [start = 0, end = 0] = [bMarks[line], eMarks[line]];
  return end - start <= 2 * MAX_CELLS || src.slice(start, end).split('|').length <= MAX_CELLS;
}

function rulesOf(name: string): ReturnType<MarkdownIt['block']['ruler']['getRules']> {
  const markdown = new MarkdownIt('default');
  markdown.block.ruler.enableOnly([name]);
  return markdown.block.ruler.getRules('');
}

/** Leaves a token where the definition stood, so that its lines are known to hold no text. */
function recordDefinition(state: StateBlock, start: number): void {
  const environment = state.env as Environment;
  const [label] = Object.keys(environment.references);
  // The rule keeps what is new to it; the record is emptied each time so that the newest is the only one.
  const target = label === undefined ? undefined : environment.references[label];
  environment.references = {};
  // `[^1]: word` has the form of a definition but is a footnote, whose words are text.
  const footnote = label?.startsWith('^') === true;
  if (label !== undefined && target !== undefined && !footnote) {
    environment.definitions.push({ label, target: target.href, line: start });
  }
  const token = state.push(footnote ? 'footnote' : 'definition', '', 0);
  token.map = [start, state.line];
}

const KINDS: Readonly<Record<string, BlockKind>> = {
  paragraph_open: 'paragraph',
  footnote: 'paragraph',
  heading_open: 'heading',
  fence: 'fence',
  code_block: 'code',
  html_block: 'html',
  table_open: 'table',
  hr: 'rule',
  definition: 'definition',
};

function collectBlocks(tokens: readonly Token[], lines: readonly string[]): Omit<BlockScan, 'definitions'> {
  const blocks: Block[] = [];
  const nesting = new Nesting();
  let cursor = 0;
  for (const [index, token] of tokens.entries()) {
    nesting.follow(token);
    const kind = KINDS[token.type];
    if (kind === undefined || token.map === null) continue;
    const [first, end] = token.map;
    pushUnscanned(blocks, lines, cursor, first);
    const heading = kind === 'heading';
    blocks.push({
      kind,
      first,
      end,
      quotes: nesting.quotes,
      items: nesting.items,
      level: heading ? Number(token.tag.slice(1)) : 0,
      content: heading ? (tokens[index + 1]?.content ?? '') : '',
      unclosed: kind === 'fence' && isUnclosed(token, end - first),
    });
    cursor = Math.max(cursor, end);
  }
  pushUnscanned(blocks, lines, cursor, lines.length);
  return { blocks, itemsAt: nesting.itemsAt };
}

/** The containers around a token. */
class Nesting {
  quotes = 0;
  items = 0;
  readonly itemsAt = new Map<number, number>();

  follow(token: Token): void {
    if (token.nesting === 0) return;
    if (token.type === 'blockquote_open' || token.type === 'blockquote_close') this.quotes += token.nesting;
    if (token.type === 'list_item_close') this.items -= 1;
    if (token.type !== 'list_item_open') return;
    this.items += 1;
    const line = token.map?.[0] ?? 0;
    this.itemsAt.set(line, (this.itemsAt.get(line) ?? 0) + 1);
  }
}

/** Lines without a block are blank, or hold nothing but the marks of containers, or were left unread. */
function pushUnscanned(blocks: Block[], lines: readonly string[], from: number, to: number): void {
  let first = from;
  let end = to;
  while (first < end && isBare(lines[first])) first += 1;
  while (end > first && isBare(lines[end - 1])) end -= 1;
  if (first >= end) return;
  blocks.push({ kind: 'unscanned', first, end, quotes: 0, items: 0, level: 0, content: '', unclosed: false });
}

function isBare(line: string | undefined): boolean {
  return line === undefined || !/[^\s>*+-]/u.test(line);
}

/** A closed fence has two lines more than its content, an open one only its first. */
function isUnclosed(token: Token, lines: number): boolean {
  const { content } = token;
  if (content === '') return lines < 2;
  let contentLines = content.endsWith('\n') ? 0 : 1;
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) contentLines += 1;
  return lines - 1 === contentLines;
}

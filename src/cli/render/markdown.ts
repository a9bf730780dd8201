import type { Code, FootnoteDefinition, Heading, List, ListItem, Root, RootContent } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { stripControls } from '../../core/text.ts';
import { definitionsOf, type InlineContext, inline, nodesOf } from './markdown-inline.ts';
import { tableLines } from './markdown-table.ts';
import { textOfHtml } from './markup.ts';
import { type Mark, paint, type Span, span, wrap } from './spans.ts';
import { oneLine, type Terminal } from './terminal.ts';
import { widthOf } from './width.ts';

export interface MarkdownOptions {
  /** URLs of the markers `[1]`, `[2]`, … of an answer, to be linked where the terminal can. */
  readonly citations?: ReadonlyMap<number, string | undefined>;
}

interface Context extends InlineContext {
  readonly width: number;
}

/** Prose wider than this is hard to read, however wide the terminal. */
const PROSE_COLUMNS = 100;

/** Below this many columns nested blocks are no longer set in. */
const NARROW_COLUMNS = 16;
const CODE_INDENT = '    ';

/** remark takes quadratic time and deep recursion; what goes beyond these is shown as it was written. */
const PARSED_MAX_LENGTH = 150_000;
const DEEPLY_NESTED = /^[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+){30}/mu;

/** An answer or section for this place: laid out for a person at a terminal, the Markdown itself in a pipe. */
export function formatAnswerText(
  markdown: string,
  terminal: Terminal,
  options: MarkdownOptions = {},
): string {
  return terminal.isTty ? renderMarkdown(markdown, terminal, options) : stripControls(markdown);
}

/**
 * Markdown laid out in the terminal's width, without a line end after the last line. Never throws: text that
 * cannot be parsed comes back as it was written, without control characters.
 */
export function renderMarkdown(markdown: string, terminal: Terminal, options: MarkdownOptions = {}): string {
  const text = stripControls(markdown);
  if (text.length > PARSED_MAX_LENGTH || DEEPLY_NESTED.test(text)) return text;
  try {
    const root = unified().use(remarkParse).use(remarkGfm).parse(text);
    return layOut(root, terminal, options).join('\n');
  } catch {
    // Text nested in ways the check above does not see overflows the parser's stack.
    return text;
  }
}

function layOut(root: Root, terminal: Terminal, options: MarkdownOptions): string[] {
  const context: Context = {
    terminal,
    width: Math.min(terminal.columns, PROSE_COLUMNS),
    definitions: definitionsOf(root),
    citations: options.citations,
  };
  const body = blocks(root.children, context);
  const notes = nodesOf(root, 'footnoteDefinition').flatMap((note) => footnote(note, context));
  return notes.length === 0 || body.length === 0 ? [...body, ...notes] : [...body, '', ...notes];
}

/** Blocks with a blank line between them, or none between those of a tight list item. */
function blocks(nodes: readonly RootContent[], context: Context, tight = false): string[] {
  const lines: string[] = [];
  for (const node of nodes) {
    const rendered = block(node, context);
    if (rendered.length === 0) continue;
    if (lines.length > 0 && !tight) lines.push('');
    for (const line of rendered) lines.push(line);
  }
  return lines;
}

function block(node: RootContent, context: Context): string[] {
  switch (node.type) {
    case 'paragraph':
      return paragraph(inline(node.children, context), context);
    case 'heading':
      return heading(node, context);
    case 'thematicBreak':
      return [paint([span('─'.repeat(context.width), ['dim'])], context.terminal)];
    case 'blockquote':
      return quote(node.children, context);
    case 'list':
      return list(node, context);
    case 'code':
      return code(node, context);
    case 'html':
      return html(node.value, context);
    case 'table':
      return tableLines(node, tableRoom(context), context);
    default:
      // Definitions are in the links that use them, footnotes at the end; the parser puts nothing else here.
      return [];
  }
}

/** A table may use the whole terminal, less what its surroundings are set in. */
function tableRoom(context: Context): number {
  return context.width + Math.max(0, context.terminal.columns - PROSE_COLUMNS);
}

function paragraph(spans: readonly Span[], context: Context): string[] {
  return wrap(spans, context.width).map((line) => paint(line, context.terminal));
}

function heading(node: Heading, context: Context): string[] {
  const marks: Mark[] = node.depth === 1 ? ['bold', 'underline'] : ['bold'];
  const text = inline(node.children, context, { marks });
  if (text.length === 0) return [];
  const sign = context.terminal.colour ? [] : [span(`${'#'.repeat(node.depth)} `)];
  return paragraph([...sign, ...text], context);
}

function quote(nodes: readonly RootContent[], context: Context): string[] {
  if (context.width - 2 < NARROW_COLUMNS) return blocks(nodes, context);
  const bar = paint([span('│', ['dim'])], context.terminal);
  return blocks(nodes, { ...context, width: context.width - 2 }).map((line) =>
    line === '' ? bar : `${bar} ${line}`,
  );
}

function code(node: Code, context: Context): string[] {
  const indent = context.width < NARROW_COLUMNS ? '' : CODE_INDENT;
  return stripControls(node.value)
    .split('\n')
    .map((line) => (line === '' ? '' : indent + paint([span(line, ['code'])], context.terminal)));
}

function html(value: string, context: Context): string[] {
  const parts = stripControls(textOfHtml(value)).split(/\n\s*\n/u);
  const paragraphs = parts.map((part) => paragraph([span(part.trim())], context));
  return paragraphs
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

function list(node: List, context: Context): string[] {
  const first = node.start ?? 1;
  const last = `${first + node.children.length - 1}`.length;
  const loose = node.spread === true || node.children.some((item) => item.spread === true);
  const lines: string[] = [];
  for (const [index, item] of node.children.entries()) {
    const bullet = node.ordered === true ? `${`${first + index}`.padStart(last)}. ` : '• ';
    if (index > 0 && loose) lines.push('');
    for (const line of listItem(item, bullet + taskBox(item), context)) lines.push(line);
  }
  return lines;
}

function taskBox(item: ListItem): string {
  if (item.checked === true) return '[x] ';
  return item.checked === false ? '[ ] ' : '';
}

function listItem(item: ListItem, marker: string, context: Context): string[] {
  const indent = widthOf(marker);
  const width = context.width - indent;
  const tight = item.spread !== true;
  if (width >= NARROW_COLUMNS) {
    return hang(marker, ' '.repeat(indent), blocks(item.children, { ...context, width }, tight));
  }
  const [head, ...rest] = item.children;
  if (head?.type !== 'paragraph') return [marker.trimEnd(), ...blocks(item.children, context, tight)];
  const own = blocks([head], { ...context, width: Math.max(1, width) });
  return [...hang(marker, ' '.repeat(indent), own), ...blocks(rest, context, tight)];
}

/** The marker before the first line, the others set in as far. */
function hang(marker: string, indent: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [marker.trimEnd()];
  return lines.map((line, index) => {
    if (index === 0) return marker + line;
    return line === '' ? '' : indent + line;
  });
}

function footnote(note: FootnoteDefinition, context: Context): string[] {
  const label = span(`[^${oneLine(note.label ?? note.identifier)}]:`, ['dim']);
  const inner = { ...context, width: Math.max(1, context.width - 2) };
  const [head, ...rest] = note.children;
  const text = head?.type === 'paragraph' ? inline(head.children, context) : [];
  const own = paragraph([label, span(' '), ...text], inner);
  const more = blocks(text.length === 0 ? note.children : rest, inner);
  const lines = more.length === 0 ? own : [...own, '', ...more];
  return lines.map((line, index) => (index === 0 || line === '' ? line : `  ${line}`));
}

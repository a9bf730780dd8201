/** One line of a text block: what marks it (indent, `>`, list marker, `#`), and its words. */
export interface BlockLine {
  readonly prefix: string;
  readonly text: string;
}

export type BlockForm = 'paragraph' | 'heading' | 'item' | 'table-head' | 'table-rule' | 'row' | 'rule';

/** Markdown in the pieces the citation rules speak of: every list item and table row is a block of its own. */
export type Block =
  | { readonly kind: 'blank' }
  | {
      readonly kind: 'fence';
      readonly info: string;
      readonly lines: readonly string[];
      /** Blanks before its first mark: more than none inside a list item. */
      readonly indent: number;
    }
  | { readonly kind: 'text'; readonly form: BlockForm; readonly lines: readonly BlockLine[] };

export type TextBlock = Extract<Block, { kind: 'text' }>;

const QUOTE = /^(?:[ \t]{0,3}>[ \t]?)*/u;
const ITEM = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/u;
const HEADING = /^[ \t]{0,3}#{1,6}(?:[ \t]+|$)/u;
const FENCE = /^([ \t]*)(`{3,}|~{3,})([^`]*)$/u;
const RULE = /^[ \t]*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+)$/u;
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/u;

export function splitBlocks(markdown: string): readonly Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  let inTable = false;
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? '';
    const fence = readFence(lines, index);
    if (fence !== undefined) {
      blocks.push(fence.block);
      index = fence.next;
      inTable = false;
      continue;
    }
    const table = tableForm(line, lines[index + 1] ?? '', inTable);
    inTable = table !== undefined;
    addLine(blocks, line, table);
    index += 1;
  }
  return blocks;
}

/** A fence opens after quote marks and a list marker too; it ends at its close, its quote's end, or the text's. */
function readFence(lines: readonly string[], start: number): { block: Block; next: number } | undefined {
  const first = lines[start] ?? '';
  const quote = QUOTE.exec(first)?.[0] ?? '';
  const open = FENCE.exec(first.slice(quote.length).replace(ITEM, (marker) => ' '.repeat(marker.length)));
  if (open === null) return undefined;
  const [, indent = '', mark = '', info = ''] = open;
  const quoted = quote.includes('>');
  const content: string[] = [];
  let isClosed = false;
  let next = start + 1;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    const lead = quoted ? (QUOTE.exec(line)?.[0] ?? '') : '';
    if (quoted && !lead.includes('>')) break;
    const body = line.slice(lead.length);
    isClosed = closes(body, mark);
    if (isClosed) {
      next += 1;
      break;
    }
    content.push(dedent(body, indent.length));
  }
  if (!isClosed && next === lines.length && content.at(-1) === '') content.pop();
  return { block: { kind: 'fence', info: info.trim(), lines: content, indent: indent.length }, next };
}

function closes(line: string, mark: string): boolean {
  const text = line.trim();
  return text.length >= mark.length && text === (mark[0] ?? '`').repeat(text.length);
}

function dedent(line: string, width: number): string {
  let index = 0;
  while (index < width && (line[index] === ' ' || line[index] === '\t')) index += 1;
  return line.slice(index);
}

function tableForm(line: string, next: string, inTable: boolean): BlockForm | undefined {
  const bare = (text: string): string => text.slice(QUOTE.exec(text)?.[0].length ?? 0);
  const isRule = (text: string): boolean =>
    text.includes('|') && text.includes('-') && TABLE_RULE.test(bare(text));
  if (!line.includes('|')) return undefined;
  if (isRule(line)) return 'table-rule';
  if (inTable) return 'row';
  return isRule(next) ? 'table-head' : undefined;
}

function addLine(blocks: Block[], line: string, table: BlockForm | undefined): void {
  const quote = QUOTE.exec(line)?.[0] ?? '';
  const rest = line.slice(quote.length);
  if (rest.trim() === '' && !quote.includes('>')) {
    blocks.push({ kind: 'blank' });
    return;
  }
  const { form, marker } = formOf(rest, table);
  const entry: BlockLine = { prefix: quote + marker, text: rest.slice(marker.length) };
  const last = blocks.at(-1);
  const depth = (prefix: string): number => prefix.split('>').length;
  const goesOn =
    form === 'paragraph' &&
    rest.trim() !== '' &&
    last?.kind === 'text' &&
    (last.form === 'paragraph' || last.form === 'item') &&
    last.lines.at(-1)?.text.trim() !== '' &&
    depth(last.lines[0]?.prefix ?? '') === depth(quote);
  if (goesOn) blocks[blocks.length - 1] = { ...last, lines: [...last.lines, entry] };
  else blocks.push({ kind: 'text', form, lines: [entry] });
}

function formOf(rest: string, table: BlockForm | undefined): { form: BlockForm; marker: string } {
  const indent = /^[ \t]*/u.exec(rest)?.[0] ?? '';
  if (table !== undefined) return { form: table, marker: indent };
  if (RULE.test(rest)) return { form: 'rule', marker: indent };
  const heading = HEADING.exec(rest)?.[0];
  if (heading !== undefined) return { form: 'heading', marker: heading };
  const item = ITEM.exec(rest)?.[0];
  return item === undefined ? { form: 'paragraph', marker: indent } : { form: 'item', marker: item };
}

/** The words of a block, lines joined by newlines. */
export function blockText(block: TextBlock): string {
  return block.lines.map((line) => line.text).join('\n');
}

/** The block with other words; lines beyond the ones it had take the last line's indent. */
export function withText(block: TextBlock, text: string): TextBlock {
  const last = block.lines.at(-1)?.prefix ?? '';
  const lines = text
    .split('\n')
    .map((line, index) => ({ prefix: block.lines[index]?.prefix ?? last, text: line }));
  return { ...block, lines };
}

/**
 * Markdown of the blocks. Fences are written anew at the left margin, always closed and longer than any run of
 * backticks in them, so that every reader of Markdown agrees with us on what is code.
 */
export function joinBlocks(blocks: readonly Block[]): string {
  const last = blocks.findLastIndex((block) => block.kind !== 'blank');
  const kept = blocks
    .slice(0, last + 1)
    .filter((block, index) => block.kind !== 'blank' || (index > 0 && blocks[index - 1]?.kind !== 'blank'));
  const first = kept.findIndex((block) => block.kind !== 'blank');
  return kept.slice(Math.max(0, first)).map(blockMarkdown).join('\n').trim();
}

function blockMarkdown(block: Block): string {
  if (block.kind === 'blank') return '';
  if (block.kind === 'text')
    return block.lines.map((line) => `${line.prefix}${line.text}`.trimEnd()).join('\n');
  const longest = Math.max(
    2,
    ...block.lines.flatMap((line) => line.match(/`+/gu) ?? []).map((run) => run.length),
  );
  const mark = '`'.repeat(longest + 1);
  const info = /^[\w+#.-]{0,40}/u.exec(block.info)?.[0] ?? '';
  return [`${mark}${info}`, ...block.lines, mark].join('\n');
}

import { lineIds } from './attribute-list.ts';
import type { Block } from './block-scan.ts';
import { cutContainers, dedent, splitCells } from './containers.ts';
import { type RenderedHeading, renderHeading } from './heading.ts';
import { hasRows, tableRows } from './html-table.ts';
import { htmlText } from './html-text.ts';
import { inlineText } from './inline-text.ts';
import type { Page, PageSource } from './page-source.ts';
import {
  capLine,
  collapseRepeats,
  isEncodedLine,
  replacePayloads,
  stripInvisible,
} from './visible-characters.ts';

export interface UnitLine {
  readonly text: string;
  /** From 0, within the body of the page. */
  readonly line: number;
}

/** A piece of a page that reads as a whole: a paragraph, a list item, a table row, a listing. Never without words. */
export interface Unit {
  readonly lines: readonly UnitLine[];
  /** What stands between it and the unit before. */
  readonly gap: '\n' | '\n\n';
  /** The header row of a table's row. */
  readonly header?: string;
}

/** Told what is found on the way. Lines from 0 within the body of the page. */
export interface UnitSink {
  readonly onLink: (target: string, line: number) => void;
  readonly onId: (id: string, line: number, attribute: boolean) => void;
  readonly onFootnote: (label: string, line: number) => void;
  /** Headings that open no section: in blockquotes, lists and included files. */
  readonly onHeading: (heading: { rendered: RenderedHeading; level: number; line: number }) => void;
}

/** A footnote's or a definition's. */
const LINE_MARK = /^(?:\[\^[^\]\s]+\]:\s*|:[ \t]+)/u;
const BLOCK_ID = /(?:^|[ \t])\^(?<id>[A-Za-z0-9][A-Za-z0-9-]{3,})$/u;
const TABLE_OF_CONTENTS = /^[\s>]*\{:\s*toc\b[^{}]*\}\s*$/u;

/** Reads the blocks of a page as its visitors see them: words kept, markup and machinery gone. */
export class UnitReader {
  readonly #source: PageSource;
  readonly #page: Page;
  readonly #sink: UnitSink;
  /** All lines of an included file are the line that includes it. */
  readonly #fixedLine: number | undefined;
  /** How many of the included files have been read. */
  #included = 0;

  constructor(source: PageSource, page: Page, sink: UnitSink, fixedLine?: number) {
    this.#source = source;
    this.#page = page;
    this.#sink = sink;
    this.#fixedLine = fixedLine;
  }

  /** Units of a block and the files it includes; `follows` is true when no blank line stands before it. */
  read(block: Block, follows: boolean): Unit[] {
    const units = this.#own(block, follows ? '\n' : '\n\n');
    for (const unit of this.includesBefore(block.end)) units.push(unit);
    return units;
  }

  /** Units of the files that are included above a line, those that were read before left out. */
  includesBefore(end: number): Unit[] {
    const units: Unit[] = [];
    const { includes } = this.#source;
    for (
      let next = includes[this.#included];
      next !== undefined && next.line < end;
      next = includes[this.#included]
    ) {
      this.#included += 1;
      const reader = new UnitReader(next.source, this.#page, this.#sink, this.#line(next.line));
      for (const unit of readAll(reader, next.source)) units.push(unit);
    }
    return units;
  }

  #own(block: Block, gap: Unit['gap']): Unit[] {
    switch (block.kind) {
      case 'rule':
      case 'definition':
        return [];
      case 'fence':
        return this.#code(block, block.first + 1, block.unclosed ? block.end : block.end - 1, gap);
      case 'code':
        return this.#code(block, block.first, block.end, gap);
      case 'heading':
        return this.#heading(block, gap);
      case 'table':
        return this.#table(block, gap);
      case 'html':
        return this.#html(block, gap);
      case 'paragraph':
      case 'unscanned':
        return this.#text(block, gap);
    }
  }

  #line(line: number): number {
    return this.#fixedLine ?? line;
  }

  #inline(text: string, first: number): string {
    return inlineText(text, {
      definitions: this.#page.definitions,
      footnotes: this.#page.footnotes,
      images: 'alt',
      tags: 'words',
      onLink: (target, line) => this.#sink.onLink(target, this.#line(first + line)),
      onId: (id, line) => this.#sink.onId(id, this.#line(first + line), false),
      onFootnote: (label, line) => this.#sink.onFootnote(label, this.#line(first + line)),
    });
  }

  /** A line without its containers' marks; attribute lists give their ids and no text. */
  #stripped(block: Block, line: number): { bullet: string; text: string } {
    const cut = cutContainers(
      this.#source.lines[line] ?? '',
      block.quotes,
      this.#source.scan.itemsAt.get(line) ?? 0,
    );
    const found = lineIds(cut.text);
    if (found === undefined) return cut;
    for (const id of found.ids) this.#sink.onId(id, this.#line(line), found.kind === 'attributes');
    return { bullet: cut.bullet, text: '' };
  }

  #text(block: Block, gap: Unit['gap']): Unit[] {
    const bullets: string[] = [];
    const lines: string[] = [];
    for (let line = block.first; line < block.end; line += 1) {
      // Kramdown puts its table of contents in place of the list that carries this mark.
      if (TABLE_OF_CONTENTS.test(this.#source.lines[line] ?? '')) return [];
      const { bullet, text } = this.#stripped(block, line);
      bullets.push(bullet);
      lines.push(this.#withoutBlockId(text.trim().replace(LINE_MARK, ''), line));
    }
    const read = this.#inline(lines.join('\n'), block.first).split('\n');
    const indent = '  '.repeat(block.items);
    const definition =
      bullets[0] === '' && /^\s*(?:>\s*)*:[ \t]/u.test(this.#source.lines[block.first] ?? '');
    return this.#unit(
      read.map((text, index) => {
        const bullet = bullets[index] ?? '';
        if (bullet === '') return text.trim() === '' ? '' : indent + squeeze(text);
        return `${indent.slice(2)}${bullet} ${squeeze(text)}`;
      }),
      block.first,
      // What a term means stands with the term.
      definition ? '\n' : gap,
    );
  }

  /** `text ^id`: the name that links of a vault give to a block. */
  #withoutBlockId(text: string, line: number): string {
    const id = text.includes('^') ? BLOCK_ID.exec(text)?.groups?.['id'] : undefined;
    if (id === undefined) return text;
    this.#sink.onId(`^${id}`, this.#line(line), false);
    return text.slice(0, -id.length - 1).trimEnd();
  }

  #unit(texts: readonly string[], first: number, gap: Unit['gap']): Unit[] {
    const lines: UnitLine[] = [];
    let words = false;
    for (const [index, text] of texts.entries()) {
      const shown = this.#bounded(replacePayloads(stripInvisible(text)).trimEnd(), first + index);
      if (shown === '') continue;
      words ||= /[^\s*+-]/u.test(shown);
      lines.push({ text: shown, line: this.#line(first + index) });
    }
    return words ? [{ lines, gap }] : [];
  }

  /** Lines of generated data would outweigh the page: a part of each is enough to find it by. */
  #bounded(text: string, line: number): string {
    if (text.length < 1000) return text;
    const shown = capLine(collapseRepeats(text));
    if (shown.length < text.length / 2) {
      const note = `${text.length} characters of data, the first ${shown.length} indexed`;
      this.#page.warnings.push({ line: this.#line(line), text: note });
    }
    return shown;
  }

  #heading(block: Block, gap: Unit['gap']): Unit[] {
    if (this.#source.isOpaque(block.first)) return this.#text({ ...block, kind: 'paragraph' }, gap);
    const rendered = renderHeading(block.content, block.level, this.#page);
    this.#sink.onHeading({ rendered, level: block.level, line: this.#line(block.first) });
    for (const target of rendered.links) this.#sink.onLink(target, this.#line(block.first));
    return this.#unit([rendered.text], block.first, gap);
  }

  #html(block: Block, gap: Unit['gap']): Unit[] {
    const lines: string[] = [];
    for (let line = block.first; line < block.end; line += 1) lines.push(this.#stripped(block, line).text);
    const html = lines.join('\n').trimEnd();
    if (html.trimStart().startsWith('<!--') && !html.includes('-->')) return [];
    const literal = /^\s*<pre\b/iu.test(html);
    if (!literal && hasRows(html)) return this.#htmlTable(block, html, gap);
    const onId = (id: string, line: number): void =>
      this.#sink.onId(id, this.#line(block.first + line), false);
    const text = literal ? htmlText(html, onId) : this.#inline(html, block.first);
    return this.#unit(
      text.split('\n').map((line) => (literal ? line : squeeze(line))),
      block.first,
      gap,
    );
  }

  #htmlTable(block: Block, html: string, gap: Unit['gap']): Unit[] {
    const units: Unit[] = [];
    let header: string | undefined;
    for (const row of tableRows(html, (marked) => this.#inline(marked, block.first))) {
      const [unit] = this.#unit([row.text], block.first + row.line, units.length === 0 ? gap : '\n');
      if (unit === undefined) continue;
      units.push(header === undefined || row.head ? unit : { ...unit, header });
      if (row.head) header = unit.lines[0]?.text;
    }
    return units;
  }

  #code(block: Block, first: number, end: number, gap: Unit['gap']): Unit[] {
    const opening = cutContainers(
      this.#source.lines[block.first] ?? '',
      block.quotes,
      this.#source.scan.itemsAt.get(block.first) ?? 0,
    );
    const lines: string[] = [];
    for (let line = first; line < end; line += 1) {
      const items = line === block.first ? (this.#source.scan.itemsAt.get(line) ?? 0) : 0;
      lines.push(cutContainers(this.#source.lines[line] ?? '', block.quotes, items).text);
    }
    const code = dedent(lines, block.kind === 'fence' ? opening.text : undefined);
    return this.#unit(hideEncodedRows(code), first, gap);
  }

  #table(block: Block, gap: Unit['gap']): Unit[] {
    const units: Unit[] = [];
    let header: string | undefined;
    for (let line = block.first; line < block.end; line += 1) {
      // The second line is the row of dashes.
      if (line === block.first + 1) continue;
      const cells = splitCells(this.#stripped(block, line).text).map((cell) =>
        squeeze(this.#inline(cell, line)),
      );
      const row = cells.every((cell) => cell === '') ? '' : cells.join(' | ');
      const [unit] = this.#unit([row], line, units.length === 0 ? gap : '\n');
      if (unit === undefined) continue;
      if (line === block.first) header = unit.lines[0]?.text;
      units.push(line === block.first || header === undefined ? unit : { ...unit, header });
    }
    return units;
  }
}

/** All units of a source that has no sections of its own. */
function readAll(reader: UnitReader, source: PageSource): Unit[] {
  let end = -1;
  const units = source.scan.blocks.flatMap((block) => {
    const before = reader.includesBefore(block.first);
    const own = reader.read(block, block.first === end);
    end = block.end;
    return [...before, ...own];
  });
  return [...units, ...reader.includesBefore(Number.POSITIVE_INFINITY)];
}

function squeeze(text: string): string {
  return text.replace(/[ \t]{2,}/gu, ' ').trim();
}

/** Three or more rows of encoded bytes (a key, a certificate) become one mark. */
function hideEncodedRows(lines: readonly string[]): readonly string[] {
  if (!lines.some(isEncodedLine)) return lines;
  const shown = [...lines];
  for (let start = 0; start < shown.length; start += 1) {
    let end = start;
    while (end < lines.length && isEncodedLine(lines[end] ?? '')) end += 1;
    if (end - start < 3) continue;
    shown.fill('', start, end);
    shown[start] = '[data]';
    start = end - 1;
  }
  return shown;
}

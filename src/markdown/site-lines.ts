import { admonitionRule, calloutRule, colonRule, contentTabRule, slashRule } from './block-rules.ts';
import { closesProse, inFence, type OpenFence, openFence } from './fence-rules.ts';
import type { FootnoteLines } from './footnotes.ts';
import { htmlHeadingRule } from './html-heading.ts';
import { includeRule, snippetBlock, takeDocsIncludes } from './include-marks.ts';
import { exportRule, importRule, isImport } from './module-code.ts';
import type { IncludeMark, Rule, Site } from './site.ts';
import { Containers, type Placed } from './site-containers.ts';
import { tagRule } from './tag-rules.ts';
import {
  abbreviationRule,
  commentRule,
  conflictRule,
  contentsRule,
  expressionCommentRule,
  mathRule,
  updateRule,
  vaultCommentRule,
} from './text-rules.ts';

/** A page's lines as Markdown that any parser reads alike, one for one. */
export interface SiteLines {
  readonly lines: readonly string[];
  readonly changed: boolean;
  readonly includes: readonly IncludeMark[];
  /** Of tags that are gone from the lines. */
  readonly ids: readonly { readonly id: string; readonly line: number }[];
  /** Their definitions, as items of lists. */
  readonly footnotes: readonly FootnoteLines[];
  readonly warnings: readonly { readonly line: number; readonly text: string }[];
}

/** Rules by the first character of a line; the first that does not pass has the line. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  ':': [colonRule],
  '!': [includeRule, admonitionRule],
  '?': [admonitionRule],
  '=': [contentTabRule, conflictRule],
  '/': [slashRule],
  '>': [calloutRule, conflictRule],
  '<': [
    conflictRule,
    includeRule,
    htmlHeadingRule,
    (site, line, at) => (at.text.startsWith('<!--') ? commentRule(site, line, at) : tagRule(site, line, at)),
  ],
  '{': [
    (site, line, at) => (at.text.startsWith('{/*') ? expressionCommentRule(site, line, at) : undefined),
    updateRule,
    includeRule,
    contentsRule,
  ],
  '[': [contentsRule, includeRule],
  '-': [includeRule, snippetBlock],
  ';': [snippetBlock],
  '%': [(site, line, at) => (at.text.startsWith('%%') ? vaultCommentRule(site, line, at) : undefined)],
  $: [mathRule, contentsRule],
  '*': [abbreviationRule],
  _: [contentsRule],
  i: [importRule],
  e: [exportRule],
};

const BULLET = /^(?:[-+*]|\d{1,9}[.)])[ \t]+/u;
const FOOTNOTE = /^\[\^(?<label>[^\]\s]+)\]:[ \t]*/u;
const MAY_BE_FENCE = /```|~~~/u;
const UNDERLINE = /^(?:=+|-+)[ \t]*$/u;
const MDX_FILE = /\.mdx$/iu;
/** Longer lines are data: no rule looks at them. */
const MAX_LINE = 20_000;
const FREE_WORK = 1_000_000;

/** Puts what sites add to Markdown (components, admonitions, tabs, includes, comments) into plain Markdown. Linear. */
export function readSiteLines(lines: readonly string[], path: string): SiteLines {
  return new SiteReader(lines, MDX_FILE.test(path) || lines.some(isImport)).read();
}

class SiteReader implements Site {
  readonly lines: readonly string[];
  readonly mdx: boolean;
  readonly containers = new Containers();
  readonly partials = new Map<string, string>();
  readonly work: { left: number };
  readonly #out: string[];
  #closed: ReadonlySet<string> | undefined;
  readonly #includes: IncludeMark[] = [];
  readonly #ids: { id: string; line: number }[] = [];
  readonly #footnotes: { label: string; first: number; end: number }[] = [];
  #inNote = false;
  readonly #warnings: { line: number; text: string }[] = [];
  /** By pattern: the line last found. */
  readonly #found = new Map<string, number>();
  #changed = false;
  #fence: OpenFence | undefined;
  /** Column at which the text of the current list item begins; 0 outside lists. */
  #content = 0;
  #afterBlank = true;
  #inCode = false;
  /** The line after words that a rule wrote: an underline there is a rule, not theirs. */
  #afterWords = -1;

  constructor(lines: readonly string[], mdx: boolean) {
    this.lines = lines;
    this.mdx = mdx;
    this.#out = [...lines];
    this.work = { left: lines.reduce((sum, line) => sum + line.length, FREE_WORK) };
  }

  read(): SiteLines {
    for (let line = 0; line < this.lines.length; ) line = Math.max(line + 1, this.#line(line));
    return {
      lines: this.#out,
      changed: this.#changed,
      includes: this.#includes,
      ids: this.#ids,
      footnotes: this.#footnotes,
      warnings: this.#warnings,
    };
  }

  write(line: number, at: Placed, text: string): void {
    this.#put(line, text === '' ? at.prefix.trimEnd() : at.prefix + ' '.repeat(at.indent) + text);
    if (text !== '') this.#afterWords = line + 1;
  }

  blank(first: number, end: number): void {
    for (let line = first; line < end; line += 1) this.#put(line, '');
  }

  find(pattern: RegExp, from: number): number {
    const known = this.#found.get(pattern.source);
    if (known !== undefined && (known === -1 || known >= from)) return known;
    let line = from;
    while (line < this.lines.length && !pattern.test((this.lines[line] ?? '').slice(0, MAX_LINE))) line += 1;
    const found = line < this.lines.length ? line : -1;
    this.#found.set(pattern.source, found);
    return found;
  }

  closes(name: string): boolean {
    this.#closed ??= new Set(
      this.lines.flatMap((line) =>
        [...line.matchAll(/<\/([A-Za-z][\w.-]*)/gu)].map((found) => found[1] ?? ''),
      ),
    );
    return this.#closed.has(name);
  }

  include(mark: IncludeMark): void {
    this.#includes.push(mark);
  }

  id(id: string, line: number): void {
    this.#ids.push({ id, line });
  }

  warn(line: number, text: string): void {
    this.#warnings.push({ line, text });
  }

  #put(line: number, text: string): void {
    this.#changed ||= this.#out[line] !== text;
    this.#out[line] = text;
  }

  /** Reads a line; gives the next one. */
  #line(line: number): number {
    const source = this.lines[line] ?? '';
    const placed = this.containers.place(source);
    if (this.containers.depth > 0) this.#put(line, placedLine(placed));
    if (placed.text !== '') this.#bridge(line, placed);
    if (this.#fence !== undefined) {
      const state = inFence(this, this.#fence, line, placed);
      if (state !== 'open') this.#fence = undefined;
      if (state !== 'ended') return line + 1;
    }
    if (placed.text === '') {
      this.#afterBlank = true;
      return line + 1;
    }
    const at = this.#follow(line, placed);
    this.#followNote(line, at);
    const next = this.#inCode || source.length > MAX_LINE ? line + 1 : this.#apply(line, at);
    this.#afterBlank = false;
    return next;
  }

  /** Blank lines between two of a quote are its own. */
  #bridge(line: number, { prefix }: Placed): void {
    if (prefix !== '') {
      for (let blank = line - 1; blank >= 0 && this.#out[blank] === ''; blank -= 1)
        this.#put(blank, prefix.trimEnd());
    }
  }

  /** Follows lists, and tells code by indentation, which no rule may touch. MDX has none. */
  #follow(line: number, at: Placed): Placed {
    if (this.#afterBlank && at.indent < this.#content) this.#content = at.indent < 2 ? 0 : at.indent;
    const deep = at.indent >= this.#content + 4;
    this.#inCode = deep && !this.mdx && (this.#afterBlank || this.#inCode);
    const bullet = this.#inCode ? undefined : BULLET.exec(at.text)?.[0];
    if (bullet !== undefined) this.#content = at.indent + Math.min(bullet.length, 5);
    if (!deep || !this.mdx || !this.#afterBlank) return at;
    const moved = { ...at, indent: this.#content };
    this.#put(line, placedLine(moved));
    return moved;
  }

  /** A note's definition becomes an item of a list: what is indented below it is its own. */
  #followNote(line: number, at: Placed): void {
    const note = this.#footnotes.at(-1);
    if (this.#inNote && note !== undefined && at.indent < 2 && (this.#afterBlank || BULLET.test(at.text))) {
      note.end = line;
      this.#inNote = false;
    }
    const found = this.#inCode || at.prefix !== '' ? null : FOOTNOTE.exec(at.text);
    if (found === null) return;
    if (this.#inNote && note !== undefined) note.end = line;
    this.#footnotes.push({ label: found.groups?.['label'] ?? '', first: line, end: this.lines.length });
    this.#inNote = true;
    this.#content = at.indent + 2;
    this.#put(line, `${' '.repeat(at.indent)}* ${at.text.slice(found[0].length)}`);
  }

  #apply(line: number, at: Placed): number {
    if (this.#afterWords === line && UNDERLINE.test(at.text)) {
      this.#put(line, '');
      return line + 1;
    }
    if (this.containers.depth > 0 && closesProse(this, line, at)) return line + 1;
    const fence = MAY_BE_FENCE.test(at.text) ? openFence(this, line, at) : undefined;
    if (typeof fence === 'number') return fence;
    if (fence !== undefined) {
      this.#fence = fence;
      return line + 1;
    }
    for (const rule of RULES[at.text.charAt(0)] ?? []) {
      const next = rule(this, line, at);
      if (next !== undefined) return next;
    }
    if (at.text.includes('[!INCLUDE') || at.text.includes('[!include'))
      this.write(line, at, takeDocsIncludes(this, at.text, line));
    return line + 1;
  }
}

function placedLine({ prefix, indent, text }: Placed): string {
  return text === '' ? '' : prefix + ' '.repeat(indent) + text;
}

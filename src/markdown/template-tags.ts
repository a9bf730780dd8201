import { countLineEnds } from './line-index.ts';
import { shortcodeWords, tagWords } from './template-words.ts';

/** A stretch of source that must not be read as template code: `[start, end)`, sorted, not overlapping. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface MaskedText {
  /** The text with template tags gone and their visible words kept; every line keeps its number. */
  readonly text: string;
  readonly includes: readonly { readonly offset: number; readonly target: string }[];
  /** Comments and code bodies by tag, in offsets of the source: no headings come from them. */
  readonly opaque: readonly Span[];
}

const MARKS = /`+|\{%|\{\{|<!--|<(?:script|style)(?=[\s>])/giu;
const HAS_MARKS = /\{[%{]|<(?:script|style)[\s>]/iu;
const RAW_TAG = /\{%-?[ \t]*(?:end)?raw[ \t]*-?%\}/gu;

/** Cheap test whether {@link maskTemplateTags} would change anything. */
export function hasTemplateTags(text: string): boolean {
  return HAS_MARKS.test(text);
}

/** Takes only `{% raw %}` and its end out: what stands in code is meant to be read. */
export function dropRawTags(text: string): string {
  return text.includes('{%') ? text.replace(RAW_TAG, '') : text;
}

/** Takes Liquid tags, Hugo shortcodes, scripts and style sheets out of a text, outside code. Linear in its length. */
export function maskTemplateTags(text: string, code: readonly Span[]): MaskedText {
  return new Masker(text, code).run();
}

class Masker {
  readonly #text: string;
  readonly #code: readonly Span[];
  readonly #parts: string[] = [];
  readonly #includes: { offset: number; target: string }[] = [];
  readonly #opaque: Span[] = [];
  readonly #finders = new Map<string, number>();
  #copied = 0;
  #codeIndex = 0;

  constructor(text: string, code: readonly Span[]) {
    this.#text = text;
    this.#code = code;
  }

  run(): MaskedText {
    const marks = new RegExp(MARKS);
    for (let found = marks.exec(this.#text); found !== null; found = marks.exec(this.#text)) {
      const inside = this.#codeAt(found.index);
      if (inside !== undefined) {
        marks.lastIndex = inside.end;
        continue;
      }
      marks.lastIndex = Math.max(this.#handle(found[0], found.index), found.index + found[0].length);
    }
    this.#parts.push(this.#text.slice(this.#copied));
    return { text: this.#parts.join(''), includes: this.#includes, opaque: this.#opaque };
  }

  /** Deals with a mark; returns where the search goes on. */
  #handle(mark: string, start: number): number {
    if (mark.startsWith('`')) return this.#afterCodeSpan(start, mark.length);
    if (mark === '{%') return this.#tag(start);
    if (mark === '{{') return this.#output(start);
    if (mark === '<!--') return this.#after('-->', start + 4) ?? start;
    return this.#element(start, mark.slice(1).toLowerCase());
  }

  #codeAt(offset: number): Span | undefined {
    while ((this.#code[this.#codeIndex]?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#codeIndex += 1;
    const span = this.#code[this.#codeIndex];
    return span !== undefined && span.start <= offset ? span : undefined;
  }

  /** Offset of the next `needle` at or after `from`, remembered so that many failing searches stay linear. */
  #find(needle: string, from: number): number {
    const known = this.#finders.get(needle);
    if (known !== undefined && (known === -1 || known >= from)) return known;
    const found = this.#text.indexOf(needle, from);
    this.#finders.set(needle, found);
    return found;
  }

  #after(needle: string, from: number): number | undefined {
    const found = this.#find(needle, from);
    return found === -1 ? undefined : found + needle.length;
  }

  /** Code spans end in their own paragraph. */
  #afterCodeSpan(start: number, length: number): number {
    const blank = this.#find('\n\n', start);
    const limit = blank === -1 ? this.#text.length : blank;
    const runs = /`+/gu;
    runs.lastIndex = start + length;
    for (let found = runs.exec(this.#text); found !== null; found = runs.exec(this.#text)) {
      if (found.index >= limit || found.index - start > MAX_CODE_SPAN) break;
      if (found[0].length === length) return found.index + length;
    }
    return start + length;
  }

  #tag(start: number): number {
    const close = this.#find('%}', start + 2);
    const nested = this.#find('{%', start + 2);
    if (close === -1 || (nested !== -1 && nested < close)) return start + 2;
    const end = close + 2;
    const parts = TAG.exec(this.#text.slice(start + 2, close))?.groups;
    if (parts === undefined) return start + 2;
    const name = parts['name'] ?? '';
    const rest = parts['rest'] ?? '';
    if (name === 'raw') return this.#body(start, end, 'raw', false);
    if (name === 'highlight') return this.#body(start, end, name, true);
    if (name === 'comment') return this.#comment(start, end);
    if (name === 'include_relative') {
      const target = /^\s*(?:"([^"]*)"|'([^']*)'|(\S+))/u.exec(rest);
      this.#includes.push({ offset: start, target: target?.[1] ?? target?.[2] ?? target?.[3] ?? '' });
    }
    this.#replace(start, end, tagWords(name, this.#text.slice(start, end)));
    return end;
  }

  /** Drops both tags and leaves what is between them as it is. */
  #body(start: number, end: number, name: string, opaque: boolean): number {
    const closing = this.#closingTag(name, end);
    this.#replace(start, end, '');
    if (closing === undefined) return end;
    if (opaque) this.#opaque.push({ start, end: closing.end });
    this.#replace(closing.start, closing.end, '');
    return closing.end;
  }

  #comment(start: number, end: number): number {
    const closing = this.#closingTag('comment', end);
    const last = closing?.end ?? end;
    this.#opaque.push({ start, end: last });
    this.#replace(start, last, '');
    return last;
  }

  #closingTag(name: string, from: number): Span | undefined {
    return this.#search(new RegExp(`\\{%-?[ \\t]*end${name}[ \\t]*-?%\\}`, 'giu'), from);
  }

  /** First match at or after `from`. A pattern that failed once is not tried again. */
  #search(pattern: RegExp, from: number): Span | undefined {
    if (this.#finders.get(pattern.source) === -1) return undefined;
    pattern.lastIndex = from;
    const found = pattern.exec(this.#text);
    if (found === null) {
      this.#finders.set(pattern.source, -1);
      return undefined;
    }
    return { start: found.index, end: found.index + found[0].length };
  }

  #output(start: number): number {
    const next = this.#text.charAt(start + 2);
    if (next === '<' || next === '%') {
      const end = this.#after(next === '<' ? '>}}' : '%}}', start + 3);
      if (end === undefined || end - start > MAX_SHORTCODE) return start + 2;
      return this.#shortcode(start, end);
    }
    const end = this.#after('}}', start + 2);
    if (end === undefined || end - start > MAX_OUTPUT) return start + 2;
    if (!OUTPUT.test(this.#text.slice(start + 2, end - 2))) return start + 2;
    this.#replace(start, end, '');
    return end;
  }

  #shortcode(start: number, end: number): number {
    const tag = this.#text.slice(start, end);
    const name = LISTING.exec(tag)?.groups?.['name'];
    const closing =
      name === undefined
        ? undefined
        : this.#search(new RegExp(`\\{\\{[<%]\\s*/\\s*${name}\\s*[%>]\\}\\}`, 'gu'), end);
    this.#replace(start, end, shortcodeWords(tag));
    if (closing === undefined) return end;
    this.#opaque.push({ start, end: closing.end });
    this.#replace(closing.start, closing.end, '');
    return closing.end;
  }

  #element(start: number, name: string): number {
    const closing = this.#search(new RegExp(`</${name}\\s*>`, 'giu'), start);
    if (closing === undefined) return start + 1;
    this.#opaque.push({ start, end: closing.end });
    this.#replace(start, closing.end, '');
    return closing.end;
  }

  /** Puts `words` in place of `[start, end)`; the line ends the words lack are added. */
  #replace(start: number, end: number, words: string): void {
    this.#parts.push(this.#text.slice(this.#copied, start), words);
    const missing = countLineEnds(this.#text.slice(start, end)) - countLineEnds(words);
    if (missing > 0) this.#parts.push('\n'.repeat(missing));
    this.#copied = end;
  }
}

const MAX_CODE_SPAN = 20_000;
const MAX_SHORTCODE = 20_000;
const MAX_OUTPUT = 500;
const TAG = /^-?\s*(?<name>#|[A-Za-z_][\w-]*)(?<rest>\s[\s\S]*|-?)$/u;
/** A variable or a literal, with filters: what a Liquid page prints there is not known here. */
const OUTPUT =
  /^-?\s*(?:[A-Za-z_][\w-]*(?:\.[\w-]+|\[[^\]\n]*\])*|"[^"\n]*"|'[^'\n]*'|#\w+[^}]*)\s*(?:\|[^{}]*)?-?$/u;
/** Shortcodes whose body is code. */
const LISTING = /^\{\{[<%]\s*(?<name>highlight|code|code-toggle|codeblock|mermaid)\b/u;

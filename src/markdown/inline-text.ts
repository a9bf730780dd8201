import { idsOf } from './attribute-list.ts';
import { decodeEntity, normaliseLabel } from './block-scan.ts';
import { findRun, lastBacktickRuns } from './code-span.ts';
import { DelimiterStack } from './delimiters.ts';
import { idsOfTag, TAG, type Tag, textOfTag } from './html-tags.ts';
import { countLineEnds } from './line-index.ts';
import { linkTargetAt } from './link-target.ts';

export interface InlineContext {
  /** By normalised label; what is not defined stays text. */
  readonly definitions: ReadonlyMap<string, string>;
  readonly footnotes: ReadonlySet<string>;
  /** `drop` for headings. */
  readonly images: 'alt' | 'drop';
  /** `drop` for slugs: no blank for a block's tag, and nothing kept that only looks like one. */
  readonly tags: 'words' | 'drop';
  /** Told every link destination with a fragment and every id, with the line (from 0) within the text. */
  readonly onLink?: (target: string, line: number) => void;
  readonly onId?: (id: string, line: number) => void;
  /** Changes text that stands outside code, tags and marks. */
  readonly onPlain?: (text: string) => string;
}

const SPECIAL = /[\\`<&[\]*_~{]/u;
const PLAIN = /[^\\`<&![\]*_~{]+/uy;
const ENTITY = /&(?:#[xX][\dA-Fa-f]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z\d]{1,31});/uy;
const AUTOLINK = /<(?<address>[A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+)>/uy;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/u;
/** `{: .x #id key="v" }` after any span, `{.x}` only where it closes up to one. */
const ATTRIBUTES =
  /\{(?:::?(?!\/)[^{}\n]*|\s*(?:[#.][\w:.-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+))(?:\s+(?:[#.][\w:.-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+)))*\s*)\}/uy;

/**
 * The words of inline Markdown as a reader sees them: marks, tags, comments and addresses gone, code kept. Line ends
 * are kept one for one, so that lines of the result are lines of the source. Linear in the length of the text.
 */
export function inlineText(text: string, context: InlineContext): string {
  if (SPECIAL.test(text)) return new InlineReader(text, context).read();
  return context.onPlain?.(text) ?? text;
}

interface Bracket {
  readonly part: number;
  readonly position: number;
  readonly image: boolean;
}

class InlineReader {
  readonly #text: string;
  readonly #context: InlineContext;
  readonly #parts: string[] = [];
  readonly #brackets: Bracket[] = [];
  readonly #delimiters: DelimiterStack;
  readonly #lastRun: ReadonlyMap<number, number>;
  #position = 0;
  #noComment = false;

  constructor(text: string, context: InlineContext) {
    this.#text = text;
    this.#context = context;
    this.#delimiters = new DelimiterStack(text, this.#parts);
    this.#lastRun = lastBacktickRuns(text);
  }

  read(): string {
    while (this.#position < this.#text.length) {
      const plain = this.#match(PLAIN);
      if (plain !== undefined) this.#parts.push(this.#context.onPlain?.(plain[0]) ?? plain[0]);
      else this.#special(this.#text.charAt(this.#position));
    }
    return this.#parts.join('');
  }

  #special(mark: string): void {
    if (mark === '\\') this.#escape();
    else if (mark === '`') this.#code();
    else if (mark === '<') this.#angle();
    else if (mark === '&') this.#entity();
    else if (mark === '!' && this.#text.charAt(this.#position + 1) === '[') this.#open('![', true);
    else if (mark === '[') this.#open('[', false);
    else if (mark === ']') this.#close();
    else if (mark === '*' || mark === '_' || mark === '~')
      this.#position = this.#delimiters.take(this.#position);
    else if (mark === '{') this.#attributes();
    else this.#literal(mark);
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#position += found[0].length;
    return found;
  }

  #literal(text: string): void {
    this.#parts.push(text);
    this.#position += text.length;
  }

  #escape(): void {
    const next = this.#text.charAt(this.#position + 1);
    if (next === '\n') this.#position += 1;
    else if (ASCII_PUNCTUATION.test(next)) {
      this.#parts.push(next);
      this.#position += 2;
    } else this.#literal('\\');
  }

  #code(): void {
    const start = this.#position;
    let end = start;
    while (this.#text.charAt(end) === '`') end += 1;
    const length = end - start;
    const close = (this.#lastRun.get(length) ?? -1) > start ? findRun(this.#text, end, length) : -1;
    if (close === -1) {
      this.#literal(this.#text.slice(start, end));
      return;
    }
    const code = this.#text.slice(end, close);
    const padded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    this.#parts.push(padded ? code.slice(1, -1) : code);
    this.#position = close + length;
  }

  #angle(): void {
    if (this.#text.startsWith('<!--', this.#position)) this.#comment();
    else if (!this.#autolink() && !this.#tag()) this.#literal('<');
  }

  #comment(): void {
    const close = this.#noComment ? -1 : this.#text.indexOf('-->', this.#position + 4);
    if (close === -1) {
      this.#noComment = true;
      this.#literal('<');
    } else this.#skipTo(close + 3, '');
  }

  #autolink(): boolean {
    const found = this.#match(AUTOLINK);
    if (found !== undefined) this.#parts.push(found.groups?.['address'] ?? '');
    return found !== undefined;
  }

  #tag(): boolean {
    const start = this.#position;
    const found = this.#match(TAG);
    const name = found?.groups?.['name'];
    if (found === undefined || name === undefined) return false;
    const tag: Tag = {
      name,
      attributes: found.groups?.['attributes'] ?? '',
      close: found.groups?.['close'] !== undefined,
    };
    const shown = this.#context.tags === 'drop' ? '' : textOfTag(tag);
    this.#position = start;
    if (shown === undefined) this.#literal(found[0]);
    else {
      for (const id of idsOfTag(tag)) this.#context.onId?.(id, this.#line());
      this.#skipTo(start + found[0].length, shown);
    }
    return true;
  }

  /** Leaves `[position, end)` out but for its line ends, with `shown` in its place. */
  #skipTo(end: number, shown: string): void {
    const lines = countLineEnds(this.#text.slice(this.#position, end)) - countLineEnds(shown);
    if (shown !== '') this.#parts.push(shown);
    if (lines > 0) this.#parts.push('\n'.repeat(lines));
    this.#position = end;
  }

  #entity(): void {
    const found = this.#match(ENTITY);
    if (found === undefined) this.#literal('&');
    else this.#parts.push(decodeEntity(found[0]).replace(/\n/gu, ' '));
  }

  #attributes(): void {
    const before = this.#text.charAt(this.#position - 1);
    const start = this.#position;
    const found = this.#match(ATTRIBUTES);
    const kramdown = this.#text.charAt(start + 1) === ':';
    if (found === undefined || !(kramdown || /[)\]`>*_]/u.test(before))) {
      this.#position = start;
      this.#literal('{');
      return;
    }
    for (const id of idsOf(found[0].replace(/^\{:?|\}$/gu, ''))) this.#context.onId?.(id, this.#line());
  }

  #open(mark: string, image: boolean): void {
    this.#brackets.push({ part: this.#parts.length, position: this.#position + mark.length, image });
    this.#literal(mark);
  }

  #close(): void {
    const bracket = this.#brackets.pop();
    const end = bracket === undefined ? undefined : this.#linkEnd(bracket);
    if (bracket === undefined || end === undefined) {
      this.#literal(']');
      return;
    }
    const footnote = this.#text.charAt(bracket.position) === '^';
    if (footnote || (bracket.image && this.#context.images === 'drop')) {
      const dropped = countLineEnds(this.#parts.slice(bracket.part).join(''));
      this.#parts.length = bracket.part;
      this.#delimiters.forgetFrom(bracket.part);
      this.#parts.push('\n'.repeat(dropped));
    } else this.#parts[bracket.part] = '';
    this.#skipTo(end, '');
  }

  /** Where the link or footnote mark whose text ends here ends; undefined when it is none. */
  #linkEnd(bracket: Bracket): number | undefined {
    const after = this.#position + 1;
    const own = this.#text.slice(bracket.position, Math.min(this.#position, bracket.position + MAX_LABEL));
    if (own.startsWith('^')) return this.#context.footnotes.has(own.slice(1)) ? after : undefined;
    const next = this.#text.charAt(after);
    const target = next === '(' ? linkTargetAt(this.#text, after) : undefined;
    if (target !== undefined) {
      if (!bracket.image && target.target.includes('#')) this.#context.onLink?.(target.target, this.#line());
      return target.end;
    }
    // `[text]{.class}` is a span; its list is read next.
    if (next === '{' && this.#isList(after)) return after;
    return (
      (next === '[' ? this.#referenceEnd(after, own) : undefined) ??
      (this.#isDefined(own) ? after : undefined)
    );
  }

  #isList(start: number): boolean {
    ATTRIBUTES.lastIndex = start;
    return ATTRIBUTES.test(this.#text);
  }

  /** Where `[label]` at `start` ends; `[]` stands for the link's own text. */
  #referenceEnd(start: number, own: string): number | undefined {
    const close = this.#labelEnd(start + 1);
    if (close === -1) return undefined;
    return this.#isDefined(this.#text.slice(start + 1, close) || own) ? close + 1 : undefined;
  }

  #labelEnd(from: number): number {
    for (let at = from; at < this.#text.length && at - from <= MAX_LABEL; at += 1) {
      const character = this.#text.charAt(at);
      if (character === '\\') at += 1;
      else if (character === ']') return at;
      else if (character === '[') return -1;
    }
    return -1;
  }

  #isDefined(label: string): boolean {
    if (this.#context.definitions.size === 0 || label.length >= MAX_LABEL) return false;
    return this.#context.definitions.has(normaliseLabel(label));
  }

  #line(): number {
    return countLineEnds(this.#text.slice(0, this.#position));
  }
}

const MAX_LABEL = 1000;

import { idsOf } from './attribute-list.ts';
import { decodeEntity, normaliseLabel } from './block-scan.ts';
import { findRun, lastBacktickRuns } from './code-span.ts';
import { DelimiterStack } from './delimiters.ts';
import { idsOfTag, TAG, type Tag, textOfTag } from './html-tags.ts';
import type { InlineContext } from './inline-context.ts';
import { ATTRIBUTES, type Bracket, hiddenNoteEnd, isBadge, markedEnd, wikilinkAt } from './inline-marks.ts';
import { countLineEnds, LineCounter } from './line-index.ts';
import { labelEnd, linkTargetAt } from './link-target.ts';

const SPECIAL = /[\\`<&[\]*_~{]|==|%%/u;
const PLAIN = /[^\\`<&![\]*_~{]+/uy;
/** Where the text has doubled marks. */
const PLAIN_BETWEEN = /[^\\`<&![\]*_~{=%]+/uy;
const ENTITY = /&(?:#[xX][\dA-Fa-f]{1,6}|#\d{1,7}|[A-Za-z][A-Za-z\d]{1,31});/uy;
const AUTOLINK = /<(?<address>[A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+)>/uy;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/u;

/**
 * The words of inline Markdown as a reader sees them: marks, tags, comments and addresses gone, code kept. Line ends
 * are kept one for one, so that lines of the result are lines of the source. Linear in the length of the text.
 */
export function inlineText(text: string, context: InlineContext): string {
  if (SPECIAL.test(text)) return new InlineReader(text, context).read();
  return context.onPlain?.(text) ?? text;
}

const MAX_LABEL = 1000;

class InlineReader {
  readonly #text: string;
  readonly #context: InlineContext;
  readonly #parts: string[] = [];
  readonly #brackets: Bracket[] = [];
  readonly #delimiters: DelimiterStack;
  readonly #lastRun: ReadonlyMap<number, number>;
  readonly #plain: RegExp;
  /** Where marks stand that close something. */
  readonly #closing = new Set<number>();
  #position = 0;
  readonly #lines: LineCounter;
  #noComment = false;
  /** Whether a comment of MDX may still find its end. */
  #mayClose = true;

  constructor(text: string, context: InlineContext) {
    this.#text = text;
    this.#context = context;
    this.#delimiters = new DelimiterStack(text, this.#parts);
    this.#lastRun = lastBacktickRuns(text);
    this.#lines = new LineCounter(text);
    this.#plain = text.includes('==') || text.includes('%%') ? PLAIN_BETWEEN : PLAIN;
  }

  read(): string {
    while (this.#position < this.#text.length) {
      const plain = this.#match(this.#plain);
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
    else if (mark === '!' || mark === '[') this.#bracket(mark);
    else if (mark === ']') this.#close();
    else if (mark === '*' || mark === '_' || mark === '~')
      this.#position = this.#delimiters.take(this.#position);
    else if (mark === '{') this.#braces();
    else if (mark === '=' || mark === '%') this.#doubled(mark);
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
      for (const id of idsOfTag(tag)) this.#context.onId?.(id, this.#lines.at(this.#position));
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

  #braces(): void {
    const comment = this.#mayClose && this.#text.startsWith('{/*', this.#position);
    const end = comment ? this.#text.indexOf('*/}', this.#position + 3) : -1;
    if (comment && end === -1) this.#mayClose = false;
    if (end === -1) this.#attributes();
    else this.#skipTo(end + 3, '');
  }

  /** `==marked==` and `%%hidden%%`. */
  #doubled(mark: string): void {
    const start = this.#position;
    const doubled = this.#text.charAt(start + 1) === mark;
    const hidden = doubled && mark === '%' ? hiddenNoteEnd(this.#text, start) : undefined;
    const marked = doubled && mark === '=' ? markedEnd(this.#text, start) : undefined;
    if (marked !== undefined) this.#closing.add(marked);
    if (hidden !== undefined) this.#position = hidden;
    else if (marked !== undefined || this.#closing.has(start)) this.#position += 2;
    else this.#literal(mark);
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
    for (const id of idsOf(found[0].replace(/^\{:?|\}$/gu, '')))
      this.#context.onId?.(id, this.#lines.at(this.#position));
  }

  #bracket(mark: '!' | '['): void {
    const image = mark === '!';
    const start = this.#position + (image ? 1 : 0);
    if (this.#text.charAt(start) !== '[') this.#literal(mark);
    else if (this.#text.charAt(start + 1) !== '[' || !this.#wikilink(start + 2)) {
      this.#open(image ? '![' : '[', image);
    }
  }

  /** Brackets within brackets may hold a link that is defined. */
  #wikilink(inner: number): boolean {
    // Headings keep theirs: vaults make anchors of what is written.
    const found = this.#context.images === 'alt' ? wikilinkAt(this.#text, this.#position) : undefined;
    if (found === undefined || this.#isDefined(this.#text.slice(inner, found.end - 2))) return false;
    this.#parts.push(found.words);
    this.#position = found.end;
    return true;
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
    if (footnote || (bracket.image && (this.#context.images === 'drop' || isBadge(this.#target(bracket))))) {
      const ends = countLineEnds(this.#parts.slice(bracket.part).join(''));
      this.#parts.length = bracket.part;
      this.#delimiters.forgetFrom(bracket.part);
      this.#parts.push('\n'.repeat(ends));
    } else this.#parts[bracket.part] = '';
    this.#skipTo(end, '');
  }

  /** Address of the image whose text ends here. */
  #target(bracket: Bracket): string {
    const after = this.#position + 1;
    if (this.#text.charAt(after) === '(') return linkTargetAt(this.#text, after)?.target ?? '';
    const end = this.#text.charAt(after) === '[' ? labelEnd(this.#text, after + 1, MAX_LABEL) : -1;
    const own = this.#text.slice(bracket.position, Math.min(this.#position, bracket.position + MAX_LABEL));
    return this.#context.definitions.get(normaliseLabel(this.#text.slice(after + 1, end) || own)) ?? '';
  }

  /** Where the link or footnote mark whose text ends here ends; undefined when it is none. */
  #linkEnd(bracket: Bracket): number | undefined {
    const after = this.#position + 1;
    const own = this.#text.slice(bracket.position, Math.min(this.#position, bracket.position + MAX_LABEL));
    if (own.startsWith('^')) return this.#footnote(own.slice(1)) ? after : undefined;
    const next = this.#text.charAt(after);
    const target = next === '(' ? linkTargetAt(this.#text, after) : undefined;
    if (target !== undefined) {
      if (!bracket.image && target.target.includes('#'))
        this.#context.onLink?.(target.target, this.#lines.at(this.#position));
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
    const close = labelEnd(this.#text, start + 1, MAX_LABEL);
    if (close === -1) return undefined;
    return this.#isDefined(this.#text.slice(start + 1, close) || own) ? close + 1 : undefined;
  }

  #footnote(label: string): boolean {
    if (!this.#context.footnotes.has(label)) return false;
    this.#context.onFootnote?.(label, this.#lines.at(this.#position));
    return true;
  }

  #isDefined(label: string): boolean {
    if (this.#context.definitions.size === 0 || label.length >= MAX_LABEL) return false;
    return this.#context.definitions.has(normaliseLabel(label));
  }
}

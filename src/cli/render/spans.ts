import { linkPainted, stylesOf, type Terminal } from './terminal.ts';
import { graphemes, widthOf, widthOfGrapheme } from './width.ts';

export type Mark = 'bold' | 'dim' | 'italic' | 'underline' | 'strike' | 'code';

/**
 * A stretch of text that looks the same all along. Layout is done on spans and escapes are written last, line
 * by line, so no line leaves a style or a link open. The text must be free of control characters but `\n`,
 * which ends a line.
 */
export interface Span {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly url?: string | undefined;
}

export type Line = readonly Span[];

/** What is never parted; `gap` is the blank before it, dropped at the start of a line. */
interface Word {
  readonly spans: Span[];
  width: number;
  readonly gap: Span | undefined;
  readonly newLine: boolean;
}

const TOKENS = /\n|[ \t]+|[^ \t\n]+/gu;
const NARROW = /^[\u0020-\u02ff\u2010-\u2027\u2030-\u205e]*$/u;
/** Punctuation that does not stand at the start of a line. */
const CLOSING = /^[、。，．：；！？）〕］｝〉》」』】〙〗〟・ー々”’]/u;

export function span(text: string, marks: readonly Mark[] = [], url?: string): Span {
  return { text, marks, url };
}

/** Lines of at most `width` cells, wider only where one word is. No spans make no line. */
export function wrap(spans: readonly Span[], width: number): Line[] {
  const lines: Span[][] = [];
  let line: Span[] | undefined;
  let used = 0;
  for (const word of wordsOf(spans)) {
    const gap = word.gap === undefined ? 0 : 1;
    if (line === undefined || word.newLine || used + gap + word.width > width) {
      line = [...word.spans];
      lines.push(line);
      used = word.width;
    } else {
      if (word.gap !== undefined) line.push(word.gap);
      line.push(...word.spans);
      used += gap + word.width;
    }
  }
  return lines;
}

function wordsOf(spans: readonly Span[]): Word[] {
  const words: Word[] = [];
  let gap: Span | undefined;
  let newLine = false;
  /** The word the next piece would join, when nothing parts them. */
  let open: Word | undefined;
  for (const current of spans) {
    for (const [token] of current.text.matchAll(TOKENS)) {
      if (/^[ \t\n]/u.test(token)) {
        newLine ||= token === '\n';
        gap ??= { ...current, text: ' ' };
        open = undefined;
        continue;
      }
      for (const piece of piecesOf(token)) {
        if (open === undefined || mayPart(open, piece)) {
          open = { spans: [], width: 0, gap, newLine };
          words.push(open);
        }
        open.spans.push({ ...current, text: piece });
        open.width += widthOf(piece);
        gap = undefined;
        newLine = false;
      }
    }
  }
  return words;
}

/** Wide characters each stand alone, with the closing punctuation after them; other text stays together. */
function piecesOf(token: string): string[] {
  if (NARROW.test(token)) return [token];
  const pieces: string[] = [];
  let wide = true;
  for (const grapheme of graphemes(token)) {
    const isWide = widthOfGrapheme(grapheme) > 1;
    const joins = pieces.length > 0 && (CLOSING.test(grapheme) || (!isWide && !wide));
    if (joins) pieces.push(`${pieces.pop() ?? ''}${grapheme}`);
    else pieces.push(grapheme);
    wide = isWide;
  }
  return pieces;
}

/** True between two wide characters, or a wide and a narrow one. */
function mayPart(before: Word, piece: string): boolean {
  if (CLOSING.test(piece)) return false;
  return isWideText(before.spans.at(-1)?.text ?? '') || isWideText(piece);
}

function isWideText(text: string): boolean {
  return !NARROW.test(text) && graphemes(text).some((grapheme) => widthOfGrapheme(grapheme) > 1);
}

/** Text alone, as it would stand in a pipe. */
export function textOf(line: Line): string {
  return line.map((part) => part.text).join('');
}

/** The line with this terminal's styles and links, each closed where it ends. */
export function paint(line: Line, terminal: Terminal): string {
  let painted = '';
  for (const part of merged(line)) painted += linkPainted(terminal, styled(part, terminal), part.url);
  return painted;
}

function styled(part: Span, terminal: Terminal): string {
  const styles = stylesOf(terminal);
  const apply = {
    bold: styles.bold,
    dim: styles.dim,
    italic: styles.italic,
    underline: styles.underline,
    strike: styles.strikethrough,
    code: styles.cyan,
  };
  return part.marks.reduce((text, mark) => apply[mark](text), part.text);
}

/** Neighbours that look the same become one, so that a link of several words is one link. */
function merged(line: Line): Span[] {
  const result: Span[] = [];
  for (const part of line) {
    const last = result.at(-1);
    if (last !== undefined && last.url === part.url && last.marks.join() === part.marks.join()) {
      result[result.length - 1] = { ...last, text: last.text + part.text };
    } else {
      result.push(part);
    }
  }
  return result;
}

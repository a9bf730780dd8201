import type { Chunk } from '../core/document.ts';
import type { Unit } from './visible-units.ts';

/** Most words a chunk holds; a character of a script without blanks counts half a word. */
export const CHUNK_WORDS = 300;
/** Most characters (UTF-16 units) a chunk holds. */
export const CHUNK_CHARACTERS = 2400;

interface Piece {
  readonly text: string;
  readonly first: number;
  readonly last: number;
  readonly gap: string;
  readonly size: number;
  readonly header?: string;
}

/**
 * Packs the units of one section into chunks of at most {@link CHUNK_WORDS} and {@link CHUNK_CHARACTERS}: one when they
 * fit, else several of about equal size, cut between units where that is possible. `firstLine` is the file's line
 * (from 1) of line 0 of the body.
 */
export function chunkUnits(units: readonly Unit[], firstLine: number): Chunk[] {
  const pieces = units.flatMap(piecesOf);
  const total = pieces.reduce((sum, piece) => sum + piece.size, 0);
  const target = total / Math.max(1, Math.ceil(total / CHUNK_WORDS));
  const chunks: Chunk[] = [];
  let pending: Piece[] = [];
  let size = 0;
  const close = (): void => {
    if (pending.length > 0) chunks.push(joined(pending, firstLine));
    pending = [];
    size = 0;
  };
  for (const piece of pieces) {
    if (size + piece.size > CHUNK_WORDS || (size >= target && total > CHUNK_WORDS)) close();
    const header = pending.length === 0 ? headerFor(piece) : undefined;
    if (header !== undefined) {
      pending.push(header);
      size += header.size;
    }
    pending.push(piece);
    size += piece.size;
  }
  close();
  return chunks;
}

/** The table's header, to stand before a row that begins a chunk; undefined when there is none or no room. */
function headerFor(row: Piece): Piece | undefined {
  if (row.header === undefined) return undefined;
  const size = sizeOf(row.header);
  return size + row.size > CHUNK_WORDS ? undefined : { ...row, text: row.header, size };
}

function joined(pieces: readonly Piece[], firstLine: number): Chunk {
  let text = '';
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const piece of pieces) {
    text += (text === '' ? '' : piece.gap) + piece.text;
    first = Math.min(first, piece.first);
    last = Math.max(last, piece.last);
  }
  return { text, lines: { first: first + firstLine, last: last + firstLine } };
}

/** A unit that fits is one piece; a longer one is taken apart at lines, sentences, words, and at last anywhere. */
function piecesOf(unit: Unit): Piece[] {
  const text = unit.lines.map((line) => line.text).join('\n');
  const first = unit.lines[0]?.line ?? 0;
  const header = unit.header === undefined ? {} : { header: unit.header };
  const size = sizeOf(text);
  if (size <= CHUNK_WORDS) {
    return [{ text, first, last: unit.lines.at(-1)?.line ?? first, gap: unit.gap, size, ...header }];
  }
  return unit.lines.flatMap((line, index) => {
    const gap = index === 0 ? unit.gap : '\n';
    return cutLine(line.text).map((part, at) => ({
      text: part.text,
      first: line.line,
      last: line.line,
      gap: at === 0 ? gap : part.gap,
      size: sizeOf(part.text),
      ...header,
    }));
  });
}

interface Part {
  readonly text: string;
  readonly gap: string;
}

/** After the mark that ends a sentence, or after any full-width one. */
const SENTENCE = /(?<=[.!?…]["')\]]?)[ \t]+|(?<=[。！？])/u;

function cutLine(line: string): Part[] {
  if (sizeOf(line) <= CHUNK_WORDS) return [{ text: line, gap: '' }];
  let before = '';
  return line.split(SENTENCE).flatMap((sentence) => {
    const gap = /[。！？]$/u.test(before) ? '' : ' ';
    before = sentence;
    return cutSentence(sentence).map((part, at) => (at === 0 ? { ...part, gap } : part));
  });
}

/** Most of a piece of a sentence: pieces this small pack well. */
const PIECE_WORDS = CHUNK_WORDS / 4;
/** Where a word longer than this many UTF-16 units may be cut. */
const HARD_CUT = 300;

/** Between words, and within what is too long for a word. Looks at each character once: a sentence may be a whole file. */
function cutSentence(sentence: string): Part[] {
  if (sizeOf(sentence) <= CHUNK_WORDS) return sentence === '' ? [] : [{ text: sentence, gap: ' ' }];
  const parts: Part[] = [];
  let open: { readonly start: number; end: number; size: number; readonly gap: string } | undefined;
  const close = (): void => {
    if (open === undefined) return;
    parts.push({ text: sentence.slice(open.start, open.end).replace(/[ \t]+/gu, ' '), gap: open.gap });
    open = undefined;
  };
  for (let at = wordStart(sentence, 0); at < sentence.length; at = wordStart(sentence, at)) {
    const end = wordEnd(sentence, at);
    for (let gap = ' '; at < end; gap = '') {
      const cut = hardCut(sentence, at, end);
      const size = sizeOf(sentence, at, cut);
      if (open !== undefined && open.size + size > PIECE_WORDS) close();
      if (open === undefined) open = { start: at, end: cut, size, gap };
      else {
        open.end = cut;
        open.size += size;
      }
      at = cut;
    }
  }
  close();
  return parts;
}

function wordStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** No further than {@link HARD_CUT}, and not within a character. */
function hardCut(text: string, from: number, end: number): number {
  const cut = Math.min(end, from + HARD_CUT);
  const high = text.charCodeAt(cut - 1);
  return cut < end && high >= 0xd800 && high <= 0xdbff ? cut - 1 : cut;
}

const CHARACTERS_PER_WORD = CHUNK_CHARACTERS / CHUNK_WORDS;

/** Size of a text or a part of it in words, at least the share of the characters allowed, a gap to the next piece included. Sizes add up. */
export function sizeOf(text: string, start = 0, end = text.length): number {
  let words = 0;
  let wide = 0;
  let inWord = false;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    // Most characters are plain letters: they are asked about first.
    if (code > 0x20 && code < 0xa0) {
      if (!inWord) words += 1;
      inWord = true;
      continue;
    }
    const blank = code === 0x20 || code === 0x0a || code === 0x09 || code === 0xa0 || code === 0x3000;
    if (blank) inWord = false;
    else if (isWide(code)) {
      wide += 1;
      inWord = false;
    } else if (!inWord) {
      words += 1;
      inWord = true;
    }
  }
  return Math.max(words + wide / 2, (end - start + 2) / CHARACTERS_PER_WORD);
}

/** Scripts written without blanks between words. */
function isWide(code: number): boolean {
  return (
    (code >= 0x2e80 && code < 0xd800) ||
    (code >= 0x0e00 && code <= 0x0eff) ||
    (code >= 0xf900 && code < 0xfb00)
  );
}

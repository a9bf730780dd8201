import { stripControls } from '../core/text.ts';
import { fold, stem, words } from '../core/words.ts';

/** Longest snippet, characters. */
const LENGTH = 220;

/** The stretch of a text that holds most of the query's words, on one line, for people. */
export function makeSnippet(text: string, terms: readonly string[]): string {
  const flat = stripControls(text).replace(/\s+/gu, ' ').trim();
  if (flat.length <= LENGTH) return flat;
  const wanted = new Set(terms.map(stem));
  const marks = likelyPieces(flat, wanted)
    .map(({ at, piece }) => ({ at, stems: stemsOf(piece).filter((one) => wanted.has(one)) }))
    .filter((mark) => mark.stems.length > 0);
  const start = startOf(flat, bestStart(marks));
  const end = endOf(flat, start + LENGTH);
  return `${start > 0 ? '… ' : ''}${flat.slice(start, end)}${end < flat.length ? ' …' : ''}`;
}

const PIECE = 40;
const PLAIN_WORD = /^[a-z0-9]+$/u;

function stemsOf(piece: string): string[] {
  const lower = piece.toLowerCase();
  return PLAIN_WORD.test(lower) ? [stem(lower)] : words(fold(piece)).map(stem);
}

/**
 * The pieces of a text that can hold one of the stems. A stem keeps the first two letters of its word: folding and
 * stemming every word of a chunk is what a search would otherwise spend its time on. What is not of ASCII letters comes
 * whole, in pieces of some length, so that the place of a word in text without blanks is known.
 */
function likelyPieces(text: string, stems: ReadonlySet<string>): { at: number; piece: string }[] {
  const begins = new Uint8Array(BEGINNINGS);
  for (const one of stems) begins[beginningOf(one, 0, one.length)] = 1;
  const found: { at: number; piece: string }[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const start = at;
    let code = text.charCodeAt(at);
    while (IS_WORD[code] === 1) code = text.charCodeAt(++at);
    if (code > 127) at = endOfPiece(text, at, start + PIECE);
    else if (at === start || begins[beginningOf(text, start, at)] !== 1) continue;
    found.push({ at: start, piece: text.slice(start, at + signsAt(text, at)) });
  }
  return found;
}

/** By code: 1 for ASCII letters and digits. */
const IS_WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/u.test(String.fromCharCode(code)) ? 1 : 0,
);

const BEGINNINGS = 128 * 128;

/** A number for the first two letters of a word, whatever their case. */
function beginningOf(text: string, start: number, end: number): number {
  // In ASCII a small letter is its capital with one more bit set; digits have it set already.
  const first = end > start ? text.charCodeAt(start) | 32 : 0;
  const second = end > start + 1 ? text.charCodeAt(start + 1) | 32 : 0;
  return (first * 128 + second) % BEGINNINGS;
}

function endOfPiece(text: string, from: number, most: number): number {
  let at = from;
  while (at < Math.min(text.length, most) && text[at] !== ' ') at += 1;
  return at;
}

/** `C++` and `C#` are words of their own. */
function signsAt(text: string, at: number): number {
  if (text.startsWith('++', at)) return 2;
  return text[at] === '#' ? 1 : 0;
}

/** Where a window begins that holds the most different words, the earliest of equals. */
function bestStart(marks: readonly { readonly at: number; readonly stems: readonly string[] }[]): number {
  const held = new Map<string, number>();
  const hold = (stems: readonly string[], change: 1 | -1) => {
    for (const one of stems) {
      const count = (held.get(one) ?? 0) + change;
      if (count > 0) held.set(one, count);
      else held.delete(one);
    }
  };
  let best = { at: 0, count: 0 };
  let next = 0;
  for (const mark of marks) {
    for (; next < marks.length; next += 1) {
      const other = marks[next];
      if (other === undefined || other.at - mark.at > LENGTH * 0.8) break;
      hold(other.stems, 1);
    }
    if (held.size > best.count) best = { at: mark.at, count: held.size };
    hold(mark.stems, -1);
  }
  return best.at;
}

/** A little before the first word, at a word's start. */
function startOf(text: string, at: number): number {
  if (at < LENGTH / 5) return 0;
  const space = text.indexOf(' ', at - Math.floor(LENGTH / 5));
  return space === -1 || space >= at ? at : space + 1;
}

function endOf(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(' ', at);
  const end = space === -1 || space < at - LENGTH / 2 ? at : space;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}

import { stripControls } from '../core/text.ts';
import { fold, isAscii, stem, words } from '../core/words.ts';

/** Longest snippet, characters. */
const LENGTH = 220;

/** The stretch of a text that holds most of the query's words, on one line, for people. */
export function makeSnippet(text: string, terms: readonly string[]): string {
  const clean = stripControls(text).trim();
  const wanted = new Set(terms.map(stem));
  const start = clean.length <= LENGTH ? 0 : startOf(clean, bestStart(marksOf(clean, wanted)));
  // Put on one line is only what is near: long runs of blanks are rare.
  const near = clean
    .slice(start, start + ROOM)
    .replace(/[\ud800-\udbff]$/u, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const end = near.length <= LENGTH ? near.length : endOf(near, LENGTH);
  const isCut = end < near.length || start + ROOM < clean.length;
  return `${start > 0 ? '… ' : ''}${near.slice(0, end)}${isCut ? ' …' : ''}`;
}

/** Characters a snippet is cut from. */
const ROOM = 4 * LENGTH;

interface Mark {
  readonly at: number;
  /** Those of the query that the word has. */
  readonly stems: readonly string[];
}

function marksOf(text: string, wanted: ReadonlySet<string>): Mark[] {
  return likelyPieces(text, wanted)
    .map(({ at, piece }) => ({ at, stems: stemsOf(piece).filter((one) => wanted.has(one)) }))
    .filter((mark) => mark.stems.length > 0);
}

const PLAIN_WORD = /^[a-z0-9]+$/u;

function stemsOf(piece: string): string[] {
  const lower = piece.toLowerCase();
  return PLAIN_WORD.test(lower) ? [stem(lower)] : words(fold(piece)).map(stem);
}

interface Piece {
  readonly at: number;
  readonly piece: string;
}

/** A word with letters outside ASCII, cut to some length, so that the place of a word in text without blanks is known. */
const FOREIGN = /[A-Za-z0-9]{0,40}[\u{80}-\u{10ffff}]\S{0,39}/gu;
const ASCII_WORD = /[A-Za-z0-9]+(?:\+\+|#)?/uy;

/**
 * The pieces of a text that can hold one of the stems, in order: folding and stemming every word of a chunk is what a
 * search would otherwise spend its time on. Words outside ASCII all come.
 */
function likelyPieces(text: string, stems: ReadonlySet<string>): Piece[] {
  const lower = text.toLowerCase();
  const found: Piece[] = [];
  // Lower case is longer for a letter or two; then words are found as they are written.
  for (const one of stems) addBeginnings(found, text, lower.length === text.length ? lower : text, one);
  if (!isAscii(text))
    for (const match of text.matchAll(FOREIGN)) found.push({ at: match.index, piece: match[0] });
  return found.sort((a, b) => a.at - b.at);
}

/** Adds the words that may have a stem: it is the beginning of its word, its last letter aside ("happi" of "happy"). */
function addBeginnings(found: Piece[], text: string, lower: string, one: string): void {
  const beginning = one.slice(0, Math.max(2, one.length - 1));
  for (let at = lower.indexOf(beginning); at !== -1; at = lower.indexOf(beginning, at + 1)) {
    if (at > 0 && isWordCode(text.charCodeAt(at - 1))) continue;
    ASCII_WORD.lastIndex = at;
    const piece = ASCII_WORD.exec(text)?.[0];
    if (piece !== undefined) found.push({ at, piece });
  }
}

/** ASCII letters and digits. */
function isWordCode(code: number): boolean {
  return (code > 96 && code < 123) || (code > 64 && code < 91) || (code > 47 && code < 58);
}

/** Where a window begins that holds the most different words, the earliest of equals. */
function bestStart(marks: readonly Mark[]): number {
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
  const from = at - Math.floor(LENGTH / 5);
  const blank = text.slice(from, at).search(/\s/u);
  return blank === -1 ? at : from + blank + 1;
}

function endOf(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(' ', at);
  const end = space === -1 || space < at - LENGTH / 2 ? at : space;
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}

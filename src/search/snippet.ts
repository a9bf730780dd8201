import { stripControls } from '../core/text.ts';
import { fold, stem, words } from '../core/words.ts';

/** Longest snippet, characters. */
const LENGTH = 220;
const NON_ASCII = /[^\p{ASCII}]/u;

/** The stretch of a text that holds most of the query's words, on one line, for people. */
export function makeSnippet(text: string, terms: readonly string[]): string {
  const flat = stripControls(text).replace(/\s+/gu, ' ').trim();
  if (flat.length <= LENGTH) return flat;
  const wanted = new Set(terms.map(stem));
  const mayHold = quickTest(wanted);
  // Text without blanks comes in pieces, so that the place of a word in it is known.
  const marks = [...flat.matchAll(/\S{1,40}/gu)]
    .filter((match) => mayHold(match[0]))
    .map((match) => ({
      at: match.index,
      stems: words(fold(match[0]))
        .map(stem)
        .filter((word) => wanted.has(word)),
    }))
    .filter((mark) => mark.stems.length > 0);
  const start = startOf(flat, bestStart(marks));
  const end = endOf(flat, start + LENGTH);
  return `${start > 0 ? '… ' : ''}${flat.slice(start, end)}${end < flat.length ? ' …' : ''}`;
}

/**
 * False for most text that cannot hold one of the stems: a stem keeps the first two letters of its word. Folding and
 * stemming every word of a chunk is what a cold search would otherwise spend its time on.
 */
function quickTest(stems: ReadonlySet<string>): (piece: string) => boolean {
  const starts = [...stems].map((one) => one.slice(0, 2)).filter((start) => /^[a-z0-9]+$/u.test(start));
  // Of ASCII letters and digits only: nothing in it needs escaping.
  const start = new RegExp(`(?:^|[^a-z0-9])(?:${starts.join('|')})`, 'iu');
  return (piece) => NON_ASCII.test(piece) || (starts.length > 0 && start.test(piece));
}

/** Where a window begins that holds the most different words, the earliest of equals. */
function bestStart(marks: readonly { readonly at: number; readonly stems: readonly string[] }[]): number {
  let best = { at: 0, count: 0 };
  for (const [position, mark] of marks.entries()) {
    const seen = new Set<string>();
    for (let next = position; next < marks.length; next += 1) {
      const other = marks[next];
      if (other === undefined || other.at - mark.at > LENGTH * 0.8) break;
      for (const word of other.stems) seen.add(word);
    }
    if (seen.size > best.count) best = { at: mark.at, count: seen.size };
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

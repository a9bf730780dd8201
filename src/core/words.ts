import { stemmer } from 'stemmer';

/**
 * How text becomes words, on the index side and the query side alike. The index folds with {@link fold} and
 * lets FTS5's `unicode61` cut it; {@link words} does the same in JS (checked against FTS5 by test). The index holds
 * words as they are written; {@link stem} tells which of them are forms of one word when a query asks.
 */

/**
 * Kana voicing marks tell words apart; every other combining mark is dropped, as unicode61 does for Latin. Vowel signs
 * of New Tai Lue and two Vedic marks have become letters since Unicode 6.1, the one FTS5 knows.
 */
const MARKS =
  /(?![\u3099\u309a])\p{M}|[\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3\u00ad\u200b-\u200f\u2060\ufeff]/gu;
/** Signs by today's Unicode: FTS5 would take a newer emoji for a letter of the word beside it. */
const SIGNS = /[^\p{ASCII}\p{L}\p{N}\p{Co}\s]/gu;
/** Scripts written without blanks between words (and Hangul, whose particles hang on the noun). */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const IS_UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
/** `C++`, `C#`, `F#`: names whose last characters are no letters. */
const SIGNED_NAME = /(?<![\p{L}\p{N}_])([a-z])(\+\+|#)(?![\p{L}\p{N}_])/gu;
/** Asked first: looking behind a letter costs more. */
const MAY_HAVE_SIGN = /[a-z](?:\+\+|#)/u;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;

/** Text as it is indexed: lower case, compatibility forms and marks folded, unspaced scripts cut to pairs. */
export function fold(text: string): string {
  const folded = foldCharacters(text);
  const lower = MAY_HAVE_SIGN.test(folded)
    ? folded.replace(SIGNED_NAME, (_, letter: string, sign: string) => {
        return `${letter} ${letter}${sign === '#' ? 'sharp' : 'plusplus'}`;
      })
    : folded;
  return isAscii(lower) ? lower : lower.replace(UNSPACED, (run) => ` ${pairs(run).join(' ')} `);
}

/** The headings a section stands under, as they are indexed. */
export function foldHeadings(headings: readonly string[]): string {
  return fold(headings.join(' > '));
}

/** A text is as long in UTF-8 as in characters only if all are ASCII; counted far faster than a pattern is tried. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function foldCharacters(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const lower = text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').replaceAll('’', "'");
  return lower.normalize('NFD').replace(MARKS, '').normalize('NFC').replace(SIGNS, '-');
}

/** Overlapping pairs of characters; a lone character stays itself. */
function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** The words of folded text, in order. */
export function words(folded: string): string[] {
  return folded.match(WORD) ?? [];
}

/** True for a word (or pair) of a script written without blanks. */
export function isUnspaced(word: string): boolean {
  return IS_UNSPACED.test(word);
}

/** FTS5 stems no word longer than this or shorter than 3, counted in UTF-8 bytes. */
const STEM_MAX_BYTES = 64;
/** Bytes outside ASCII are consonants to FTS5; private-use characters stand for them, one a byte. */
const BYTE_BASE = 0xe000;

const stems = new Map<string, string>();
const STEMS_MAX = 50_000;

/** The stem FTS5's `porter` tokenizer gives a folded word. */
export function stem(word: string): string {
  let found = stems.get(word);
  if (found === undefined) {
    if (stems.size >= STEMS_MAX) stems.clear();
    found = isAscii(word) ? stemAscii(word) : stemBytes(word);
    stems.set(word, found);
  }
  return found;
}

function stemAscii(word: string): string {
  return word.length < 3 || word.length > STEM_MAX_BYTES ? word : porter(word);
}

/**
 * What every word with this stem begins with. Porter's steps only take endings away, except for three that they put
 * another in the place of: "happy" and "happi", "filing" and "file", "possibility" and "possibl".
 */
export function beginningOf(stem: string): string {
  return /[ie]$|bl$/u.test(stem) ? stem.slice(0, -1) : stem;
}

const DOUBLED_Y = /^(?<kept>.*y)y(?:ed|ing)s?$/su;

/** Porter's steps as FTS5 has them: it halves a doubled y that an ending leaves behind, the package keeps both. */
function porter(word: string): string {
  const kept = word.includes('yy') ? DOUBLED_Y.exec(word)?.groups?.['kept'] : undefined;
  if (kept === undefined) return stemmer(word);
  // The package leaves a word of two letters alone, even as the rest of a longer one.
  return kept.length === 2 ? kept.replace(/(?<=[aeiou])y/u, 'i') : stemmer(kept);
}

function stemBytes(word: string): string {
  const bytes = new TextEncoder().encode(word);
  if (bytes.length < 3 || bytes.length > STEM_MAX_BYTES) return word;
  const spelled = String.fromCharCode(...[...bytes].map((byte) => (byte < 0x80 ? byte : BYTE_BASE + byte)));
  const stemmed = [...porter(spelled)].map((character) => character.charCodeAt(0) & 0xff);
  return new TextDecoder().decode(Uint8Array.from(stemmed));
}

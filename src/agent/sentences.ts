import { marksIn } from './marks.ts';

/** One sentence and the indexes of the citations in or right after it. */
export interface Sentence {
  readonly text: string;
  readonly marks: readonly number[];
}

/** Words whose full stop ends no sentence. */
const ABBREVIATIONS = new Set(
  (
    'e.g i.e eg ie cf vs etc approx incl excl resp fig no nos vol sec ch p pp ed eds al ca dr mr mrs ms prof st jr sr inc ' +
    'ltd co corp dept est max min ver v z.b d.h u.a bzw usw ggf evtl vgl nr p.ex ej p.ej a.m p.m u.s'
  ).split(' '),
);

/** A stop, closing quotes and emphasis, then any citations that follow it. */
const STOP =
  /(?:[.!?…]+["'”’»)\]*_]*(?=[\s\ue000]|$)|[。！？]+["'”’»」』)\]*_]*)(?:[ \t]*\n?[ \t]*(?:\ue000\d+\ue001[.,;]?)+)*/gu;

/** Characters around a stop that decide whether it ends a sentence. */
const NEAR = 60;

/** A quotation but for its last characters, whose stop may be the sentence's. */
const QUOTED =
  /(?<=“)[^“”\ue000]{3,800}(?=[^“”]{2}”)|(?<=(?<![\p{L}\p{N}"])")[^"\ue000]{3,800}(?=[^"]{2}"(?![\p{L}\p{N}]))/gu;

/**
 * Splits the words of one block; joined again, the sentences are the block but for the blanks between them. With
 * `keepQuotes` no sentence ends inside a quotation, so that it can be looked up as a whole.
 */
export function splitSentences(
  text: string,
  options: { readonly keepQuotes?: boolean } = {},
): readonly Sentence[] {
  const atoms = maskAtoms(text);
  const masked =
    options.keepQuotes === true ? atoms.replace(QUOTED, (quoted) => 'x'.repeat(quoted.length)) : atoms;
  const sentences: Sentence[] = [];
  let start = 0;
  for (const found of masked.matchAll(STOP)) {
    const end = found.index + found[0].length;
    if (!isBoundary(masked, start, found)) continue;
    push(sentences, text.slice(start, end));
    start = end;
  }
  push(sentences, text.slice(start));
  return sentences;
}

function push(sentences: Sentence[], raw: string): void {
  const text = raw.trim();
  if (text !== '') sentences.push({ text, marks: marksIn(text) });
}

/** Code spans, link targets and addresses hold stops that end nothing; lengths stay the same. */
function maskAtoms(text: string): string {
  return text
    .replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/gu, (code) => `\`${'x'.repeat(Math.max(0, code.length - 2))}\``)
    .replace(/\]\([^\s()]*\)/gu, (target) => `](${'x'.repeat(Math.max(0, target.length - 3))})`)
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s\ue000]*[^\s\ue000.,;:!?)"'”»]/giu, (url) =>
      'x'.repeat(url.length),
    );
}

function isBoundary(text: string, start: number, stop: RegExpMatchArray): boolean {
  if (/^[。！？]/u.test(stop[0])) return true;
  const at = stop.index ?? 0;
  const end = at + stop[0].length;
  const after = text.slice(end, end + NEAR).trimStart();
  if (after === '') return true;
  const before = /[^\s("'“‘«[]*$/u.exec(text.slice(Math.max(start, at - NEAR), at))?.[0] ?? '';
  const isLower = /^\p{Ll}/u.test(after);
  const isCited = stop[0].includes('\ue001');
  if (
    /^\.(?!\.)/u.test(stop[0]) &&
    isAbbreviation(text.slice(start, Math.min(at, start + NEAR)).trim(), before)
  )
    return isCited && !isLower;
  return !isLower || isCited || /^\p{L}{4,}$/u.test(before) || /^[!?]/u.test(stop[0]);
}

/** A known short form, an initial, or the number of a list item. */
function isAbbreviation(sentence: string, word: string): boolean {
  const lower = word.toLowerCase();
  return ABBREVIATIONS.has(lower) || /^\p{L}$/u.test(word) || (/^\d{1,3}$/u.test(word) && sentence === word);
}

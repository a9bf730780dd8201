/**
 * How many cells of a terminal a text takes. Only text outside the common one-cell ranges is cut into
 * graphemes: that is some hundred times slower.
 */

/** Latin, with the dashes, quotes and dots of prose: one cell each, nothing combines. */
const ONE_CELL = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e]*$/u;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
/** Marks and format characters, and Hangul vowels and finals, which join the consonant before them. */
const NO_CELL = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11ff\u2028\u2029]$/u;
/** East Asian Wide and Fullwidth of Unicode's EastAsianWidth, as ranges. */
const TWO_CELLS =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]$/u;

let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as a reader counts them. */
export function graphemes(text: string): string[] {
  if (ONE_CELL.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), (found) => found.segment);
}

/** Cells a text without escapes takes on one line. */
export function widthOf(text: string): number {
  if (ONE_CELL.test(text)) return text.length;
  return graphemes(text).reduce((width, grapheme) => width + widthOfGrapheme(grapheme), 0);
}

export function widthOfGrapheme(grapheme: string): number {
  if (ONE_CELL.test(grapheme)) return grapheme.length;
  if (EMOJI.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) width += widthOfCharacter(character);
  return width;
}

function widthOfCharacter(character: string): number {
  if (NO_CELL.test(character)) return 0;
  return TWO_CELLS.test(character) ? 2 : 1;
}

/** The text, or as much of it as fits in `columns` cells with `…` at its end. */
export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  if (columns < 1) return '';
  let width = 1;
  let kept = '';
  for (const grapheme of graphemes(text)) {
    width += widthOfGrapheme(grapheme);
    if (width > columns) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
}

/** Text with blanks up to `columns` cells, on the right or on the left. */
export function padTo(text: string, columns: number, align: 'left' | 'right' | 'center' = 'left'): string {
  const room = Math.max(0, columns - widthOf(text));
  if (align === 'right') return ' '.repeat(room) + text;
  if (align === 'left') return text + ' '.repeat(room);
  const before = Math.floor(room / 2);
  return ' '.repeat(before) + text + ' '.repeat(room - before);
}

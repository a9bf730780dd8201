/** Zero-width, soft-hyphen and direction marks inside words; joiners stay, as Persian and Indic words need them. */
const INVISIBLE = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const ANY = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u200B-\u206F\uFEFF]/u;

/** Without control characters and marks that hide in words. Tabs and line ends stay. */
export function stripInvisible(text: string): string {
  return ANY.test(text) ? text.replace(INVISIBLE, '').replace(CONTROL, '') : text;
}

const DATA_URI = /data:[\w.+-]{1,100}\/[\w.+-]{1,100}(?:;[\w=.+-]{1,100}){0,20};base64,/giu;
const LONG_RUN = /[A-Za-z0-9+/=]{256}/gu;
const ENCODED = /[A-Za-z0-9+/=]/u;
const ENCODED_IN_URI = /[A-Za-z0-9+/=%_-]/u;
/** A run this long is a payload whatever it looks like. */
const CERTAIN_PAYLOAD = 1000;
const MARK = '[data]';

/** Data URIs and other long encoded payloads as `[data]`. */
export function replacePayloads(text: string): string {
  const shortened = text.includes('base64,') ? replaceRuns(text, DATA_URI, ENCODED_IN_URI, () => true) : text;
  return shortened.length < 256 ? shortened : replaceRuns(shortened, LONG_RUN, ENCODED, isPayload);
}

/**
 * Puts the mark in place of each run that begins with `head`, goes on with `more`, and is `wanted`. The pattern ends early
 * and the rest is counted: a pattern keeps a way back for each character it takes, of which there may be millions.
 */
function replaceRuns(text: string, head: RegExp, more: RegExp, wanted: (run: string) => boolean): string {
  let shown = '';
  let from = 0;
  head.lastIndex = 0;
  for (let found = head.exec(text); found !== null; found = head.exec(text)) {
    let end = head.lastIndex;
    while (end < text.length && more.test(text.charAt(end))) end += 1;
    head.lastIndex = end;
    if (!wanted(text.slice(found.index, end))) continue;
    shown += text.slice(from, found.index) + MARK;
    from = end;
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** Encoded bytes mix digits and letters; a path or a row of equal signs does not. */
function isPayload(run: string): boolean {
  if (run === (run[0] ?? '').repeat(run.length) && /[=/+]/u.test(run[0] ?? '')) return false;
  return run.length >= CERTAIN_PAYLOAD || (/\d/u.test(run) && /[A-Za-z]/u.test(run));
}

const ENCODED_LINE = /^\s*[A-Za-z0-9+/]{60,}={0,2}\s*$/u;

/** Whether a line of code looks like a row of a certificate or other wrapped payload. */
export function isEncodedLine(line: string): boolean {
  return line.length >= 60 && ENCODED_LINE.test(line);
}

/** Longest period of a repetition, in words, and how often one is kept. */
const PERIOD = 4;
const KEPT = 5;

/** A line that says the same few words over and over, as faulty translations do, cut to a few of them. */
export function collapseRepeats(line: string): string {
  const words = line.split(' ');
  if (words.length < 40) return line;
  const runs: number[] = new Array<number>(PERIOD + 1).fill(0);
  const kept = words.filter((word, at) => {
    let repeats = false;
    for (let period = 1; period <= PERIOD; period += 1) {
      const run = words[at - period] === word ? (runs[period] ?? 0) + 1 : 0;
      runs[period] = run;
      repeats ||= run > KEPT * period;
    }
    return !repeats;
  });
  return kept.length === words.length ? line : kept.join(' ');
}

/** Longest line of data, in UTF-16 units, and what is kept of a longer one. */
const MAX_DATA = 100_000;
const KEPT_DATA = 20_000;

/** A very long line with hardly a blank in it (a bundle, a dump) without its end. */
export function capLine(line: string): string {
  if (line.length <= MAX_DATA) return line;
  let blanks = 0;
  for (let at = line.indexOf(' '); at !== -1; at = line.indexOf(' ', at + 1)) blanks += 1;
  if (blanks > line.length / 25 || UNSPACED.test(line)) return line;
  const cut = line.slice(0, KEPT_DATA);
  return `${/[\uD800-\uDBFF]$/u.test(cut) ? cut.slice(0, -1) : cut} […]`;
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

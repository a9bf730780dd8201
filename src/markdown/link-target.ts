const MAX_NESTING = 32;
const MAX_TARGET = 100_000;
const SPACE = 0x20;
const BACKSLASH = 0x5c;
const OPEN = 0x28;
const CLOSE = 0x29;

export interface LinkTarget {
  readonly target: string;
  /** Offset after the closing parenthesis. */
  readonly end: number;
}

/** Reads `(destination "title")` at `start`, CommonMark's inline link resource; undefined when it is none. */
export function linkTargetAt(text: string, start: number): LinkTarget | undefined {
  let at = skipBlanks(text, start + 1);
  const destination = destinationAt(text, at);
  if (destination === undefined) return undefined;
  at = skipBlanks(text, destination.end);
  if (at > destination.end) at = skipBlanks(text, titleEnd(text, at));
  return text.charAt(at) === ')' ? { target: destination.target, end: at + 1 } : undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (/[ \t\n]/u.test(text.charAt(at))) at += 1;
  return at;
}

function destinationAt(text: string, start: number): LinkTarget | undefined {
  if (text.charAt(start) === '<') {
    const end = angleEnd(text, start + 1);
    return end === -1 ? undefined : { target: text.slice(start + 1, end), end: end + 1 };
  }
  const bare = bareEnd(text, start);
  if (bare === undefined) return undefined;
  // A payload longer than any address ends at the next parenthesis or blank.
  const end = bare - start < MAX_TARGET ? bare : payloadEnd(text, bare);
  return { target: text.slice(start, end), end };
}

/** Offset of the blank or unpaired parenthesis that ends a destination; undefined when parentheses do not pair. */
function bareEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let at = start;
  for (; at < text.length && at - start < MAX_TARGET; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= SPACE) break;
    if (code === BACKSLASH) at += 1;
    else if (code === OPEN) depth += 1;
    else if (code === CLOSE) depth -= 1;
    if (depth < 0) return at;
    if (depth > MAX_NESTING) return undefined;
  }
  return depth === 0 ? at : undefined;
}

function payloadEnd(text: string, from: number): number {
  const end = text.slice(from).search(/[\s)]/u);
  return end === -1 ? text.length : from + end;
}

function angleEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '>') return at;
    if (character === '<' || character === '\n') return -1;
    if (character === '\\') at += 1;
  }
  return -1;
}

/** Offset after a title at `start`, or `start` when there is none. */
function titleEnd(text: string, start: number): number {
  const open = text.charAt(start);
  if (open !== '"' && open !== "'" && open !== '(') return start;
  const close = open === '(' ? ')' : open;
  for (let at = start + 1; at < text.length && at - start < MAX_TARGET; at += 1) {
    const character = text.charAt(at);
    if (character === close) return at + 1;
    if (character === '\\') at += 1;
  }
  return start;
}

/** Offset of the bracket that ends a link label; -1 when there is none within `longest` characters. */
export function labelEnd(text: string, from: number, longest: number): number {
  for (let at = from; at < text.length && at - from <= longest; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (character === ']') return at;
    else if (character === '[') return -1;
  }
  return -1;
}

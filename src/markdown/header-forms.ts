import { LineIndex, normaliseLineEnds, skipBlankLines } from './line-index.ts';

/** A page's header where it was found; what is in it has not been looked at. */
export interface Header {
  /** `yaml`, `toml`, `json`, `lines` (of keys and values), `title` (Pandoc's), or one that is not read. */
  readonly language: string;
  /** Without its fences, line ends as `\n`. */
  readonly text: string;
  /** Line (from 1) where it begins. */
  readonly line: number;
  /** Offset of the first line after it. */
  readonly end: number;
}

/** An opening fence that nothing closes, with its line (from 1). */
export interface Unclosed {
  readonly unclosed: number;
}

const OPENING =
  /(?<fence>---|\+\+\+)[ \t]*(?<language>ya?ml|json|js|javascript|coffee|coffeescript|cson|toml)?[ \t]*(?:\r\n?|\n)/iuy;
const YAML_CLOSING = /[\n\r](?:---|\.\.\.)[ \t]*(?=\r|\n|$)/gu;
const TOML_CLOSING = /[\n\r]\+\+\+[ \t]*(?=\r|\n|$)/gu;
export const YAML_KEY = /^["']?[\p{L}\p{N}_][\p{L}\p{N}_ .-]*["']?[ \t]*:(?:[ \t]|$)/mu;
export const TOML_KEY = /^[ \t]*["']?[\w.-]+["']?[ \t]*=|^[ \t]*\[\[?[\w.-]+\]\]?/mu;

/** Finds the header that a text begins with, in any form that generators read. */
export function findHeader(text: string, start: number): Header | Unclosed | undefined {
  const lead = skipLead(text, start);
  const fenced = fencedHeader(text, lead.end);
  if (fenced !== undefined && 'unclosed' in fenced) return fenced;
  // Below a comment a line of dashes is a rule, unless keys follow it.
  if (fenced !== undefined && !lead.comment) return fenced;
  if (fenced !== undefined && YAML_KEY.test(firstOf(fenced.text))) return fenced;
  if (lead.end !== start) return undefined;
  const first = text.charAt(start);
  if (first === '-') return longFences(text, start);
  if (first === '{') return jsonHeader(text, start);
  if (first === '%') return pandocTitle(text, start);
  return /[A-Za-z]/u.test(first) ? unfenced(text, start) : undefined;
}

/** The first line that is no comment of YAML. */
function firstOf(header: string): string {
  return header.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
}

/** Blank lines and comments. */
function skipLead(text: string, start: number): { end: number; comment: boolean } {
  let end = skipBlankLines(text, start);
  let comment = false;
  while (text.startsWith('<!--', end)) {
    const close = text.indexOf('-->', end + 4);
    const after = close === -1 ? end : skipBlankLines(text, close + 3);
    if (close === -1 || after === close + 3) break;
    end = after;
    comment = true;
  }
  return { end, comment };
}

function fencedHeader(text: string, start: number): Header | Unclosed | undefined {
  OPENING.lastIndex = start;
  const opening = OPENING.exec(text);
  if (opening === null) return undefined;
  const toml = opening.groups?.['fence'] === '+++';
  const first = start + opening[0].length;
  const line = lineOf(text, start);
  // The search begins at the line end of the opening fence, so that an empty header is found too.
  const closing = toml ? TOML_CLOSING : YAML_CLOSING;
  closing.lastIndex = first - 1;
  const found = closing.exec(text);
  if (found === null) return YAML_KEY.test(lineAt(text, first)) ? { unclosed: line } : undefined;
  return {
    language: toml ? 'toml' : (opening.groups?.['language'] ?? 'yaml').toLowerCase().replace('yml', 'yaml'),
    text: normaliseLineEnds(text.slice(first, Math.max(first, found.index))),
    line,
    end: afterLineEnd(text, found.index + found[0].length),
  };
}

/** Fences of more than three dashes, with nothing but keys and values between them. */
function longFences(text: string, start: number): Header | undefined {
  const found =
    /^(?<fence>-{4,})[ \t]*\r?\n(?<inner>[^\r\n][\s\S]{0,4000}?)\r?\n\k<fence>[ \t]*(?=\r?\n|$)/u.exec(
      text.slice(start, start + 6000),
    );
  const inner = found?.groups?.['inner'];
  if (found === null || inner === undefined || !isKeysAndValues(inner)) return undefined;
  return {
    language: 'lines',
    text: normaliseLineEnds(inner),
    line: 1,
    end: afterLineEnd(text, start + found[0].length),
  };
}

/** An object at the head of a page; a file that is nothing but JSON is a text. */
function jsonHeader(text: string, start: number): Header | undefined {
  const end = closingBrace(text, start);
  const rest = end === -1 ? '' : text.slice(end + 1);
  if (!/^[ \t]*(?:\r\n?|\n)/u.test(rest) || rest.trim() === '') return undefined;
  const header = text.slice(start, end + 1);
  if (!/^\{\s*"/u.test(header)) return undefined;
  return { language: 'json', text: header, line: 1, end: afterLineEnd(text, end + 1) };
}

/** Longest header in JSON, in UTF-16 units. */
const MAX_JSON = 100_000;

function closingBrace(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < Math.min(text.length, start + MAX_JSON); at += 1) {
    const character = text.charAt(at);
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth += 1;
    else if (!quoted && character === '}') depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

/** Pandoc's lines `% title`, `% author`, `% date`. */
function pandocTitle(text: string, start: number): Header | undefined {
  const found = /^% (?<title>[^\r\n]+)(?:\r?\n%[^\r\n]*){0,2}(?=\r?\n\s*(?:\r?\n|$)|$)/u.exec(
    text.slice(start, start + 4000),
  );
  if (found === null) return undefined;
  return {
    language: 'title',
    text: found.groups?.['title'] ?? '',
    line: 1,
    end: afterLineEnd(text, start + found[0].length),
  };
}

/** Keys that open a header without fences (MultiMarkdown, MkDocs). */
const META_KEYS =
  /^(?:authors?|title|subtitle|date|tags?|summary|template|keywords|description|layout|categor(?:y|ies)|slug|status|lang|language|permalink|disqus|hide|comments|copyright|affiliation):[ \t]+\S/iu;
const KEY_AND_VALUE = /^[A-Za-z][\w-]*:(?:[ \t]+\S.*|[ \t]*)$/u;

/** `key: value` lines that a line of dashes closes, or known keys up to a blank line. */
function unfenced(text: string, start: number): Header | undefined {
  const window = text.slice(start, start + 4000);
  const closed = /^(?<inner>[a-z][\w-]*:[ \t][\s\S]*?)\r?\n---[ \t]*(?=\r?\n|$)/u.exec(window);
  const inner = closed?.groups?.['inner'] ?? '';
  if (
    closed !== null &&
    inner.split(/\r?\n/u).every((line) => line.trim() === '' || KEY_AND_VALUE.test(line))
  ) {
    return {
      language: 'lines',
      text: normaliseLineEnds(inner),
      line: 1,
      end: afterLineEnd(text, start + closed[0].length),
    };
  }
  if (!META_KEYS.test(window)) return undefined;
  const block = /^[^\r\n]+(?:\r?\n[^\r\n]+)*(?=\r?\n[ \t]*\r?\n)/u.exec(window)?.[0];
  if (block === undefined || !isKeysAndValues(block)) return undefined;
  return {
    language: 'lines',
    text: normaliseLineEnds(block),
    line: 1,
    end: afterLineEnd(text, start + block.length),
  };
}

/** Every line is a key with its value, or goes on with the value above. */
function isKeysAndValues(block: string): boolean {
  const lines = block.split(/\r?\n/u);
  const keys = lines.filter((line) => /^[\p{L}][\p{L}\p{N}_ -]{0,40}:(?:[ \t]|$)/u.test(line));
  return (
    keys.length > 0 &&
    lines.every((line) => keys.includes(line) || /^(?:[ \t]+\S|[ \t]*$|[ \t]*-[ \t])/u.test(line))
  );
}

function lineOf(text: string, offset: number): number {
  return offset === 0 ? 1 : new LineIndex(text.slice(0, offset)).at(offset) + 1;
}

function lineAt(text: string, offset: number): string {
  return /[^\r\n]*/uy.exec(text.slice(offset, offset + 1000))?.[0] ?? '';
}

function afterLineEnd(text: string, offset: number): number {
  return offset + (/^(?:\r\n?|\n)/u.exec(text.slice(offset, offset + 2))?.[0].length ?? 0);
}

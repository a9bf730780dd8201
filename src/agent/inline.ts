import { readLink } from './link.ts';
import { isMarkStart, markEnd } from './marks.ts';

/** What becomes of the parts of a line; a part without a rule, or whose rule says undefined, stays as it is. */
export interface InlineRules {
  /** Inside a table row no code span reaches over a `|`. */
  readonly isRow: boolean;
  /** Words between brackets that are no link. */
  readonly group?: (inner: string) => string | undefined;
  /** `[n]` that the model numbered itself. */
  readonly marker?: (text: string) => string | undefined;
  /** `#name` without brackets around it. */
  readonly hash?: (name: string, after: string) => string | undefined;
  readonly link?: (label: string, target: string) => string | undefined;
  readonly image?: (alt: string, target: string) => string | undefined;
  /** A bare address or `<address>`. */
  readonly url?: (url: string) => string | undefined;
  /** `<` that would open a tag, a comment or a declaration. */
  readonly tag?: () => string | undefined;
  /** Makes what is left over harmless: backticks without partner, brackets that could still join into a link. */
  readonly harden?: boolean;
}

interface Step {
  readonly text: string;
  readonly next: number;
}

const GROUP_LIMIT = 200;
const CLOSER: Readonly<Record<string, string>> = { '(': ')', '[': ']', '【': '】', '（': '）', '［': '］' };
const FILL = String.raw`[\s\p{Cf}*_~\x60\\]*`;
const NUMBER = String.raw`\p{Nd}{1,4}`;
const MARKER = new RegExp(
  String.raw`[[［【]${FILL}\^?${FILL}(?!0+[\]］】])${NUMBER}(?:${FILL}[,;:–-]${FILL}${NUMBER})*(?:†[^\]】\n]{0,60})?${FILL}[\]］】]`,
  'uy',
);
const URL_TEXT = /(?:(?:https?|ftp|file):\/\/|www\.)[^\s<>`|\\\ue000]+/iuy;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/iuy;
const HASH = /#([A-Za-z2-7]{6,52})(?![\p{L}\p{N}_-])/uy;
const ENTITY =
  /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(lsqb|lbrack|rsqb|rbrack|lpar|rpar|num|lt|grave|lcub|excl|colon|sol|period|commat));/uy;
const EMAIL = /[\w.+-]{1,64}@[\w.-]{0,200}\.[\w.-]{0,50}\w/uy;
const DOMAIN = /@([\w.-]{0,200}\.[\w.-]{0,50}\w)/uy;
/** A backslash before one of these changes nothing for the reader, and hides the character from a pattern. */
const NEEDLESS_ESCAPE = '[]()#:/.@-+=?,;%^"\'';
const NAMED: Readonly<Record<string, string>> = {
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  lpar: '(',
  rpar: ')',
  num: '#',
  lt: '<',
  grave: '`',
  lcub: '{',
  excl: '!',
  colon: ':',
  sol: '/',
  period: '.',
  commat: '@',
};

/** One pass over the words of one block, code spans left alone. */
export function rewriteInline(text: string, rules: InlineRules): string {
  let out = '';
  for (let index = 0; index < text.length; ) {
    const step = rewriteAt(text, index, rules) ?? { text: text[index] ?? '', next: index + 1 };
    out += step.text;
    if (step.text === '' && /^(?:[\s.,;:!?)]|$)/u.test(text.slice(step.next, step.next + 1))) {
      out = out.replace(/[ \t]$/u, '');
    }
    index = step.next;
  }
  return out;
}

/** The same until nothing changes: what a removal joins together is looked at again. */
export function rewriteUntilStable(text: string, rules: InlineRules): string {
  let current = text;
  for (let round = 0; round < 50; round += 1) {
    const next = rewriteInline(current, rules);
    if (next === current) return current;
    current = next;
  }
  // Only text built to exhaust the rounds gets here; without brackets and hashes it can cite nothing.
  return rewriteInline(current.replace(/[#[\]【】［］]/gu, ''), rules);
}

type Handler = (text: string, index: number, rules: InlineRules) => Step | undefined;

const HANDLERS: Readonly<Record<string, Handler>> = {
  '\\': atEscape,
  '`': atCode,
  '<': atAngle,
  '&': atEntity,
  '!': atImage,
  '[': atBracket,
  '(': atGroup,
  '【': atBracket,
  '（': atGroup,
  '［': atBracket,
  ']': atClose,
  '@': atAt,
  '#': atHash,
};

function rewriteAt(text: string, index: number, rules: InlineRules): Step | undefined {
  if (isMarkStart(text, index)) {
    const next = markEnd(text, index);
    return { text: text.slice(index, next), next };
  }
  const character = text[index] ?? '';
  const handler = HANDLERS[character];
  if (handler !== undefined) return handler(text, index, rules);
  return /[a-z]/iu.test(character) ? atWord(text, index, rules) : undefined;
}

/** An escaped bracket or colon looks like a plain one to the reader, so it is treated as one. */
function atEscape(text: string, index: number, rules: InlineRules): Step | undefined {
  const next = text[index + 1] ?? '';
  const isOurs = next === ':' && text[index - 1] === ']';
  if (rules.harden === true && next !== '' && NEEDLESS_ESCAPE.includes(next) && !isOurs) {
    return { text: next, next: index + 2 };
  }
  return /[!-/:-@[-`{-~]/u.test(next) ? { text: `\\${next}`, next: index + 2 } : undefined;
}

function atCode(text: string, index: number, rules: InlineRules): Step {
  const run = /^`+/u.exec(text.slice(index, index + 100))?.[0] ?? '`';
  const end = codeEnd(text, index + run.length, run, rules.isRow);
  if (end === undefined) {
    return { text: rules.harden === true ? '\\`'.repeat(run.length) : run, next: index + run.length };
  }
  const content = text.slice(index + run.length, end);
  const next = end + run.length;
  const bracketed = /^\s*[([【]\s*(#[^()[\]]{1,200})[)\]】]\s*$/u.exec(content)?.[1];
  const group = bracketed === undefined ? undefined : rules.group?.(bracketed);
  return { text: group ?? `${run}${content.replace(/\s*\n\s*/gu, ' ')}${run}`, next };
}

function codeEnd(text: string, from: number, run: string, isRow: boolean): number | undefined {
  for (let at = text.indexOf(run, from); at !== -1; ) {
    let end = at;
    while (text[end] === '`') end += 1;
    if (end - at === run.length) {
      const broken = isRow && /(?<!\\)\|/u.test(text.slice(from, at));
      return broken || at === from ? undefined : at;
    }
    at = text.indexOf(run, end);
  }
  return undefined;
}

function atAngle(text: string, index: number, rules: InlineRules): Step | undefined {
  AUTOLINK.lastIndex = index;
  const auto = AUTOLINK.exec(text);
  if (auto !== null) {
    const rewritten = rules.url?.(auto[1] ?? '');
    return { text: rewritten ?? auto[0], next: index + auto[0].length };
  }
  if (!/[a-z/!?]/iu.test(text[index + 1] ?? '')) return undefined;
  const replaced = rules.tag?.();
  return replaced === undefined ? undefined : { text: replaced, next: index + 1 };
}

/** Entities of the characters that brackets and tags are made of; others are left to whoever renders. */
function atEntity(text: string, index: number, rules: InlineRules): Step | undefined {
  if (rules.harden !== true) return undefined;
  ENTITY.lastIndex = index;
  const found = ENTITY.exec(text);
  if (found === null) return undefined;
  const [all, decimal, hex, name] = found;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  const decoded = name === undefined ? printable(code) : (NAMED[name] ?? '');
  return { text: decoded, next: index + all.length };
}

function printable(code: number): string {
  const isPrintable =
    code >= 0x20 && code <= 0x10ffff && !(code >= 0x7f && code <= 0x9f) && !isReserved(code);
  return isPrintable ? String.fromCodePoint(code) : '';
}

/** Surrogates, private use (our marks) and the overrides that text is cleaned of. */
function isReserved(code: number): boolean {
  return (
    (code >= 0xd800 && code <= 0xf8ff) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}

function atImage(text: string, index: number, rules: InlineRules): Step | undefined {
  if (text[index + 1] !== '[') return undefined;
  const link = readLink(text, index + 1);
  if (link === undefined) return undefined;
  const replaced = rules.image?.(link.label, link.target);
  return replaced === undefined ? undefined : { text: replaced, next: link.next };
}

function atBracket(text: string, index: number, rules: InlineRules): Step | undefined {
  const link = text[index] === '[' ? readLink(text, index) : undefined;
  if (link !== undefined) {
    const replaced = rules.link?.(link.label, link.target);
    if (replaced !== undefined) return { text: replaced, next: link.next };
    const label = rewriteInline(link.label, rules);
    return { text: `[${label}${text.slice(index + 1 + link.label.length, link.next)}`, next: link.next };
  }
  MARKER.lastIndex = index;
  const marker = MARKER.exec(text);
  const replaced = marker === null ? undefined : rules.marker?.(marker[0]);
  if (marker !== null && replaced !== undefined) return { text: replaced, next: index + marker[0].length };
  return atGroup(text, index, rules);
}

function atGroup(text: string, index: number, rules: InlineRules): Step | undefined {
  const close = CLOSER[text[index] ?? ''] ?? ')';
  const part = text.slice(index + 1, index + 1 + GROUP_LIMIT);
  const end = part.search(/[()[\]【】（）［］`]/u);
  if (end === -1 || part[end] !== close) return undefined;
  const replaced = rules.group?.(part.slice(0, end));
  return replaced === undefined ? undefined : { text: replaced, next: index + end + 2 };
}

/** `](` that no link rule let through, and `]:` where a definition could start, are pulled apart. */
function atClose(text: string, index: number, rules: InlineRules): Step | undefined {
  if (rules.harden !== true) return undefined;
  if (text[index + 1] === '(') return { text: '] ', next: index + 1 };
  if (text[index + 1] !== ':') return undefined;
  const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
  return /\[[^\n]*$/u.test(line) && !/^\s*\[/u.test(line) ? undefined : { text: ']\\:', next: index + 2 };
}

function atWord(text: string, index: number, rules: InlineRules): Step {
  URL_TEXT.lastIndex = index;
  const url = rules.url === undefined ? null : URL_TEXT.exec(text);
  if (url === null) {
    EMAIL.lastIndex = index;
    const mail = rules.harden === true ? EMAIL.exec(text) : null;
    if (mail !== null) return { text: `\`${mail[0]}\``, next: index + mail[0].length };
    const word = /^[a-z]+/iu.exec(text.slice(index, index + 200))?.[0] ?? '';
    const joined = /(?:https?|ftp|file|www)$/iu.exec(word);
    const length = joined === null || joined.index === 0 ? word.length : joined.index;
    return { text: text.slice(index, index + length), next: index + length };
  }
  const address = trimUrl(url[0]);
  return { text: rules.url?.(address) ?? address, next: index + address.length };
}

/** What {@link atWord} did not take as a whole would still be a link to mail. */
function atAt(text: string, index: number, rules: InlineRules): Step | undefined {
  DOMAIN.lastIndex = index;
  const found = rules.harden === true ? DOMAIN.exec(text) : null;
  return found === null ? undefined : { text: `@\`${found[1]}\``, next: index + found[0].length };
}

/** Characters behind a bare ref that tell whether a sentence goes on. */
const AFTER_HASH = 40;

function atHash(text: string, index: number, rules: InlineRules): Step | undefined {
  if (/[^\s()[\]{<⟨"'“‘,;:*~\\\ue001-]/u.test(text[index - 1] ?? ' ')) return undefined;
  HASH.lastIndex = index;
  const found = HASH.exec(text);
  const replaced =
    found === null
      ? undefined
      : rules.hash?.(
          found[1] ?? '',
          text.slice(index + found[0].length, index + found[0].length + AFTER_HASH),
        );
  return found === null || replaced === undefined
    ? undefined
    : { text: replaced, next: index + found[0].length };
}

/** Punctuation after an address belongs to the sentence; a closing bracket too, unless the address opened it. */
export function trimUrl(url: string): string {
  const trimmed = url.replace(/[.,;:!?'"*_~\]]+$/u, '');
  if (!trimmed.endsWith(')') || trimmed.split('(').length >= trimmed.split(')').length) return trimmed;
  return trimUrl(trimmed.slice(0, -1));
}

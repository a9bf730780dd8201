import { readLink } from './link.ts';

/**
 * Markdown as a reader sees it, on the way to comparing or quoting: no tags, no template machinery, links as their
 * label, code without its backticks. Not a renderer: words stay in place, structure is only thinned.
 */
export function plainText(markdown: string, options: { readonly keepCode?: boolean } = {}): string {
  const parts = splitCode(unlink(markdown));
  return parts
    .map((part) => {
      if (!part.isCode) return plainProse(part.text);
      return options.keepCode === true ? part.text : part.text.replace(/^(`+) ?|(?<!`) ?(`+)$/gu, '');
    })
    .join('');
}

function splitCode(text: string): readonly { readonly text: string; readonly isCode: boolean }[] {
  const parts: { text: string; isCode: boolean }[] = [];
  let start = 0;
  for (const found of text.matchAll(/(?<![`\\])(`+)(?!`)[^\n]*?(?:\n(?!\s*\n)[^\n]*?)?(?<!`)\1(?!`)/gu)) {
    parts.push({ text: text.slice(start, found.index), isCode: false }, { text: found[0], isCode: true });
    start = found.index + found[0].length;
  }
  parts.push({ text: text.slice(start), isCode: false });
  return parts;
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
};

function plainProse(text: string): string {
  return text
    .replace(/<!--[\s\S]*?(?:-->|$)/gu, '')
    .replace(/\{%[\s\S]{0,2000}?%\}/gu, '')
    .replace(/\{:[^{}\n]*\}|\{#[\w-]+\}/gu, '')
    .replace(/<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/giu, '')
    .replace(/<((?:https?|ftp|mailto):[^\s<>]+)>/giu, '$1')
    .replace(/(?<![\p{L}\p{N}\\])(\*{1,3}|_{1,3}|~~)(?=\S)([^\n]{0,400}?\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/(\*\*|~~)(?=\S)([^\n]{0,400}?\S)\1/gu, '$2')
    .replace(/&(?:#(\d{1,7})|([a-z]+));/gu, (all, code: string | undefined, name: string | undefined) =>
      code === undefined ? (ENTITIES[name ?? ''] ?? all) : character(Number(code), all),
    )
    .replace(/\\([!-/:-@[-`{-~])/gu, '$1');
}

function character(code: number, otherwise: string): string {
  const isText =
    code >= 0x20 &&
    code <= 0x10ffff &&
    !(code >= 0x7f && code <= 0x9f) &&
    !(code >= 0xd800 && code <= 0xdfff);
  return isText ? String.fromCodePoint(code) : otherwise;
}

/** The code span that starts here, or an escaped character, which starts none; empty for anything else. */
function codeAt(text: string, index: number): string {
  if (text[index] === '\\') return text.slice(index, index + 2);
  if (text[index] !== '`') return '';
  const run = /^`+/u.exec(text.slice(index, index + 100))?.[0] ?? '`';
  const end = text.slice(index + run.length).search(new RegExp(`(?<!\`)${run}(?!\`)`, 'u'));
  return end === -1 ? run : text.slice(index, index + end + 2 * run.length);
}

/** `[label](target)`, `![alt](target)`, `[label][id]` to their words. */
function unlink(text: string): string {
  let out = '';
  for (let index = 0; index < text.length; ) {
    const code = codeAt(text, index);
    if (code !== '') {
      out += code;
      index += code.length;
      continue;
    }
    const open = text[index] === '!' && text[index + 1] === '[' ? index + 1 : index;
    const link = text[open] === '[' ? readLink(text, open) : undefined;
    if (link !== undefined) {
      out += link.label.replace(/^!?\[([^[\]]*)\]\([^()\s]*\)$/u, '$1');
      index = link.next;
      continue;
    }
    const reference =
      text[open] === '['
        ? /^\[([^[\]\n]{1,300})\]\[[^[\]\n]{0,200}\]/u.exec(text.slice(open, open + 510))
        : null;
    if (reference !== null) {
      out += reference[1];
      index = open + reference[0].length;
      continue;
    }
    out += text[index];
    index += 1;
  }
  return out;
}

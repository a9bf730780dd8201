import { normaliseLabel } from './block-scan.ts';
import { inlineText } from './inline-text.ts';
import { type LinkTarget, linkTargetAt } from './link-target.ts';

/** A link as a reader sees it. */
export interface Link {
  /** The words that are clicked. */
  readonly text: string;
  /** Destination as written, fragment included. */
  readonly target: string;
  /** Offset of the opening bracket. */
  readonly start: number;
}

const DEFINITION = /^ {0,3}\[(?<label>[^\]\n]{1,999})\]:[ \t]*(?:<(?<angled>[^<>\n]*)>|(?<bare>\S+))/gmu;
const FENCE = /^ {0,3}(?<fence>`{3,}|~{3,})/u;
const CODE_SPAN = /(?<!`)(?<ticks>`+)(?!`)[^\n]*?(?:\n[^\n]+?)*?(?<!`)\k<ticks>(?!`)/gu;
/** An escaped character, or a bracket. */
const BRACKET = /\\[\s\S]|[[\]]/gu;
/** Longest text of a link, characters. */
const MAX_TEXT = 400;

/** Destination by normalised label of the reference definitions in a text; the first of a label counts. */
export function definitionsOf(text: string): Map<string, string> {
  const definitions = new Map<string, string>();
  for (const { groups } of withoutFences(text).matchAll(DEFINITION)) {
    const label = normaliseLabel(groups?.['label'] ?? '');
    const target = groups?.['angled'] ?? groups?.['bare'];
    if (target !== undefined && !definitions.has(label)) definitions.set(label, target);
  }
  return definitions;
}

/** Inline and reference links of a text, in order; those in code and images are none. Linear in the length of the text. */
export function linksOf(text: string, definitions: ReadonlyMap<string, string>): Link[] {
  const seen = withoutFences(text).replace(CODE_SPAN, (code) => code.replace(/[^\n]/gu, '`'));
  const links: Link[] = [];
  const open: number[] = [];
  let next = 0;
  for (const { 0: mark, index } of seen.matchAll(BRACKET)) {
    if (index < next) continue;
    if (mark === '[') open.push(index);
    const start = mark === ']' ? open.pop() : undefined;
    if (start === undefined || index - start > MAX_TEXT) continue;
    const inner = text.slice(start + 1, index);
    const found = targetAfter(seen, index + 1, inner, definitions);
    if (found === undefined) continue;
    next = found.end;
    if (seen.charAt(start - 1) !== '!') links.push({ text: visible(inner), target: found.target, start });
  }
  return links.sort((a, b) => a.start - b.start);
}

/** Where a text in brackets that ends before `at` leads, and where the whole link ends; undefined when it is none. */
function targetAfter(
  text: string,
  at: number,
  inner: string,
  definitions: ReadonlyMap<string, string>,
): LinkTarget | undefined {
  const inline = text.charAt(at) === '(' ? linkTargetAt(text, at) : undefined;
  if (inline !== undefined) return inline;
  if (text.charAt(at) === ':') return undefined;
  const label = /^\[(?<label>[^\]\n]{0,999})\]/u.exec(text.slice(at, at + 1002));
  const name = label?.groups?.['label'] ?? '';
  const target = definitions.get(normaliseLabel(name === '' ? inner : name));
  return target === undefined ? undefined : { target, end: at + (label?.[0].length ?? 0) };
}

function visible(inner: string): string {
  const shown = inlineText(inner, {
    definitions: new Map(),
    footnotes: new Set(),
    images: 'drop',
    tags: 'words',
  });
  return shown.replace(/\s+/gu, ' ').trim();
}

/** The text with every line of a code fence blanked: offsets stay what they are. */
function withoutFences(text: string): string {
  let fence = '';
  return text
    .split('\n')
    .map((line) => {
      const mark = FENCE.exec(line)?.groups?.['fence'];
      const isInside = fence !== '';
      if (mark === undefined) return isInside ? ' '.repeat(line.length) : line;
      if (!isInside) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = '';
      return ' '.repeat(line.length);
    })
    .join('\n');
}

import { docutilsId } from './slug-rules.ts';

/**
 * Attribute lists of kramdown (`{: #id .class}`), Python-Markdown and Pandoc (`{ #id .class key="v" }`), Markdoc
 * (`{% #id %}`), and MDX ids.
 */
const WORD = String.raw`(?:[#.][^\s{}#."'=]+(?:[.:][^\s{}"'=]+)*|[\w:-]+\s*=\s*(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+))`;
const PLAIN_LIST = new RegExp(String.raw`^\{\s*(?<list>${WORD}(?:\s+${WORD})*)\s*\}$`, 'u');
const KRAMDOWN_LIST = /^\{:(?!:)(?<list>[^{}\n]*)\}$/u;
const MARKDOC_LIST = new RegExp(String.raw`^\{%\s*(?<list>${WORD}(?:\s+${WORD})*)\s*%\}$`, 'u');
/** `## Heading [#id]` */
const BRACKETED_ID = /[ \t]\[#(?<id>[\p{L}\p{N}_][\p{L}\p{N}_.:-]*)\]$/u;
const MDX_ID = /^\{\/\*\s*#?(?<id>[^\s*{}]+)\s*\*\/\}$/u;
const ID =
  /(?:^|\s)(?:#(?<hash>[^\s{}#"'=]+)|id\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"']+)))/gu;
/** A line of its own: an attribute list, or kramdown's `{::options /}`, `{:/comment}`, `{:toc}`. */
const LINE = /^\s*(?:>\s*)*\{:(?:[^{}\n]*)\}\s*$/u;
/** MyST: a list on the line before what it belongs to. Without an id it would be anybody's braces. */
const BARE_LINE = /^\{\s*(?:[^{}\n]*\s)?#[^{}\n]*\}$/u;
const MYST_LABEL = /^\((?<label>[\w|@<>*./+:-]{1,100})\)=$/u;
/** The Rust reference's rules: `r[items.fn.syntax]` is `#r-items.fn.syntax`. */
const RULE_LABEL = /^r\[(?<label>[a-z][\w-]*(?:\.[\w-]+)*)\]$/u;

export interface AttributedText {
  /** Without the lists. */
  readonly text: string;
  readonly ids: readonly string[];
}

/** What a line without words says. */
export interface LineIds {
  readonly ids: readonly string[];
  /** An attribute list belongs to the block it touches and stands in the slug's place; a label to what follows. */
  readonly kind: 'attributes' | 'label';
}

/** Cuts attribute lists off the end of a heading. Braces that hold anything else are text. */
export function cutAttributes(heading: string): AttributedText {
  let text = heading.trimEnd();
  const ids: string[] = [];
  while (text.endsWith('}')) {
    const open = text.lastIndexOf('{');
    const last = open === -1 ? undefined : listIds(text.slice(open));
    if (last === undefined) break;
    text = text.slice(0, open).trimEnd();
    for (const id of last.reverse()) ids.push(id);
  }
  const bracketed = BRACKETED_ID.exec(text);
  if (bracketed !== null) {
    text = text.slice(0, bracketed.index).trimEnd();
    ids.push(bracketed.groups?.['id'] ?? '');
  }
  return { text, ids: ids.reverse() };
}

/** Lists and labels that stand on lines of their own among the lines of an underlined heading. */
export function cutAttributeLines(heading: string): AttributedText & { readonly labels: readonly string[] } {
  if (!heading.includes('\n')) return { text: heading, ids: [], labels: [] };
  const lines = heading.split('\n').map((line) => ({ line, found: lineIds(line) }));
  const idsOfKind = (kind: LineIds['kind']): string[] =>
    lines.flatMap(({ found }) => (found?.kind === kind ? found.ids : []));
  return {
    text: lines.flatMap(({ line, found }) => (found === undefined ? [line] : [])).join('\n'),
    ids: idsOfKind('attributes'),
    labels: idsOfKind('label'),
  };
}

/** Undefined when braces hold anything but attributes. */
function listIds(braces: string): string[] | undefined {
  const id = MDX_ID.exec(braces)?.groups?.['id'];
  if (id !== undefined) return [id];
  const found = KRAMDOWN_LIST.exec(braces) ?? PLAIN_LIST.exec(braces) ?? MARKDOC_LIST.exec(braces);
  return found === null ? undefined : idsOf(found.groups?.['list'] ?? '');
}

/** Ids of a line that holds nothing but an attribute list or a label; undefined for any other line. */
export function lineIds(line: string): LineIds | undefined {
  if (line.includes('{')) return attributeLine(line);
  if (!line.includes(')=') && !line.includes('r[')) return undefined;
  const text = line.trim();
  const label = MYST_LABEL.exec(text)?.groups?.['label'];
  if (label !== undefined) {
    // Sphinx writes the label as docutils spells ids; pages link to it as it is written.
    const id = docutilsId(label);
    return { ids: id === '' || id === label ? [label] : [id, label], kind: 'label' };
  }
  const rule = RULE_LABEL.exec(text)?.groups?.['label'];
  return rule === undefined ? undefined : { ids: [`r-${rule}`], kind: 'label' };
}

function attributeLine(line: string): LineIds | undefined {
  if (LINE.test(line)) {
    return { ids: idsOf(line.slice(line.indexOf('{:') + 2, line.lastIndexOf('}'))), kind: 'attributes' };
  }
  const text = line.trim();
  const isBare = BARE_LINE.test(text) && PLAIN_LIST.test(text);
  return isBare ? { ids: idsOf(text.slice(1, -1)), kind: 'attributes' } : undefined;
}

/** Ids of the words of an attribute list, without its braces. */
export function idsOf(list: string): string[] {
  return [...list.matchAll(ID)].map(
    ({ groups }) => groups?.['hash'] ?? groups?.['double'] ?? groups?.['single'] ?? groups?.['bare'] ?? '',
  );
}

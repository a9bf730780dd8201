/** Attribute lists of kramdown (`{: #id .class}`), Python-Markdown and Pandoc (`{ #id .class key="v" }`), and MDX ids. */
const WORD = String.raw`(?:[#.][^\s{}#."'=]+(?:[.:][^\s{}"'=]+)*|[\w:-]+\s*=\s*(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+))`;
const PLAIN_LIST = new RegExp(String.raw`^\{\s*(?<list>${WORD}(?:\s+${WORD})*)\s*\}$`, 'u');
const KRAMDOWN_LIST = /^\{:(?!:)(?<list>[^{}\n]*)\}$/u;
const MDX_ID = /^\{\/\*\s*#?(?<id>[^\s*{}]+)\s*\*\/\}$/u;
const ID =
  /(?:^|\s)(?:#(?<hash>[^\s{}#"'=]+)|id\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"']+)))/gu;
/** A line of its own: an attribute list, or kramdown's `{::options /}`, `{:/comment}`, `{:toc}`. */
const LINE = /^\s*(?:>\s*)*\{:(?:[^{}\n]*)\}\s*$/u;

export interface AttributedText {
  /** Without the lists. */
  readonly text: string;
  readonly ids: readonly string[];
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
  return { text, ids: ids.reverse() };
}

/** Lists that stand on lines of their own among the lines of an underlined heading. */
export function cutAttributeLines(heading: string): AttributedText {
  if (!heading.includes('\n')) return { text: heading, ids: [] };
  const lines = heading.split('\n').map((line) => ({ line, ids: attributeLine(line) }));
  return {
    text: lines.flatMap(({ line, ids }) => (ids === undefined ? [line] : [])).join('\n'),
    ids: lines.flatMap(({ ids }) => ids ?? []),
  };
}

/** Undefined when braces hold anything but attributes. */
function listIds(braces: string): string[] | undefined {
  const id = MDX_ID.exec(braces)?.groups?.['id'];
  if (id !== undefined) return [id];
  const found = KRAMDOWN_LIST.exec(braces) ?? PLAIN_LIST.exec(braces);
  return found === null ? undefined : idsOf(found.groups?.['list'] ?? '');
}

/** Ids of a line that holds nothing but an attribute list; undefined for any other line. */
export function attributeLine(line: string): readonly string[] | undefined {
  if (!line.includes('{:')) return undefined;
  const found = LINE.exec(line);
  return found === null
    ? undefined
    : idsOf(found[0].slice(found[0].indexOf('{:') + 2, found[0].lastIndexOf('}')));
}

function idsOf(list: string): string[] {
  return [...list.matchAll(ID)].map(
    ({ groups }) => groups?.['hash'] ?? groups?.['double'] ?? groups?.['single'] ?? groups?.['bare'] ?? '',
  );
}

/** Attribute lists of kramdown (`{: #id .class}`), Python-Markdown and Pandoc (`{ #id .class key="v" }`), and MDX ids. */
const WORD = String.raw`(?:[#.][^\s{}#."'=]+(?:[.:][^\s{}"'=]+)*|[\w:-]+\s*=\s*(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+))`;
const PLAIN_LIST = new RegExp(String.raw`(?:^|\s*)\{\s*(?<list>${WORD}(?:\s+${WORD})*)\s*\}\s*$`, 'u');
const KRAMDOWN_LIST = /\s*\{:(?!:)(?<list>[^{}\n]*)\}\s*$/u;
const MDX_ID = /\s*\{\/\*\s*#?(?<id>[^\s*{}]+)\s*\*\/\}\s*$/u;
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
  let text = heading;
  const ids: string[] = [];
  while (/\}\s*$/u.test(text)) {
    const mdx = MDX_ID.exec(text);
    const found = mdx ?? KRAMDOWN_LIST.exec(text) ?? PLAIN_LIST.exec(text);
    if (found === null) break;
    text = text.slice(0, found.index);
    const id = mdx?.groups?.['id'];
    ids.unshift(...(id === undefined ? idsOf(found.groups?.['list'] ?? '') : [id]));
  }
  return { text, ids };
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

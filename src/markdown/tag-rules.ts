import { idsOfTag, isBlockTag, textOfTag } from './html-tags.ts';
import { isComponent, type ReadTag, readTag, wordsOfProps } from './jsx-tag.ts';
import { asParagraph, type Rule, type Site } from './site.ts';
import type { Placed } from './site-containers.ts';

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Elements whose content is no Markdown on any site. */
const VERBATIM = /^<(?<name>pre|script|style|textarea)(?=[\s>]|$)/iu;
const ATX = /^ {0,3}#{1,6}(?:[ \t]|$)/u;
/** Components that stand for a heading of their own. */
const HEADED = new Set(['Update']);

interface Tags {
  readonly tags: readonly ReadTag[];
  /** What stands after them on the line of the last. */
  readonly rest: string;
  readonly end: number;
}

/** Lines that begin with tags: in MDX all tags are transparent, elsewhere those of components on lines of their own. */
export const tagRule: Rule = (site, line, at) => {
  const verbatim = VERBATIM.exec(at.text)?.groups?.['name'];
  if (verbatim !== undefined) return skipVerbatim(site, line, verbatim);
  if (/^<table[\s>]/iu.test(at.text)) return site.mdx ? keepTable(site, line, at) : undefined;
  const found = leadingTags(site, line, at);
  if (found === undefined) return undefined;
  if (stands(site, found)) return replaceTags(site, { line, at }, found);
  const lone = found.rest.trim() === '' && found.tags.every(isTransparent);
  const above = lone && at.indent < 4 && ATX.test(site.lines[found.end + 1] ?? '');
  return above ? blankTags(site, line, found) : undefined;
};

/** Whether the tags are none of the text: the line is read as if they were not there. */
function stands(site: Site, { tags, rest }: Tags): boolean {
  if (site.mdx) return rest.trim() === '' || tags.some(isTransparent);
  return rest.trim() === '' && tags.every((tag) => isComponent(tag.name) && belongs(site, tag));
}

function isTransparent(tag: ReadTag): boolean {
  return tag.name === '' || isComponent(tag.name) || isBlockTag(tag.name);
}

/** A word in angle brackets without attributes is a component only if something shows that it is. */
function belongs(site: Site, tag: ReadTag): boolean {
  if (tag.close || tag.selfClosing || tag.attributes.trim() !== '') return true;
  return site.closes(tag.name);
}

function leadingTags(site: Site, line: number, at: Placed): Tags | undefined {
  const tags: ReadTag[] = [];
  let end = line;
  let column = (site.lines[line] ?? '').length - (site.lines[line] ?? '').trimStart().length;
  for (let tag = readTag(site, line, column); tag !== undefined; tag = readTag(site, end, column)) {
    if (site.mdx && !isTransparent(tag) && tags.length > 0) break;
    tags.push(tag);
    end = tag.line;
    column = tag.column;
    const text = site.lines[end] ?? '';
    while (text.charAt(column) === ' ') column += 1;
    if (tags.length > 50) break;
  }
  if (tags.length === 0 || !at.text.startsWith('<')) return undefined;
  return { tags, rest: (site.lines[end] ?? '').slice(column), end };
}

/** An HTML block would go on over the heading that follows these tags. */
function blankTags(site: Site, line: number, { tags, end }: Tags): number {
  keepIds(site, tags, line);
  site.blank(line, end + 1);
  return end + 1;
}

function keepIds(site: Site, tags: readonly ReadTag[], line: number): void {
  for (const { name, attributes, close } of tags) {
    for (const id of idsOfTag({ name, attributes: ` ${attributes}`, close })) site.id(id, line);
  }
}

function replaceTags(site: Site, { line, at }: { line: number; at: Placed }, found: Tags): number {
  keepIds(site, found.tags, line);
  const rest = found.rest.trim();
  const words = found.tags.map(wordsOf).filter((word) => word !== '');
  const partial =
    rest === '' ? found.tags.map(({ name }) => site.partials.get(name)).find(Boolean) : undefined;
  if (partial !== undefined) site.include({ line, target: partial.replace(/^@site\//u, '/'), code: false });
  followTags(site, at, found);
  const headed = found.tags.some(({ name, close }) => HEADED.has(name) && !close);
  // What is said of an entry beside its label is no part of its heading.
  const shown =
    headed && words[0] !== undefined ? `# ${words[0].split(': ')[0]}` : asParagraph(words.join(': '));
  site.write(line, at, rest === '' ? shown : `${shown} ${rest}`.trim());
  site.blank(line + 1, found.end + 1);
  return found.end + 1;
}

function wordsOf({ name, attributes, close }: ReadTag): string {
  if (close) return '';
  if (isComponent(name)) return wordsOfProps(name, attributes);
  return (textOfTag({ name, attributes: ` ${attributes}`, close }) ?? '').trim();
}

/** Opens and closes what the tags of a line open and close, those in the rest of the line too. */
function followTags(site: Site, at: Placed, { tags, rest }: Tags): void {
  const open: string[] = [];
  const follow = (name: string, close: boolean): void => {
    if (!close) open.push(name);
    else if (open.at(-1) === name) open.pop();
    else site.containers.close(`<${name}`);
  };
  for (const { name, close, selfClosing } of tags) {
    if (!selfClosing && !VOID.has(name.toLowerCase())) follow(name, close);
  }
  for (const found of rest.matchAll(
    /<\/(?<close>[A-Za-z][\w.-]*)\s*>|<(?<open>[A-Za-z][\w.-]*)(?:\s[^<>]*)?(?<!\/)>/gu,
  )) {
    const name = found.groups?.['close'] ?? found.groups?.['open'] ?? '';
    if (!VOID.has(name.toLowerCase())) follow(name, found.groups?.['close'] !== undefined);
  }
  for (const name of open) site.containers.open(at, `<${name}`, false);
}

/** To the line that closes the element; it stays as it is. */
function skipVerbatim(site: Site, line: number, name: string): number | undefined {
  const end = site.find(VERBATIM_END[name.toLowerCase()] ?? /(?!)/u, line);
  return end === -1 ? undefined : end + 1;
}

const VERBATIM_END: Readonly<Record<string, RegExp>> = {
  pre: /<\/pre\s*>/iu,
  script: /<\/script\s*>/iu,
  style: /<\/style\s*>/iu,
  textarea: /<\/textarea\s*>/iu,
};

/** A table stays one block of HTML, whatever blank lines it has. */
function keepTable(site: Site, line: number, at: Placed): number | undefined {
  const end = site.find(/<\/table\s*>/iu, line);
  if (end === -1) return undefined;
  for (let next = line; next <= end; next += 1) {
    const text = (site.lines[next] ?? '').trim();
    site.write(next, at, text === '' ? '<!-- -->' : text);
  }
  return end + 1;
}

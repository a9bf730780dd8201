import { kindWord } from './admonition-kinds.ts';
import { codeImage, includeDirective } from './include-marks.ts';
import { asParagraph, type Rule, type Site } from './site.ts';
import type { Placed } from './site-containers.ts';

const COLON_CLOSE = /^:{3,}\s*$/u;
/** `:::row:::`, `:::image source="x" alt-text="y":::` */
const COLON_SINGLE = /^:::\s*(?<name>[a-z][\w-]*)(?<rest>[^\n]*?):::\s*$/u;
const COLON_OPEN = /^:{3,}\s*(?:\{(?<directive>[A-Za-z][\w:-]*)\}|(?<kind>[A-Za-z][\w-]*))?\s*(?<rest>.*)$/u;
const OPTION = /^:[\w-]+:(?:\s|$)/u;
const TITLE = /\btitle\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/u;
/** Blocks whose word after the colons is no title. */
const SILENT = /^(?:moniker|zone|row|column|code-group|tabs|grid|grids|section)\b/u;

/** `:::note[Title]`, `::: details Title`, `:::{tip}`, `::: moniker range="x"`, `:::image alt-text="x":::` */
export const colonRule: Rule = (site, line, at) => {
  if (!at.text.startsWith(':::')) return undefined;
  if (COLON_CLOSE.test(at.text)) {
    site.write(line, at, '');
    return line + 1;
  }
  const single = COLON_SINGLE.exec(at.text)?.groups;
  if (single !== undefined) {
    const image = codeImage(single['name'] ?? '', single['rest'] ?? '', line);
    if (image.include !== undefined) site.include(image.include);
    site.write(line, at, asParagraph(image.words));
    return line + 1;
  }
  const open = COLON_OPEN.exec(at.text)?.groups;
  if (open === undefined) return undefined;
  const rest = open['rest'] ?? '';
  const directive = open['directive'];
  const kind =
    directive ?? open['kind'] ?? /\.(?:callout-)?(?<name>[\w-]+)/u.exec(rest)?.groups?.['name'] ?? '';
  const include = directive === undefined ? undefined : includeDirective(directive, rest, line);
  if (include !== undefined) site.include(include);
  const id = /\{[^}]*#(?<id>[\w.:-]+)/u.exec(rest)?.groups?.['id'];
  if (id !== undefined) site.id(id, line);
  site.write(line, at, include === undefined ? asParagraph(colonTitle(kind, rest)) : '');
  return directive === undefined ? line + 1 : skipOptions(site, line + 1);
};

function colonTitle(kind: string, rest: string): string {
  if (SILENT.test(kind)) return '';
  const title = TITLE.exec(rest)?.groups;
  const bracketed = /^\[(?<text>.*)\](?:\{[^}]*\})?\s*$/u.exec(rest)?.groups?.['text'];
  const plain = rest.replace(/\{[^}]*\}\s*$/u, '').trim();
  return title?.['double'] ?? title?.['single'] ?? bracketed ?? (plain === '' ? kindWord(kind) : plain);
}

/** Blanks the option lines (`:class: x`, or `---` to `---`) at the head of a MyST directive; gives the line after. */
export function skipOptions(site: Site, first: number): number {
  let next = first;
  if (site.lines[next]?.trim() === '---') {
    const end = site.find(/^\s*---\s*$/u, next + 1);
    if (end !== -1 && end - next < 30) next = end + 1;
  }
  while (OPTION.test(site.lines[next]?.trim() ?? '')) next += 1;
  site.blank(first, next);
  return next;
}

const ADMONITION =
  /^(?:!!!|\?\?\?\+?)\s+(?<kinds>[\w-]+(?:\s+[\w-]+)*)?\s*(?:"(?<title>(?:[^"\\]|\\.)*)")?\s*$/u;
const TAB = /^===[!+]*\s+(?:"(?<double>.+)"|'(?<single>.+)')\s*$/u;

/** `!!! note "Title"` and `??? note` with a body indented by four. Its headings open no section. */
export const admonitionRule: Rule = (site, line, at) => {
  const found = ADMONITION.exec(at.text)?.groups;
  if (found === undefined || !hasBody(site, line, at)) return undefined;
  const kinds = (found['kinds'] ?? '').split(/\s+/u);
  const title = found['title'] ?? kinds.map(kindWord).find((word) => word !== '') ?? kinds[0] ?? '';
  site.containers.openBody(at, true);
  site.write(
    line,
    { ...at, prefix: `${at.prefix}${' '.repeat(at.indent)}> `, indent: 0 },
    asParagraph(title),
  );
  return line + 1;
};

/** `=== "Label"` with a body indented by four. */
export const contentTabRule: Rule = (site, line, at) => {
  const found = TAB.exec(at.text)?.groups;
  if (found === undefined || !hasBody(site, line, at)) return undefined;
  site.containers.openBody(at, false);
  site.write(line, at, asParagraph(found['double'] ?? found['single'] ?? ''));
  return line + 1;
};

function hasBody(site: Site, line: number, at: Placed): boolean {
  for (let next = line + 1; next < Math.min(site.lines.length, line + 10); next += 1) {
    const text = site.lines[next] ?? '';
    if (text.trim() === '') continue;
    return new RegExp(`^(?: {0,3}\\t| {4}){${Math.floor(at.column / 4) + 1}}`, 'u').test(text);
  }
  return false;
}

const SLASH_OPEN = /^\/{3,}\s*(?<kind>[a-z][\w-]*)\s*(?:\|\s*(?<title>.*))?$/u;
const SLASH_CLOSE = /^\/{3,}\s*$/u;

/** `/// note | Title` to `///`, option lines (`    open: True`) first. */
export const slashRule: Rule = (site, line, at) => {
  if (SLASH_CLOSE.test(at.text)) {
    site.write(line, at, '');
    return line + 1;
  }
  const found = SLASH_OPEN.exec(at.text)?.groups;
  if (found === undefined || site.find(SLASH_CLOSE, line + 1) === -1) return undefined;
  const title = found['title']?.trim().replace(/^"(.*)"$/u, '$1') ?? '';
  site.write(line, at, asParagraph(title === '' ? kindWord(found['kind'] ?? '') : title));
  let next = line + 1;
  while (/^\s{4,}[\w-]+:(?:\s|$)/u.test(site.lines[next] ?? '')) next += 1;
  site.blank(line + 1, next);
  return next;
};

const CALLOUT =
  /^(?<quote>(?:>[ \t]?)+)\[!(?<kind>[\w-]+)(?:\|[^\]]*)?\](?<fold>[+-]?)(?:\s+(?<title>.*))?$/u;
const QUOTED_MACHINERY = /^(?<quote>(?:>[ \t]?)+)\[!(?:div|video|tabzone|button)\b[^\]]*\]\s*$/iu;

/** `> [!NOTE]`, `> [!tip]- Title`: the mark goes, the title or the word for the kind stays. */
export const calloutRule: Rule = (site, line, at) => {
  if (!at.text.includes('[!')) return undefined;
  const machinery = QUOTED_MACHINERY.exec(at.text)?.groups;
  if (machinery !== undefined) {
    site.write(line, at, (machinery['quote'] ?? '').trimEnd());
    return line + 1;
  }
  const found = CALLOUT.exec(at.text)?.groups;
  if (found === undefined) return undefined;
  const kind = found['kind'] ?? '';
  const title = found['title']?.trim() ?? '';
  const word = kindWord(kind) || kind.charAt(0).toUpperCase() + kind.slice(1).toLowerCase();
  site.write(line, at, (found['quote'] ?? '') + asParagraph(title === '' ? word : title));
  return line + 1;
};

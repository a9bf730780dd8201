import type { IncludeMark, Rule, Site } from './site.ts';
import type { Placed } from './site-containers.ts';

type Part = IncludeMark['part'];

const MDBOOK = /^\{\{\s*#\s*(?:include|rustdoc_include|playground|playpen)\s+(?<target>[^\s{}]+)[^{}]*\}\}$/u;
const SNIPPET = /^(?:-{1,}8<-{1,})\s+["'](?<target>[^"']+)["']\s*$/u;
const ESCAPED_SNIPPET = /^;-{1,}8<-{1,}/u;
const SNIPPET_BLOCK = /^-{1,}8<-{1,}\s*$/u;
const VITEPRESS_CODE = /^<<<\s*(?<target>[^\s{[]+)/u;
const VITEPRESS_PAGE = /^<!--\s*@include:\s*(?<target>[^\s{}]+?)(?<range>\{[^}]*\})?\s*-->\s*$/u;
const FASTAPI = /^\{\*\s+(?<target>[^\s*]+)[^*]*\*\}\s*$/u;
const DOCS_INCLUDE = /\[!INCLUDE\s*\[[^\]\n]*\]\((?<target>[^)\s]+)[^)\n]*\)\]/giu;
const DOCS_CODE = /^\[!code(?:-\w+)?\s*\[[^\]\n]*\]\((?<target>[^)?#\s]+)[^)\n]*\)\]\s*$/iu;
const HUGO = /^\{\{[<%]\s*(?:include|readfile|docs\/shared|snippet)\s+(?<rest>[^{}]*?)\s*\/?[%>]\}\}$/u;
const LIQUID =
  /^\{%-?\s*include\s+(?:"(?<double>[^"{}]+)"|'(?<single>[^'{}]+)'|(?<bare>[^\s"'{}]+))[^{}]*-?%\}$/u;
const EMBED = /^!\[\[(?<note>[^[\]|#^\n]+)(?:#(?<part>[^[\]|\n]+))?(?:\|[^[\]\n]*)?\]\]$/u;
const PAGE = /\.(?:mdx?|markdown|txt|text|html\.markdown)$/iu;
const FILE = /\.[A-Za-z0-9]{1,5}$/u;

/** An include that fills a line outside code. */
export function includeMark(text: string, line: number): IncludeMark | undefined {
  const code = (mark: Omit<IncludeMark, 'line' | 'code'>): IncludeMark => ({ line, code: true, ...mark });
  const page = (mark: Omit<IncludeMark, 'line' | 'code'>): IncludeMark => ({
    line,
    code: !PAGE.test(mark.target),
    ...mark,
  });
  switch (text.slice(0, 2)) {
    case '{{':
      return hugoInclude(text, line) ?? fromTarget(MDBOOK.exec(text), page);
    case '{%':
      return liquidInclude(text, line);
    case '{*':
      return fromTarget(FASTAPI.exec(text), (mark) => code({ ...mark, target: anywhere(mark.target) }));
    case '<<':
      return fromTarget(VITEPRESS_CODE.exec(text), code);
    case '<!':
      return vitePressPage(text, line);
    case '[!':
      return fromTarget(DOCS_CODE.exec(text), code);
    case '![':
      return embeddedNote(text, line);
    default:
      return fromTarget(SNIPPET.exec(text), (mark) => page({ ...mark, target: anywhere(mark.target) }));
  }
}

/** An include among the lines of a listing. */
export function codeInclude(text: string, line: number): IncludeMark | undefined {
  const snippet = SNIPPET.exec(text);
  const found = snippet ?? MDBOOK.exec(text);
  return fromTarget(found, (mark) => ({
    line,
    code: true,
    ...mark,
    target: snippet === null ? mark.target : anywhere(mark.target),
  }));
}

/** The lines between two `--8<--`: a file each. */
export function snippetBlock(site: Site, line: number, at: Placed): number | undefined {
  if (ESCAPED_SNIPPET.test(at.text)) {
    site.write(line, at, `\\${at.text.slice(1)}`);
    return line + 1;
  }
  if (!SNIPPET_BLOCK.test(at.text)) return undefined;
  const end = site.find(/^\s*-{1,}8<-{1,}\s*$/u, line + 1);
  if (end === -1) return undefined;
  for (let next = line + 1; next < end; next += 1) {
    const target = site.lines[next]?.trim() ?? '';
    if (target === '' || target.startsWith(';')) continue;
    site.include({ line: next, target: anywhere(target), code: !PAGE.test(target) });
  }
  site.blank(line, end + 1);
  return end + 1;
}

/** Microsoft Learn's includes may stand within a line. */
export function takeDocsIncludes(site: Site, text: string, line: number): string {
  return text.replace(DOCS_INCLUDE, (mark, target: string) => {
    void mark;
    site.include({ line, target, code: false });
    return '';
  });
}

/** MyST's `{include}` and `{literalinclude}`. */
export function includeDirective(name: string, argument: string, line: number): IncludeMark | undefined {
  if (name !== 'include' && name !== 'literalinclude') return undefined;
  const target = argument.trim();
  return target === '' ? undefined : { line, target, code: name === 'literalinclude' };
}

/** `:::image alt-text="x":::` and `:::code source="x":::` */
export function codeImage(
  name: string,
  rest: string,
  line: number,
): { words: string; include?: IncludeMark } {
  const value = (key: string): string =>
    new RegExp(`\\b${key}\\s*=\\s*"(?<value>[^"]*)"`, 'u').exec(rest)?.groups?.['value'] ?? '';
  if (name === 'image') return { words: value('alt-text') };
  const source = value('source');
  if (name !== 'code' || source === '') return { words: '' };
  return { words: '', include: { line, target: source.replace(/^~\//u, '/'), code: true } };
}

const includeLine: Rule = (site, line, at) => {
  const mark = includeMark(at.text.trimEnd(), line);
  if (mark === undefined) return undefined;
  site.include(mark);
  site.write(line, at, '');
  return line + 1;
};

export { includeLine as includeRule };

function fromTarget(
  found: RegExpExecArray | null,
  build: (mark: Omit<IncludeMark, 'line' | 'code'>) => IncludeMark,
): IncludeMark | undefined {
  const written = found?.groups?.['target'];
  if (written === undefined || /^[a-z][a-z+.-]*:\/\//iu.test(written)) return undefined;
  const { target, part } = splitPart(written);
  return build({ target: rooted(target), ...(part === undefined ? {} : { part }) });
}

/** `file.rs:region`, `file.rs:3:10`, `file.ts#region` */
function splitPart(written: string): { target: string; part?: Part } {
  const found = /^(?<target>[^:#]+)(?::(?<first>\d*)(?::(?<last>\d*))?|[:#](?<name>[\w.-]+))?$/u.exec(
    written,
  );
  const groups = found?.groups;
  const target = groups?.['target'] ?? written;
  const name = groups?.['name'];
  if (name !== undefined) return { target, part: { name } };
  if (groups?.['first'] === undefined) return { target };
  const first = Number(groups['first'] || 1);
  const last = groups['last'] === undefined ? first : Number(groups['last'] || Number.MAX_SAFE_INTEGER);
  return { target, part: { first, last } };
}

/** `@/x` and `~/x` are relative to a root that the site's configuration names. */
function rooted(target: string): string {
  return target.replace(/^(?:@site|@|~)\//u, '/');
}

/** Paths that are relative to a root, not to the file. */
function anywhere(target: string): string {
  const clean = target.replace(/^(?:\.\.?\/)+/u, '');
  return `/${clean.replace(/^\//u, '')}`;
}

function vitePressPage(text: string, line: number): IncludeMark | undefined {
  const found = VITEPRESS_PAGE.exec(text);
  const range = /^\{(?<first>\d*)(?:,(?<last>\d*))?\}$/u.exec(found?.groups?.['range'] ?? '')?.groups;
  const part =
    range === undefined
      ? undefined
      : {
          first: Number(range['first'] || 1),
          last: Number(range['last'] || Number.MAX_SAFE_INTEGER),
        };
  return fromTarget(found, (mark) => ({
    line,
    code: false,
    ...mark,
    ...(part === undefined ? {} : { part }),
  }));
}

function hugoInclude(text: string, line: number): IncludeMark | undefined {
  const rest = HUGO.exec(text)?.groups?.['rest'];
  if (rest === undefined) return undefined;
  const named = /\b(?:lookup|file|path|src)\s*=\s*"?(?<target>[^"\s]+)"?/u.exec(rest)?.groups?.['target'];
  const first = /^"?(?<target>[^"\s=]+)"?(?:\s|$)/u.exec(rest)?.groups?.['target'];
  const target = named ?? first;
  if (target === undefined || !FILE.test(target)) return undefined;
  const shared = /^\{\{[<%]\s*docs\/shared/u.test(text) ? 'shared/' : '';
  return { line, target: `/${shared}${target.replace(/^\/+/u, '')}`, code: !PAGE.test(target) };
}

/** Jekyll's `_includes` and GitBook's reusable blocks; parts of layouts (`.html`) are machinery. */
function liquidInclude(text: string, line: number): IncludeMark | undefined {
  const groups = LIQUID.exec(text)?.groups;
  const target = groups?.['double'] ?? groups?.['single'] ?? groups?.['bare'];
  if (target === undefined || !PAGE.test(target)) return undefined;
  return { line, target: target.startsWith('.') ? target : `/_includes/${target}`, code: false };
}

/** `![[note#part]]`: a picture is none. */
function embeddedNote(text: string, line: number): IncludeMark | undefined {
  const groups = EMBED.exec(text)?.groups;
  const note = groups?.['note']?.trim() ?? '';
  if (note === '' || (FILE.test(note) && !PAGE.test(note))) return undefined;
  const heading = groups?.['part']?.split('#').at(-1)?.trim();
  return {
    line,
    target: `/${PAGE.test(note) ? note : `${note}.md`}`,
    code: false,
    instead: heading === undefined ? note : `${note}: ${heading.replace(/^\^/u, '')}`,
    ...(heading === undefined ? {} : { part: { name: heading } }),
  };
}

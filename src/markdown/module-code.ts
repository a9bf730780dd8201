import type { Rule, Site } from './site.ts';

const IMPORT_LINE =
  /^import\s+(?:['"][^'"]+['"]|(?<names>[\w${}*,\s]+?)\s+from\s+['"](?<target>[^'"]+)['"])\s*(?:with\s*\{.*\}\s*)?;?\s*(?:\/\/.*)?$/u;
const IMPORT_START = /^import\s+(?:[\w$]+\s*,\s*)?\{[^}]*$/u;
const EXPORT = /^export\s+(?:const|let|var|function|async|class|default|\{|\*)(?=[\s{*]|$)/u;
const PAGE = /\.(?:mdx?|markdown)$/iu;
/** Longest statement, in lines. */
const MAX_STATEMENT = 2000;

/** Whether a line imports something: prose that begins with the word has no quoted name at its end. */
export function isImport(line: string): boolean {
  return line.startsWith('import') && IMPORT_LINE.test(line);
}

/** `import X from 'y'` on one line or several. */
export const importRule: Rule = (site, line, at) => {
  if (at.column > 0) return undefined;
  const found = IMPORT_LINE.exec(at.text);
  if (found !== null) {
    const target = found.groups?.['target'];
    const name = /^[A-Z]\w*$/u.exec(found.groups?.['names']?.trim() ?? '')?.[0];
    if (name !== undefined && target !== undefined && PAGE.test(target)) site.partials.set(name, target);
    site.blank(line, line + 1);
    return line + 1;
  }
  if (!site.mdx || !IMPORT_START.test(at.text)) return undefined;
  for (let next = line + 1; next < Math.min(site.lines.length, line + MAX_STATEMENT); next += 1) {
    const text = site.lines[next] ?? '';
    if (/\}\s*from\s+['"][^'"]+['"]\s*;?\s*$/u.test(text)) {
      site.blank(line, next + 1);
      return next + 1;
    }
    if (/^\s*$|[^\w\s,$*]/u.test(text)) return undefined;
  }
  return undefined;
};

/** `export const X = …` up to where its brackets are closed. */
export const exportRule: Rule = (site, line, at) => {
  if (!site.mdx || at.column > 0 || !EXPORT.test(at.text)) return undefined;
  const end = statementEnd(site, line);
  site.blank(line, end);
  return end;
};

/** The line after a statement: where all brackets are closed at a line's end; a blank line where they never are. */
function statementEnd(site: Site, first: number): number {
  const state = { depth: 0, quote: '' };
  let blank = -1;
  const limit = Math.min(site.lines.length, first + MAX_STATEMENT);
  for (let line = first; line < limit; line += 1) {
    const text = site.lines[line] ?? '';
    if (text.trim() === '' && blank === -1) blank = line;
    site.work.left -= text.length + 1;
    if (site.work.left < 0) break;
    readBrackets(text, state);
    const next = site.lines[line + 1]?.trim() ?? '';
    if (state.depth <= 0 && state.quote === '' && !/(?:=|=>|\+|,)\s*$/u.test(text) && !/^[.?:]/u.test(next)) {
      return line + 1;
    }
  }
  return blank === -1 ? first + 1 : blank;
}

interface Brackets {
  depth: number;
  quote: string;
}

/** Quotes other than backticks end with their line: an apostrophe in the text of an element opens none for good. */
function readBrackets(line: string, state: Brackets): void {
  for (let at = 0; at < line.length; at += 1) {
    if (state.quote === '' && startsComment(line, at)) break;
    if (state.quote !== '' && line.charAt(at) === '\\') at += 1;
    else readBracket(line.charAt(at), state);
  }
  if (state.quote !== '`') state.quote = '';
}

function readBracket(character: string, state: Brackets): void {
  if (state.quote !== '') state.quote = character === state.quote ? '' : state.quote;
  else if (QUOTES.has(character)) state.quote = character;
  else state.depth += DEPTH[character] ?? 0;
}

const QUOTES = new Set(['"', "'", '`']);
const DEPTH: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** `//`, but not that of an address. */
function startsComment(line: string, at: number): boolean {
  return line.startsWith('//', at) && !/[:"'/]/u.test(line.charAt(at - 1));
}

import { kindWord } from './admonition-kinds.ts';
import { skipOptions } from './block-rules.ts';
import { codeInclude, includeDirective } from './include-marks.ts';
import { asParagraph, type Site } from './site.ts';
import type { Placed } from './site-containers.ts';

/** A fence that is open: its lines are code. */
export interface OpenFence {
  readonly mark: string;
  /** Marks of quotes around it, in characters `>`. */
  readonly quotes: number;
  /** Containers around it: fewer, and it has ended with them. */
  readonly depth: number;
  /** A line with less indentation is out of the list item that holds it. */
  readonly indent: number;
}

const FENCE = /^(?<lead>(?:>[ \t]?|[-+*][ \t]+|\d{1,9}[.)][ \t]+)*)[ \t]*(?<mark>`{3,}|~{3,})(?<info>.*)$/u;
/** Listings of javascript.info that are boxes of prose. */
const BOX = /^(?:smart|warn|online|offline|compare|important)\b/u;
const DIRECTIVE = /^\{(?<name>[\w:-]+)\}\s*(?<argument>.*)$/u;
/** MyST directives that hold prose. */
const PROSE =
  /^(?:admonition|note|tip|warning|caution|danger|important|hint|attention|error|seealso|todo|dropdown|card|grid|grid-item|grid-item-card|tab-set|tab-item|figure|table|glossary|topic|sidebar|margin|epigraph|pull-quote|versionadded|versionchanged|deprecated|list-table|div|details|rubric|centered|only|confval|exercise|solution|proof:\w+)$/u;
/** Directives without words. */
const MACHINERY =
  /^(?:toctree|contents|tableofcontents|image|index|currentmodule|automodule|autoclass|autofunction|highlight|bibliography|raw|meta)$/u;

/** Looks for the beginning of a listing. Gives the open fence, or the next line when it was a box of prose or an include. */
export function openFence(site: Site, line: number, at: Placed): OpenFence | number | undefined {
  const groups = FENCE.exec(at.text)?.groups;
  if (groups === undefined) return undefined;
  const lead = groups['lead'] ?? '';
  const mark = groups['mark'] ?? '';
  const info = groups['info'] ?? '';
  const quotes = lead.replace(/[^>]/gu, '').length;
  const plain = lead === '' ? proseFence(site, { line, mark, info: info.trim() }, at) : undefined;
  if (plain !== undefined) return plain;
  if (mark.startsWith('`') && info.includes('`')) {
    // Not a fence for CommonMark, whose closing line would then open one that swallows the page.
    if (info.includes(mark) || lead !== '' || closing(site, mark, line) === -1) return undefined;
    site.write(line, at, mark + info.replace(/`/gu, "'"));
  }
  const indent = lead === '' ? Math.max(0, at.indent - 3) : at.indent + lead.length;
  return { mark, quotes, depth: site.containers.depth, indent: quotes > 0 ? 0 : indent };
}

interface Opening {
  readonly line: number;
  readonly mark: string;
  readonly info: string;
}

function proseFence(site: Site, opening: Opening, at: Placed): number | undefined {
  const { line, mark, info } = opening;
  if (BOX.test(info)) {
    if (closing(site, mark, line) === -1) return undefined;
    const title = /\bheader\s*=\s*(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)')/u.exec(info)?.groups;
    return openProse(site, opening, at, title?.['double'] ?? title?.['single'] ?? '');
  }
  const directive = DIRECTIVE.exec(info)?.groups;
  const { name, argument = '' } = directive ?? {};
  return name === undefined ? undefined : openDirective(site, opening, at, { name, argument });
}

function openDirective(
  site: Site,
  opening: Opening,
  at: Placed,
  { name, argument }: { readonly name: string; readonly argument: string },
): number | undefined {
  const { line, mark } = opening;
  const end = closing(site, mark, line);
  if (end === -1) return undefined;
  if (name === 'raw' && argument.trim() === 'html') return openRaw(site, opening, at);
  const include = includeDirective(name, argument, line);
  if (include !== undefined || MACHINERY.test(name)) {
    if (include !== undefined) site.include(include);
    site.blank(line, end + 1);
    return end + 1;
  }
  if (!PROSE.test(name)) return undefined;
  const title = /^(?:figure|list-table)$/u.test(name) ? '' : argument.trim();
  return openProse(site, opening, at, title === '' ? kindWord(name) : title);
}

/** What a page shows as it is: HTML like any other. */
function openRaw(site: Site, { line, mark }: Opening, at: Placed): number {
  site.containers.open(at, mark, false);
  site.write(line, at, '');
  return line + 1;
}

/** The lines of the box become those of a quote: headings in it open no section. */
function openProse(site: Site, { line, mark }: Opening, at: Placed, title: string): number {
  site.containers.open(at, mark, true);
  site.write(
    line,
    { ...at, prefix: `${at.prefix}${' '.repeat(at.indent)}> `, indent: 0 },
    asParagraph(title),
  );
  return skipOptions(site, line + 1);
}

function closing(site: Site, mark: string, line: number): number {
  return site.find(closingPattern(mark), line + 1);
}

const patterns = new Map<string, RegExp>();

function closingPattern(mark: string): RegExp {
  const known = patterns.get(mark);
  if (known !== undefined) return known;
  const character = mark.charAt(0) === '~' ? '~' : '`';
  const pattern = new RegExp(`^[ \\t]*${character}{${Math.min(mark.length, 200)},}[ \\t]*$`, 'u');
  if (patterns.size < 100) patterns.set(mark, pattern);
  return pattern;
}

/** Whether a line is the last of a listing, or a sign that it has ended before (`ended`). */
export function inFence(site: Site, fence: OpenFence, line: number, at: Placed): 'open' | 'closed' | 'ended' {
  if (site.containers.depth < fence.depth) return 'ended';
  const quotes = /^(?:>[ \t]?)*/u.exec(at.text)?.[0] ?? '';
  const depth = quotes.replace(/[^>]/gu, '').length;
  if (fence.quotes > 0 && depth < fence.quotes) return 'ended';
  if (at.text !== '' && at.indent < fence.indent) return 'ended';
  const text = fence.quotes > 0 ? at.text.slice(quotes.length).trimStart() : at.text;
  if (closingPattern(fence.mark).test(text)) return 'closed';
  const include = codeInclude(text.trim(), line);
  if (include !== undefined) {
    site.include(include);
    site.write(line, at, fence.quotes > 0 ? quotes : '');
  }
  return 'open';
}

/** Whether a line closes the box of prose that a fence opened. */
export function closesProse(site: Site, line: number, at: Placed): boolean {
  const mark = /^(?<mark>`{3,}|~{3,})[ \t]*$/u.exec(at.text)?.groups?.['mark'];
  if (mark === undefined) return false;
  for (let length = Math.min(mark.length, 50); length >= 3; length -= 1) {
    if (!site.containers.close(mark.slice(0, length))) continue;
    site.write(line, { ...at, prefix: '' }, '');
    return true;
  }
  return false;
}

import { normaliseLineEnds } from './line-index.ts';
import type { IncludeMark } from './site.ts';

/** `a/./b/../c` as `a/c`; steps above the first folder stay. */
export function normalisePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** The part of a file that an include asks for; undefined when the file has no such part. */
export function partOf(text: string, { part, code }: IncludeMark): string | undefined {
  if (part === undefined) return code ? withoutMarks(text) : text;
  const lines = normaliseLineEnds(text).split('\n');
  if ('first' in part) {
    const shown = lines.slice(part.first - 1, part.last).join('\n');
    return code ? withoutMarks(shown) : shown;
  }
  return regionOf(lines, part.name) ?? sectionOf(lines, part.name) ?? blockOf(lines, part.name);
}

/** `ANCHOR: x` to `ANCHOR_END: x` (mdBook), `--8<-- [start:x]` (MkDocs), `#region x` (VitePress). */
const REGION_START =
  /ANCHOR:\s*(?<anchor>[\w-]+)|--8<--\s*\[start:\s*(?<snippet>[\w-]+)\]|#\s*region\s+(?<region>[\w-]+)/u;
const REGION_END = /ANCHOR_END:\s*[\w-]+|--8<--\s*\[end:\s*[\w-]+\]|#\s*endregion\b/u;

function nameOfRegion(line: string): string | undefined {
  const groups = REGION_START.exec(line)?.groups;
  return groups?.['anchor'] ?? groups?.['snippet'] ?? groups?.['region'];
}

function regionOf(lines: readonly string[], name: string): string | undefined {
  const start = lines.findIndex((line) => nameOfRegion(line) === name);
  if (start === -1) return undefined;
  const shown: string[] = [];
  for (const line of lines.slice(start + 1)) {
    if (REGION_END.test(line) && (line.includes(name) || line.includes('endregion'))) break;
    if (nameOfRegion(line) === undefined && !REGION_END.test(line)) shown.push(line);
  }
  return shown.join('\n');
}

function withoutMarks(text: string): string {
  if (!/ANCHOR|--8<--|region/u.test(text)) return text;
  const lines = normaliseLineEnds(text).split('\n');
  return lines.filter((line) => nameOfRegion(line) === undefined && !REGION_END.test(line)).join('\n');
}

/** From a heading to the next of its level or above, as embeds of notes show it. */
function sectionOf(lines: readonly string[], name: string): string | undefined {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const wanted = plain(name);
  const levelOf = (line: string): number =>
    /^(?<marks>#{1,6})[ \t]/u.exec(line)?.groups?.['marks']?.length ?? 0;
  const start = lines.findIndex((line) => levelOf(line) > 0 && plain(line) === wanted);
  if (start === -1) return undefined;
  const level = levelOf(lines[start] ?? '');
  const length = lines.slice(start + 1).findIndex((line) => levelOf(line) > 0 && levelOf(line) <= level);
  return lines.slice(start, length === -1 ? undefined : start + 1 + length).join('\n');
}

/** The line that carries `^id`. */
function blockOf(lines: readonly string[], name: string): string | undefined {
  if (!name.startsWith('^')) return undefined;
  return lines.find((line) => line.trimEnd().endsWith(` ${name}`));
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { decodeBytes } from '../../src/markdown/decode-bytes.ts';
import { readFrontMatter } from '../../src/markdown/front-matter.ts';
import { parseDocument } from '../../src/markdown/parse-document.ts';
import type { ParsedDocument } from '../../src/markdown/parsed.ts';
import { sharedPath } from '../support/shared.ts';

export interface MarkdownFile {
  readonly file: string;
  /** Relative to the folder asked for. */
  readonly path: string;
  readonly text: string;
}

/** Markdown files under a folder, symbolic links left alone, in a fixed order. */
export function markdownFiles(folder: string, pattern = /\.(?:md|markdown|mdx)$/u): MarkdownFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ file, path: relative(folder, file), text: decodeBytes(readFileSync(file)).text }));
}

/** One file of the test bed, by corpus and path. */
export function testbedFile(path: string): MarkdownFile {
  const file = sharedPath(`testbed/${path}`);
  return { file, path, text: decodeBytes(readFileSync(file)).text };
}

export function parseFile({ file, path, text }: MarkdownFile): ParsedDocument {
  const include = (target: string): string | undefined => {
    const included = resolve(dirname(file), target);
    return existsSync(included) ? readFileSync(included, 'utf8') : undefined;
  };
  return parseDocument(text, { path, include });
}

/** Front matter and sections put together again. */
export function joinSections(text: string, document: ParsedDocument): string {
  const sections = document.sections.map((section) => text.slice(section.start, section.end));
  return text.slice(0, document.bodyStart) + sections.join('');
}

/** Characters of the longest chunk. */
export function longestChunk(document: ParsedDocument): number {
  const chunks = document.sections.flatMap((section) => section.chunks);
  return chunks.reduce((longest, { text }) => Math.max(longest, text.length), 0);
}

/** Where front matter ends, also of a page that is nothing else and is therefore shown by it. */
export function bodyStartOf(text: string, document: ParsedDocument): number {
  return Math.max(document.bodyStart, readFrontMatter(text).end);
}

/** `line:level` of every heading that opens a section. */
export function headingLines(document: ParsedDocument): string[] {
  return document.headings
    .filter((heading) => heading.section !== undefined)
    .map((heading) => `${heading.line}:${heading.level}`);
}

/**
 * Where headings differ from those that CommonMark sees, for no reason of the site's: it shows a heading under the tag
 * of a component or a box (any indentation), one in HTML that has an id, and a labelled update; it shows none without
 * words, and none in front matter of whatever form.
 */
export function unexplained(
  { text }: MarkdownFile,
  document: ParsedDocument,
  commonMark: readonly string[],
): string[] {
  const lines = text.split(/\r\n?|\n/u);
  const own = headingLines(document);
  const headerLines = text.slice(0, bodyStartOf(text, document)).split(/\r\n?|\n/u).length - 1;
  const numberOf = (heading: string): number => Number(heading.split(':')[0]);
  const lineOf = (heading: string): string => lines[numberOf(heading) - 1] ?? '';
  const added = own.filter((heading) => !commonMark.includes(heading) && !isShown(lineOf(heading)));
  const lost = commonMark.filter(
    (heading) =>
      !own.includes(heading) &&
      numberOf(heading) > headerLines &&
      !/^ {0,3}#{1,6}[\s#]*$/u.test(lineOf(heading)),
  );
  return [...added.map((heading) => `+${heading}`), ...lost.map((heading) => `-${heading}`)];
}

function isShown(line: string): boolean {
  return /^\s*#{1,6}\s|^<h[1-6]\s[^>]*\bid=|^<Update\s|^\{%\s*update\s/u.test(line);
}

/** `line:level` of every heading of each file, by corpus and path, as the reference split has them. */
export function referenceHeadings(): Map<string, string[]> {
  const files = new Map<string, string[]>();
  for (const row of readFileSync(sharedPath('testbed-truth/sections.tsv'), 'utf8').split('\n').slice(1)) {
    const [corpus = '', path = '', line = '', level = ''] = row.split('\t');
    if (corpus === '') continue;
    const key = `${corpus}/${path}`;
    const headings = files.get(key) ?? [];
    if (level !== '0') headings.push(`${line}:${level}`);
    files.set(key, headings);
  }
  return files;
}

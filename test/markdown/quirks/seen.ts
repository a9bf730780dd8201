import { assignAnchors } from '../../../src/markdown/anchors.ts';
import { decodeBytes } from '../../../src/markdown/decode-bytes.ts';
import { parseDocument } from '../../../src/markdown/parse-document.ts';
import type { ParsedDocument } from '../../../src/markdown/parsed.ts';

export interface Around {
  /** Of the page; decides whether it is read as MDX. */
  readonly path?: string;
  /** Files it may include, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Case extends Around {
  readonly title: string;
  readonly page: string;
  readonly seen: string;
}

/** The cases of an area: `@@ case`, `@@ page`, any number of `@@ file`, `@@ seen`, each to the next such line. */
export function readCases(text: string): Case[] {
  return text
    .split(/^@@ case /mu)
    .slice(1)
    .map((source) => {
      const [head = '', ...parts] = source.split(/^@@ /mu);
      const files: Record<string, string> = {};
      const found = { path: 'page.md', page: '', seen: '' };
      for (const part of parts) {
        const end = part.indexOf('\n');
        const [kind, name = ''] = part.slice(0, end).split(' ');
        const body = part.slice(end + 1);
        if (kind === 'page') Object.assign(found, { path: name, page: body });
        else if (kind === 'file') files[name] = body;
        else found.seen = body.trimEnd();
      }
      return { title: head.trim(), ...found, files };
    });
}

export function writeCases(cases: readonly Case[]): string {
  return cases
    .map(({ title, path, page, files = {}, seen: found }) => {
      const others = Object.entries(files).map(([name, body]) => `@@ file ${name}\n${body}`);
      return `@@ case ${title}\n@@ page ${path}\n${page}${others.join('')}@@ seen\n${found}\n\n`;
    })
    .join('');
}

/**
 * What a person finds of a page: a line for each section (its lines, heading path and anchors by GitHub's rule), below
 * it the text that is searched, then the remarks of the report.
 */
export function seen(text: string | Uint8Array, around: Around = {}): string {
  const decoded = typeof text === 'string' ? { text, notes: [] } : decodeBytes(text);
  const document = parseDocument(decoded.text, {
    path: around.path ?? 'page.md',
    include: (target) => around.files?.[target],
  });
  return [...notesOf(document), ...sectionsOf(document), ...decoded.notes.map((note) => `! ${note}`)].join(
    '\n',
  );
}

function notesOf({ title, metadata, warnings }: ParsedDocument): string[] {
  const values = Object.keys(metadata).length > 0 ? ` ${JSON.stringify(metadata)}` : '';
  return [
    ...(title === 'page' && values === '' ? [] : [`title: ${title}${values}`]),
    ...warnings.map((warning) => `! line ${warning.line}: ${warning.text}`),
  ];
}

function sectionsOf(document: ParsedDocument): string[] {
  const anchors = assignAnchors(document, 'github');
  return document.sections.flatMap(({ headings, lines, chunks }, index) => [
    [
      `${lines.first}-${lines.last}`,
      ...(headings.length > 0 ? [headings.join(' > ')] : []),
      ...(anchors[index] ?? []).map((anchor) => `#${anchor}`),
    ].join(' '),
    ...chunks.flatMap(({ text }) => text.split('\n').map((line) => `| ${line}`.trimEnd())),
  ]);
}

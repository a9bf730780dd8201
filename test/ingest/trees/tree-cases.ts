import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IngestReport } from '../../../src/ingest/report.ts';
import { ingestKb } from '../../../src/kb/ingest-kb.ts';
import { type Kb, openKb } from '../../../src/kb.ts';
import { type Entry, temporaryFolder, writeTree } from '../../support/folders.ts';

/** A tree of files, the settings it is indexed with, and what a person then finds of it. */
export interface TreeCase {
  readonly title: string;
  /** All parts but the last, as they are written. */
  readonly source: string;
  /** YAML below `knowledge`. */
  readonly config: string;
  readonly files: Readonly<Record<string, Entry>>;
  /** Searches (`search WORDS`) and addresses to open (`open ADDRESS`), in order. */
  readonly questions: readonly string[];
  readonly seen: string;
}

/**
 * The cases of a file: `@@ case`, then any of `@@ config`, `@@ file PATH`, `@@ link PATH -> TARGET`, `@@ search WORDS`,
 * `@@ open ADDRESS`, then `@@ seen`. A path may hold escapes of JSON: `e\u0301.md`.
 */
export function readTreeCases(text: string): TreeCase[] {
  return text
    .split(/^@@ case /mu)
    .slice(1)
    .map((whole) => {
      const [source = '', seen = ''] = whole.split(/^@@ seen\n/mu);
      const [title = '', ...parts] = source.split(/^@@ /mu);
      const found = { config: '', files: {} as Record<string, Entry>, questions: [] as string[] };
      for (const part of parts) addPart(found, part);
      return { title: title.trim(), source, ...found, seen: seen.trimEnd() };
    });
}

function addPart(
  found: { config: string; files: Record<string, Entry>; questions: string[] },
  part: string,
): void {
  const end = part.indexOf('\n');
  const [, kind = '', argument = ''] = /^(\w+) ?(.*)$/u.exec(part.slice(0, end)) ?? [];
  const body = part.slice(end + 1);
  if (kind === 'config') found.config = body;
  else if (kind === 'file') found.files[pathOf(argument)] = body;
  else if (kind === 'link') {
    const [path = '', link = ''] = argument.split(' -> ');
    found.files[path] = { link };
  } else found.questions.push(`${kind} ${pathOf(argument)}`);
}

function pathOf(written: string): string {
  return JSON.parse(`"${written.replaceAll('"', '\\"')}"`) as string;
}

export function writeTreeCases(cases: readonly TreeCase[]): string {
  return cases.map(({ source, seen }) => `@@ case ${source}@@ seen\n${seen}\n\n`).join('');
}

/** Indexes the tree below `docs` and tells of every file, its sections with their addresses, and the questions. */
export async function seenOf({ config, files, questions }: TreeCase): Promise<string> {
  const home = temporaryFolder();
  writeTree(home, files);
  const settings = config.replaceAll(/^/gmu, '    ').trimEnd();
  writeFileSync(join(home, 'tree.yaml'), `harness:\n  knowledge:\n    paths: [docs]\n${settings}\n`);
  const options = { config: 'tree.yaml', cwd: home, environment: { KB_HOME: home } };
  const report = await ingestKb(options);
  const kb = await openKb(options);
  try {
    const told = report.files.flatMap((file) => fileLines(kb, file));
    const answers = await Promise.all(questions.map((question) => answerLines(kb, question)));
    return [...told, `anchors: ${report.anchorRule}`, ...answers.flat()].join('\n');
  } finally {
    kb.close();
  }
}

function fileLines(kb: Kb, file: IngestReport['files'][number]): string[] {
  const warnings = (file.warnings ?? []).map((warning) => `  ! ${warning}`);
  if (file.status !== 'indexed') return [`${file.path}: ${file.status}, ${file.reason}`, ...warnings];
  const opened = kb.open(file.path);
  if (opened.status !== 'found') return [`${file.path}: ${opened.status}`];
  const sections = opened.sections.map(({ section, url = 'no page of its own' }) => {
    const headings = section.headings.length === 0 ? '' : ` ${section.headings.join(' > ')}`;
    return `  ${section.lines.first}-${section.lines.last}${headings}: ${url}`;
  });
  return [file.reason === undefined ? file.path : `${file.path}: ${file.reason}`, ...sections, ...warnings];
}

async function answerLines(kb: Kb, question: string): Promise<string[]> {
  const [, kind, argument = ''] = /^(\w+) (.*)$/u.exec(question) ?? [];
  if (kind === 'search') {
    const { hits } = await kb.search({ text: argument, topK: 3 });
    return [question, ...hits.map(({ path, anchor, alsoAt }) => `  ${place(path, anchor)}${copies(alsoAt)}`)];
  }
  const opened = kb.open(argument);
  if (opened.status === 'unknown') return [`${question}: unknown, near ${opened.nearest.join(', ')}`];
  const found = opened.status === 'found' ? opened.sections.map(({ section }) => section) : [];
  return [
    question,
    ...found.map(({ path, anchors, lines }) => `  ${place(path, anchors[0])} ${lines.first}-${lines.last}`),
  ];
}

function place(path: string, anchor: string | undefined): string {
  return anchor === undefined ? path : `${path}#${anchor}`;
}

function copies(
  alsoAt: { readonly places: readonly { readonly path: string; readonly anchor?: string }[] } | undefined,
): string {
  return alsoAt === undefined
    ? ''
    : `, also at ${alsoAt.places.map(({ path, anchor }) => place(path, anchor)).join(', ')}`;
}

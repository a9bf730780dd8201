import type { Evidence, Explanation, Hit, SearchResult } from '../../core/search.ts';
import { fold, stem, words } from '../../core/words.ts';
import { headingPathOf, locationOf } from './place.ts';
import { type Mark, paint, type Span, span, wrap } from './spans.ts';
import { renderRows } from './table.ts';
import { link, oneLine, safeUrl, stylesOf, type Terminal } from './terminal.ts';

export interface HitOptions {
  /** Stems of the words to be emphasised in snippets; without them, those of the explanation. */
  readonly stems?: ReadonlySet<string>;
  /** The command that builds the index, and the one that lists what it holds, as advice where nothing was found. */
  readonly ingest?: string;
  readonly list?: string;
}

/** Snippets are read, not scanned: no wider than this. */
const SNIPPET_COLUMNS = 100;

/**
 * A ranking for people: the sections, what became of the query where that was asked for, notes, and the tier
 * line last. Without a line end after it.
 */
export function renderHits(result: SearchResult, terminal: Terminal, options: HitOptions = {}): string {
  const stems = options.stems ?? new Set((result.explanation?.kept ?? []).map(stem));
  const indent = `${result.hits.length}`.length + 2;
  const hits = result.hits.map((hit, index) => {
    const number = `${index + 1}.`.padEnd(indent);
    return hitLines(hit, { terminal, stems, indent })
      .map((line, row) => (row === 0 ? number : ' '.repeat(indent)) + line)
      .join('\n');
  });
  const notes = result.note === undefined ? [] : [`note: ${oneLine(result.note)}`];
  const explanation =
    result.explanation === undefined ? [] : [explanationOf(result.explanation, result.hits, terminal)];
  const next = result.hits.length === 0 ? [nextStep(result, options)] : [];
  return [...hits, [...notes, ...next].join('\n'), ...explanation, oneLine(result.tier)]
    .filter((part) => part !== '')
    .join('\n\n');
}

interface HitContext {
  readonly terminal: Terminal;
  readonly stems: ReadonlySet<string>;
  readonly indent: number;
}

function hitLines(hit: Hit, context: HitContext): string[] {
  const { terminal } = context;
  const styles = stylesOf(terminal);
  const url = hit.url === undefined ? undefined : safeUrl(hit.url);
  const facts = [
    styles.cyan(locationOf(hit)),
    `#${oneLine(hit.ref)}`,
    styles.dim(`score ${scoreText(hit.score)}`),
    ...(hit.freshness === 'fresh' ? [] : [styles.yellow(staleText(hit))]),
  ];
  return [
    styles.bold(link(terminal, headingPathOf(hit), url)),
    facts.join('  '),
    ...(url === undefined ? [] : [link(terminal, url, url)]),
    ...snippetLines(hit.snippet, context),
    ...(hit.alsoAt === undefined ? [] : [styles.dim(alsoText(hit.alsoAt))]),
  ];
}

function alsoText({ count, places }: NonNullable<Hit['alsoAt']>): string {
  const named = places.map(({ path, anchor }) => oneLine(anchor === undefined ? path : `${path}#${anchor}`));
  const more = count - named.length;
  return `also at ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function staleText(hit: Hit): string {
  return hit.freshness === 'changed' ? '[changed since it was indexed]' : '[file is gone]';
}

function scoreText(score: number): string {
  return `${Number(score.toPrecision(3))}`;
}

function snippetLines(snippet: string, { terminal, stems, indent }: HitContext): string[] {
  // Nothing is wrapped or emphasised in a pipe, and cutting text to words is what a cold search spends time on.
  const text = oneLine(snippet);
  if (!terminal.isTty) return text === '' ? [] : [text];
  const spans = emphasised(text, stems);
  const room = Math.max(1, Math.min(terminal.columns, SNIPPET_COLUMNS) - indent);
  return wrap(spans, room).map((line) => paint(line, terminal));
}

/** Runs of non-blank characters that hold a wanted word are bold. */
function emphasised(text: string, stems: ReadonlySet<string>): Span[] {
  if (stems.size === 0) return [span(text)];
  const bold: Mark[] = ['bold'];
  return Array.from(text.matchAll(/[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_]+/gu), ([run]) =>
    words(fold(run)).some((word) => stems.has(stem(word))) ? span(run, bold) : span(run),
  );
}

function nextStep(
  result: SearchResult,
  { ingest = 'kb ingest ./FOLDER', list = 'kb list' }: HitOptions,
): string {
  switch (result.status) {
    case 'index_not_built':
      return `There is no index yet.\ntry: ${ingest}`;
    case 'index_empty':
      return `The index holds no sections.\ntry: put Markdown files into its folder, then ${ingest}`;
    case 'ok':
      return `No section matches.\ntry: fewer or other words; what there is: ${list}`;
  }
}

function explanationOf(explanation: Explanation, hits: readonly Hit[], terminal: Terminal): string {
  const replaced = explanation.replaced.map(({ word, by }) => `${word} -> ${by}`);
  const terms: (readonly [string, readonly string[]])[] = [
    ['searched', explanation.kept],
    ['stop words left out', explanation.dropped],
    ['spelling corrected', replaced],
    ['in no section', explanation.unknown],
  ];
  const lines = terms
    .filter(([, found]) => found.length > 0)
    .map(([name, found]) => `${name}: ${oneLine(found.join(', '))}`);
  const evidence = new Map(hits.map((hit) => [hit.ref, hit.evidence]));
  const rows = explanation.parts.map((part) => [
    `#${part.ref}`,
    scoreText(part.words),
    scoreText(part.written),
    scoreText(part.phrase),
    scoreText(part.near),
    scoreText(part.page),
    scoreText(part.feedback),
    (evidence.get(part.ref) ?? []).map(evidenceText).join(', '),
  ]);
  const right = 'right' as const;
  const columns = [
    { title: 'ref' },
    { title: 'words', align: right },
    { title: 'written', align: right },
    { title: 'phrase', align: right },
    { title: 'near', align: right },
    { title: 'page', align: right },
    { title: 'feedback', align: right },
    { title: 'evidence' },
  ];
  return [...lines, ...(rows.length === 0 ? [] : [renderRows(rows, columns, terminal)])].join('\n');
}

function evidenceText({ retriever, rank, score }: Evidence): string {
  return `${retriever} ${rank} (${scoreText(score)})`;
}

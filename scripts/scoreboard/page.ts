import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchResult, readResult, type TierResult } from '../../src/bench/result.ts';
import { formatDifference, formatMs, formatShare, groupOf } from '../../src/bench/tables.ts';
import { COLLECTIONS, OPENVOX } from './collections.ts';
import { formatScale, type ScaleResult } from './scale-tables.ts';

const PAGE = 'docs/benchmarks-retrieval.md';

/** Writes the page from the result files that are there; nothing in its tables is typed. What has no results stays as it is. */
export function writePage(results: string): void {
  const rows = [...COLLECTIONS, OPENVOX].flatMap(({ name, what, goal }) => {
    const file = join(results, `${name}.json`);
    return existsSync(file) ? [{ name, what, goal, result: readResult(file) }] : [];
  });
  const scale = existsSync(results)
    ? readdirSync(results)
        .filter((file) => /^scale-\d+\.json$/u.test(file))
        .map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')) as ScaleResult)
        .sort((a, b) => a.sections - b.sections)
    : [];
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
  const text = [
    HEAD,
    ...(rows.length === 0 ? [between(page, HEAD, SCALE_HEAD)] : [qualityTable(rows), factsOf(rows)]),
    SCALE_HEAD,
    scale.length === 0 ? between(page, SCALE_HEAD, FOOT) : formatScale(scale),
    FOOT,
  ].join('\n\n');
  writeFileSync(PAGE, `${text}\n`);
}

/** What the page says between two of its fixed parts. */
function between(page: string, before: string, after: string): string {
  const start = page.indexOf(before);
  const end = page.indexOf(after);
  const kept = start < 0 || end < start ? '' : page.slice(start + before.length, end).trim();
  return kept === '' ? 'Not measured yet.' : kept;
}

interface Row {
  readonly name: string;
  readonly what: string;
  readonly goal: number;
  readonly result: BenchResult;
}

const HEAD = `---
title: Benchmarks of retrieval
---

# Benchmarks of retrieval

## How well does kb find sections?

Search by words, one setting for all collections, none of them fitted to one of them. Beside it exact BM25 with stems and
stop words, as a reference scorer runs it on whole documents. The interval is a paired bootstrap over the questions; a star
says that the difference is no chance. Judged by documents where the collection judges documents.`;

const SCALE_HEAD = `## How does it grow?

Real documentation and a test bed of Markdown, copied with a share of the words exchanged and coined until there are so many
sections. The questions are those that people asked of the real part. A time means little on another machine; the ratios
compare with programs that were run on the same texts right after: a plain OR of all words in FTS5, and minisearch.`;

const FOOT = `## How do I measure it on my machine?

\`npm run bench\` measures the collections, \`npm run scale -- 5000 100000 500000\` the growth. Both need the shared
collections (\`KB_SHARED\`, or the folder \`shared\` beside the checkout) and write their results to \`bench-results\` and this
page. Let the machine be idle. [Measuring search](bench.md) is about your own documents.`;

function qualityTable(rows: readonly Row[]): string {
  return [
    '| collection | questions | sections | nDCG@10 | BM25 | difference | R@10 | R@100 | MRR@10 | p50 | goal |',
    `| --- |${' ---: |'.repeat(10)}`,
    ...rows.map((row) => `| ${cellsOf(row).join(' | ')} |`),
  ].join('\n');
}

function cellsOf({ name, what, goal, result }: Row): string[] {
  const [lexical, bm25] = result.tiers;
  const metrics = lexical === undefined ? undefined : groupOf(lexical, 'all')?.metrics;
  if (metrics === undefined) return [name];
  const ours = metrics['ndcg@10'].mean;
  return [
    `${name} (${what})`,
    String(result.dataset.questions),
    String(result.index.sections),
    formatShare(ours),
    ...referenceCells(bm25),
    formatShare(metrics['recall@10'].mean),
    formatShare(metrics['recall@100'].mean),
    formatShare(metrics['mrr@10'].mean),
    lexical?.latency === undefined ? '-' : formatMs(lexical.latency.p50),
    `${formatShare(goal)}${ours >= goal ? '' : ' (missed)'}`,
  ];
}

/** Its nDCG@10, and ours minus it. */
function referenceCells(tier: TierResult | undefined): string[] {
  const all = tier === undefined ? undefined : groupOf(tier, 'all');
  const difference = all?.differences?.['ndcg@10'];
  if (all === undefined || difference === undefined) return ['-', '-'];
  const { mean, low, high } = difference;
  return [
    formatShare(all.metrics['ndcg@10'].mean),
    formatDifference({ mean: -mean, low: -high, high: -low }),
  ];
}

function factsOf(rows: readonly Row[]): string {
  const [first] = rows;
  if (first === undefined) return '';
  const { machine, kb_version: version, created } = first.result;
  return `Measured ${created.slice(0, 10)} with kb ${version}, Node ${machine.node}, ${machine.cpu}, ${machine.cores} cores.`;
}

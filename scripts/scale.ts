// Measures how kb grows: npm run scale -- [SECTIONS...] [--keep FOLDER]
// Copies the real corpora and the test bed of `shared`, with words exchanged and coined, until there are about so many
// sections; ingests them; asks the questions of people; then does the same with a plain FTS5 OR query on the same rows
// and with minisearch on the same texts. Each step runs in a process of its own, so that its memory is its own.
// Results go to bench-results/scale-N.json and docs/benchmarks-retrieval.md. --keep uses a folder again.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readPages, writeCopies } from './scale/corpus.ts';
import type { IngestMeasure, SearchMeasure } from './scale/step.ts';
import { writePage } from './scoreboard/page.ts';
import type { ScaleResult } from './scoreboard/scale-tables.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: 'string' } } });
const RESULTS = 'bench-results';
const SIZES = ['5000', '100000', '500000'];
/** The real corpus has fewer sections than that: up to here it is measured alone. */
const REAL_ONLY = 6000;
const HEAP = '--max-old-space-size=16000';

const shared = resolve(process.env['KB_SHARED'] ?? '../shared');

function main(): void {
  mkdirSync(RESULTS, { recursive: true });
  for (const text of positionals.length > 0 ? positionals : SIZES) {
    const sections = Number(text);
    if (!Number.isInteger(sections) || sections < 100) throw new Error(`not a number of sections: ${text}`);
    const result = measure(sections);
    writeFileSync(join(RESULTS, `scale-${sections}.json`), `${JSON.stringify(result)}\n`);
    console.log(JSON.stringify(result));
    writePage(RESULTS);
  }
}

function measure(sections: number): ScaleResult {
  const kept = values.keep === undefined ? undefined : resolve(values.keep, String(sections));
  const home = kept ?? mkdtempSync(join(tmpdir(), 'kb-scale-'));
  try {
    const corpora = join(shared, 'corpora');
    const folders = sections <= REAL_ONLY ? [corpora] : [corpora, join(shared, 'testbed')];
    if (!existsSync(join(home, 'docs'))) writeCopies(readPages(folders), join(home, 'docs'), sections);
    const ingest = step<IngestMeasure>('ingest', home);
    const search = step<SearchMeasure>('kb', home);
    const plainOr = step<SearchMeasure>('fts5', home);
    const minisearch = step<SearchMeasure>('minisearch', home);
    const { name, cores } = { name: cpus()[0]?.model.trim() ?? 'unknown', cores: availableParallelism() };
    return {
      sections: ingest.sections,
      documents: ingest.documents,
      questions: search.questions,
      machine: `Node ${process.versions.node}, ${name}, ${cores} cores`,
      ingest: { ms: ingest.ms, memoryMb: ingest.memoryMb },
      build: { ms: minisearch.buildMs, memoryMb: minisearch.memoryMb },
      indexBytes: ingest.indexBytes,
      textBytes: ingest.textBytes,
      search,
      plainOr,
      minisearch,
    };
  } finally {
    if (kept === undefined) rmSync(home, { recursive: true, force: true });
  }
}

function step<Measure>(name: string, home: string): Measure {
  const script = join(import.meta.dirname, 'scale', 'step.ts');
  const questions = join(shared, 'qa', 'openvox-docs.dev.jsonl');
  const printed = execFileSync(process.execPath, [HEAP, '--import', 'tsx', script, name, home, questions], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e9,
  });
  return JSON.parse(printed) as Measure;
}

main();

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readBeir } from '../../src/bench/beir.ts';
import { buildBeirIndex } from '../../src/bench/beir-index.ts';
import { beirDataset, questionsDataset } from '../../src/bench/dataset.ts';
import type { BenchResult } from '../../src/bench/result.ts';
import { runBench } from '../../src/bench/run-bench.ts';
import { readRun } from '../../src/bench/trec.ts';
import { ingestKb } from '../../src/kb/ingest-kb.ts';
import { openKb } from '../../src/kb.ts';
import { type Collection, OPENVOX } from './collections.ts';

const DEPTH = 100;
const signal = new AbortController().signal;
const COMMON = { tiers: ['lexical'], fusion: 'rrf', depth: DEPTH, signal } as const;

/** One collection, with exact BM25 beside it where Python is there to run it. */
export async function measureCollection(
  shared: string,
  { name, format, level }: Collection,
  version: string,
): Promise<BenchResult> {
  const folder = join(shared, 'ir', name);
  const beir = readBeir(folder);
  const index = await buildBeirIndex(beir, { format, environment: {}, signal });
  try {
    const { result } = await runBench({
      ...COMMON,
      open: index.open,
      dataset: () => beirDataset(beir, index.ids, level),
      runs: exactBm25(shared, folder),
      version,
      buildMs: index.buildMs,
    });
    return result;
  } finally {
    index.leave();
  }
}

/** The questions that people asked of a real corpus. */
export async function measureOpenvox(shared: string, version: string): Promise<BenchResult> {
  const home = mkdtempSync(join(tmpdir(), 'kb-bench-'));
  try {
    const where = { cwd: home, environment: { KB_HOME: home } };
    const config = resolve('corpora/openvox-docs.yaml');
    const local = new Map(OPENVOX.sources.map((source) => [source, join(shared, 'corpora', source)]));
    const report = await ingestKb({ ...where, config, local });
    const { result } = await runBench({
      ...COMMON,
      open: (wrapping) => openKb({ ...where, ...wrapping, kb: report.knowledgeBase }),
      dataset: (kb) => questionsDataset(join(shared, ...OPENVOX.questions), kb, 'section'),
      runs: [],
      version,
      buildMs: report.ms,
    });
    return result;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function exactBm25(shared: string, folder: string): ReturnType<typeof readRun>[] {
  const home = mkdtempSync(join(tmpdir(), 'kb-bench-'));
  try {
    const out = join(home, 'bm25.run');
    const script = join(shared, 'ir', 'eval.py');
    const { status } = spawnSync('python3', [script, 'bm25', folder, '--k', String(DEPTH), '--out', out]);
    return status === 0 ? [readRun(out)] : [];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

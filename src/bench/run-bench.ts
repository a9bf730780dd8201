import type { Embedder } from '../core/embedder.ts';
import type { Fusion, Tier } from '../core/search.ts';
import type { Kb, OpenOptions } from '../kb.ts';
import { RESAMPLES } from './bootstrap.ts';
import { CountedEmbedder } from './counted-embedder.ts';
import type { Dataset } from './dataset.ts';
import { measureLatency } from './latency.ts';
import { describeMachine } from './machine.ts';
import { type RankingOptions, rankingOf } from './rankings.ts';
import type { BenchResult, TierResult } from './result.ts';
import { type Rankings, summariseTier } from './summarise.ts';
import { encodeId, type Run } from './trec.ts';

export interface BenchOptions {
  /** Opens the knowledge base; called anew for each pass, so that none lives on what another remembered. */
  readonly open: (options: Pick<OpenOptions, 'wrapEmbedder'>) => Promise<Kb>;
  /** Made once the index can be looked at. */
  readonly dataset: (kb: Kb) => Dataset;
  readonly tiers: readonly Tier[];
  /** Runs of other programs, scored beside the tiers. */
  readonly runs: readonly { readonly tag: string; readonly run: Run }[];
  readonly fusion: Fusion;
  readonly depth: number;
  readonly version: string;
  /** How long the index took to build; absent where that is not known. */
  readonly buildMs?: number;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: BenchProgress) => void;
  readonly arrange?: RankingOptions['arrange'];
}

export interface BenchProgress {
  readonly tier: string;
  readonly step: 'rank' | 'time';
  readonly done: number;
  readonly total: number;
}

export interface BenchOutcome {
  readonly result: BenchResult;
  readonly dataset: Dataset;
  /** Of each tier that searched, for run files. */
  readonly rankings: ReadonlyMap<Tier, Rankings>;
}

/** Ranks every question with every tier, scores what came and times it. Throws where a tier cannot answer. */
export async function runBench(options: BenchOptions): Promise<BenchOutcome> {
  const kb = await options.open({});
  try {
    const dataset = options.dataset(kb);
    const rankings = new Map<Tier, Rankings>();
    const tiers: TierResult[] = [];
    for (const tier of options.tiers) {
      const measured = await measureTier(tier, dataset, options);
      rankings.set(tier, measured.rankings);
      const summary = summariseTier(tier, dataset.questions, measured.rankings, tiers[0]);
      tiers.push({ ...summary, latency: measured.latency, embedding_calls: measured.calls });
    }
    for (const { tag, run } of options.runs) {
      const summary = summariseTier(tag, dataset.questions, rankingsOfRun(run, dataset), tiers[0]);
      tiers.push({ ...summary, embedding_calls: 0 });
    }
    return { result: await describe(kb, dataset, tiers, options), dataset, rankings };
  } finally {
    kb.close();
  }
}

interface Measured {
  readonly rankings: Rankings;
  readonly calls: number;
  readonly latency: TierResult['latency'];
}

async function measureTier(tier: Tier, dataset: Dataset, options: BenchOptions): Promise<Measured> {
  const { fusion, depth, signal, arrange } = options;
  const { questions } = dataset;
  const counted = new CountedEmbedder();
  const wrapEmbedder = (embedder: Embedder) => counted.wrap(embedder);
  const rankings = new Map<string, Awaited<ReturnType<typeof rankingOf>>>();
  const kb = await options.open({ wrapEmbedder });
  try {
    for (const [done, question] of questions.entries()) {
      options.onProgress?.({ tier, step: 'rank', done, total: questions.length });
      rankings.set(
        question.id,
        await rankingOf(kb, dataset, question, { tier, fusion, depth, signal, arrange }),
      );
    }
  } finally {
    kb.close();
  }
  options.onProgress?.({ tier, step: 'time', done: 0, total: questions.length });
  const open = () => options.open({});
  const latency = await measureLatency(questions, { tier, fusion, signal, open });
  return { rankings, calls: counted.calls, latency: { ...latency, samples: [...latency.samples] } };
}

/** A run's ids are encoded as columns; what it says of a question that is not asked here is left out. */
function rankingsOfRun(run: Run, dataset: Dataset): Rankings {
  return new Map(
    dataset.questions.map((question) => {
      const ids = new Map([...question.judged.keys()].map((id) => [encodeId(id), id]));
      const left = new Set([...question.left].map(encodeId));
      const found = (run.get(encodeId(question.id)) ?? []).filter(({ id }) => !left.has(id));
      const byScore = [...found].sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1));
      return [question.id, byScore.map(({ id, score }) => ({ id: ids.get(id) ?? id, score }))];
    }),
  );
}

async function describe(
  kb: Kb,
  dataset: Dataset,
  tiers: readonly TierResult[],
  options: BenchOptions,
): Promise<BenchResult> {
  const stats = await kb.stats();
  return {
    format: 1,
    kb_version: options.version,
    created: new Date().toISOString(),
    machine: describeMachine(),
    settings: {
      level: dataset.level,
      depth: options.depth,
      top_k: kb.config?.knowledge.topK ?? 0,
      fusion: options.fusion,
      resamples: RESAMPLES,
    },
    dataset: {
      name: dataset.name,
      hash: dataset.hash,
      questions: dataset.questions.length,
      unjudged: dataset.unjudged,
      missing: [...dataset.missing],
    },
    index: {
      name: stats.knowledgeBase,
      identity: await kb.identity(),
      documents: stats.documents,
      sections: stats.sections,
      chunks: stats.chunks,
      bytes: stats.bytes,
      vectors: stats.embeddings?.vectors ?? 0,
      build_ms: options.buildMs ?? null,
    },
    questions: dataset.questions.map(({ id, kind, text, judged }) => ({
      id,
      kind,
      question: text,
      relevant: [...judged].map(([name, grade]) => ({ id: name, grade })),
    })),
    tiers: [...tiers],
  };
}

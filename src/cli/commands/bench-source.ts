import { resolve } from 'node:path';
import { readBeir } from '../../bench/beir.ts';
import type { TextFormat } from '../../bench/beir-documents.ts';
import { buildBeirIndex } from '../../bench/beir-index.ts';
import { beirDataset, type Dataset, type Level, questionsDataset } from '../../bench/dataset.ts';
import { KbError } from '../../core/errors.ts';
import { type Kb, type OpenOptions, openKb } from '../../kb.ts';
import { type Context, whereOf } from '../context.ts';
import { createProgress } from '../render/progress.ts';
import { parseChoice } from '../values.ts';
import type { BenchCommandOptions } from './bench.ts';

/** What is searched, and what it is judged by. */
export interface Source {
  readonly open: (options: Pick<OpenOptions, 'wrapEmbedder'>) => Promise<Kb>;
  readonly dataset: (kb: Kb) => Dataset;
  readonly hasVectors: boolean;
  /** Milliseconds; absent where the index was there before. */
  readonly buildMs?: number;
  readonly leave: () => void;
}

const FORMATS: readonly TextFormat[] = ['markdown', 'text'];

/** The knowledge base with a file of questions, or a collection that is ingested first. */
export async function openSource(
  context: Context,
  options: BenchCommandOptions,
  level: Level | undefined,
): Promise<Source> {
  const { questions, dataset } = options;
  if ((questions === undefined) === (dataset === undefined)) {
    throw new KbError(
      'usage-invalid',
      'name what to measure on: --questions FILE or --dataset FOLDER',
      { argument: '--questions' },
      { hint: 'make questions from the links of the documents: kb bench --make-questions FILE' },
    );
  }
  return dataset === undefined
    ? questionsSource(context, options, level ?? 'section')
    : datasetSource(context, options, level ?? 'document');
}

async function questionsSource(
  context: Context,
  options: BenchCommandOptions,
  level: Level,
): Promise<Source> {
  const file = resolve(context.cwd, options.questions ?? '');
  const open: Source['open'] = (wrapping) => openKb({ ...whereOf(context, options), ...wrapping });
  return {
    open,
    dataset: (kb) => questionsDataset(file, kb, level),
    hasVectors: await holdsVectors(open),
    leave: () => undefined,
  };
}

async function datasetSource(context: Context, options: BenchCommandOptions, level: Level): Promise<Source> {
  const format = options.format === undefined ? 'text' : parseChoice('--format', options.format, FORMATS);
  const beir = readBeir(resolve(context.cwd, options.dataset ?? ''), options.split);
  const progress = createProgress(process.stderr, context.stderr);
  try {
    const index = await buildBeirIndex(beir, {
      format,
      work: options.work === undefined ? undefined : resolve(context.cwd, options.work),
      environment: context.environment,
      signal: context.signal,
      onProgress: (step) => {
        if (step.phase !== 'source')
          progress.update(
            `${step.phase === 'files' ? 'ingest' : 'embedding'}: ${step.done} of ${step.total}`,
          );
      },
    });
    const { open, buildMs, leave, ids } = index;
    return {
      open,
      dataset: () => beirDataset(beir, ids, level),
      hasVectors: await holdsVectors(open),
      buildMs,
      leave,
    };
  } finally {
    progress.done();
  }
}

async function holdsVectors(open: Source['open']): Promise<boolean> {
  const kb = await open({});
  try {
    return ((await kb.stats()).embeddings?.vectors ?? 0) > 0;
  } finally {
    kb.close();
  }
}

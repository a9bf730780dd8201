import { resolve } from 'node:path';
import { compareWith } from '../../bench/compare.ts';
import type { Level } from '../../bench/dataset.ts';
import { checkWritable, writeText } from '../../bench/files.ts';
import { renderPage } from '../../bench/html/page.ts';
import { renderMarkdownTables } from '../../bench/markdown-report.ts';
import type { Found } from '../../bench/rankings.ts';
import { type BenchResult, readResult } from '../../bench/result.ts';
import { type BenchOutcome, runBench } from '../../bench/run-bench.ts';
import { formatRun, readRun } from '../../bench/trec.ts';
import { KbError } from '../../core/errors.ts';
import type { Fusion, Tier } from '../../core/search.ts';
import { type Context, printJson } from '../context.ts';
import type { ModelOptions } from '../model-options.ts';
import { renderBench } from '../render/bench.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { createProgress } from '../render/progress.ts';
import { parseChoice, parseWhole } from '../values.ts';
import { VERSION } from '../version.ts';
import { openSource, type Source } from './bench-source.ts';

export interface BenchCommandOptions extends ModelOptions {
  readonly questions?: string;
  readonly dataset?: string;
  readonly split?: string;
  readonly format?: string;
  readonly work?: string;
  readonly tier?: string;
  readonly level?: string;
  readonly depth?: string;
  readonly fusion?: string;
  readonly run?: readonly string[];
  readonly runOut?: string;
  readonly save?: string;
  readonly baseline?: string;
  readonly failUnder?: boolean;
  readonly markdown?: boolean;
  readonly html?: string;
  readonly makeQuestions?: string | true;
  readonly modelQuestions?: string;
}

/** For tests: changes what was found, to see that a broken ranking is noticed. */
export interface BenchHooks {
  readonly arrange?: (found: readonly Found[]) => readonly Found[];
}

const TIERS: readonly Tier[] = ['lexical', 'vector', 'hybrid'];
const FUSIONS: readonly Fusion[] = ['rrf', 'minmax'];
const LEVELS: readonly Level[] = ['section', 'document'];
const DEPTH = { min: 10, max: 1000 };
const DEFAULT_DEPTH = 100;

export async function benchCommand(
  context: Context,
  options: BenchCommandOptions,
  hooks: BenchHooks = {},
): Promise<ExitCode> {
  if (options.makeQuestions !== undefined) {
    const { makeQuestionsCommand } = await import('./bench-questions.ts');
    return makeQuestionsCommand(context, options);
  }
  const settings = settingsOf(options);
  // Files first: a wrong one is told before minutes are spent.
  for (const file of [options.save, options.html, options.runOut])
    if (file !== undefined) checkWritable(resolve(context.cwd, file));
  const baseline =
    options.baseline === undefined ? undefined : readResult(resolve(context.cwd, options.baseline));
  const runs = (options.run ?? []).map((file) => readRun(resolve(context.cwd, file)));
  const source = await openSource(context, options, settings.level);
  try {
    const outcome = await measure(context, source, { ...settings, runs, hooks });
    const compared =
      baseline === undefined
        ? outcome.result
        : {
            ...outcome.result,
            baseline: compareWith(outcome.result, baseline, options.baseline ?? ''),
          };
    writeFiles(context, options, outcome, compared);
    print(context, options, compared);
    const isWorse = compared.baseline?.some(({ worse }) => worse.length > 0) === true;
    return options.failUnder === true && isWorse ? EXIT.notFound : EXIT.answered;
  } finally {
    source.leave();
  }
}

interface Settings {
  readonly tiers: readonly Tier[] | undefined;
  readonly level: Level | undefined;
  readonly depth: number;
  readonly fusion: Fusion;
}

function settingsOf(options: BenchCommandOptions): Settings {
  if (options.failUnder === true && options.baseline === undefined) {
    throw new KbError('usage-invalid', '--fail-under compares with the result of --baseline FILE', {
      argument: '--fail-under',
    });
  }
  if (options.json === true && options.markdown === true) {
    throw new KbError('usage-invalid', 'choose one of --json and --markdown', { argument: '--markdown' });
  }
  const { tier, level, depth, fusion } = options;
  return {
    tiers: tier === undefined ? undefined : tiersOf(tier),
    level: level === undefined ? undefined : parseChoice('--level', level, LEVELS),
    depth: depth === undefined ? DEFAULT_DEPTH : parseWhole('--depth', depth, DEPTH),
    fusion: fusion === undefined ? 'rrf' : parseChoice('--fusion', fusion, FUSIONS),
  };
}

function tiersOf(text: string): Tier[] {
  const tiers = text.split(',').map((name) => parseChoice('--tier', name.trim(), TIERS));
  return [...new Set(tiers)];
}

interface Measuring extends Settings {
  readonly runs: readonly ReturnType<typeof readRun>[];
  readonly hooks: BenchHooks;
}

async function measure(context: Context, source: Source, settings: Measuring): Promise<BenchOutcome> {
  const { tiers, runs, fusion, depth, hooks } = settings;
  const progress = createProgress(process.stderr, context.stderr);
  try {
    return await runBench({
      open: source.open,
      dataset: source.dataset,
      tiers: tiers ?? (source.hasVectors ? TIERS : ['lexical']),
      runs,
      fusion,
      depth,
      version: VERSION,
      ...(source.buildMs === undefined ? {} : { buildMs: source.buildMs }),
      signal: context.signal,
      arrange: hooks.arrange,
      onProgress: ({ tier, step, done, total }) =>
        progress.update(step === 'rank' ? `${tier}: question ${done + 1} of ${total}` : `${tier}: timing`),
    });
  } finally {
    progress.done();
  }
}

function writeFiles(
  context: Context,
  options: BenchCommandOptions,
  outcome: BenchOutcome,
  result: BenchResult,
): void {
  const write = (file: string, text: string) => writeText(resolve(context.cwd, file), text);
  if (options.save !== undefined) {
    const { baseline: _, ...saved } = result;
    write(options.save, `${JSON.stringify(saved)}\n`);
  }
  if (options.html !== undefined) write(options.html, renderPage(result));
  if (options.runOut === undefined) return;
  for (const [tier, rankings] of outcome.rankings) {
    const file = outcome.rankings.size === 1 ? options.runOut : withTier(options.runOut, tier);
    write(file, formatRun(rankings, tier));
  }
}

/** `run.txt` becomes `run.hybrid.txt`. */
function withTier(file: string, tier: Tier): string {
  return /\.[^./\\]+$/u.test(file) ? file.replace(/(\.[^./\\]+)$/u, `.${tier}$1`) : `${file}.${tier}`;
}

function print(context: Context, options: BenchCommandOptions, result: BenchResult): void {
  if (options.json === true) printJson(context, result);
  else if (options.markdown === true) context.print(renderMarkdownTables(result));
  else context.print(renderBench(result, context.stdout));
  const { missing, unjudged } = result.dataset;
  if (missing.length > 0) {
    const some = missing.slice(0, 3).join(', ');
    context.say(`kb: ${missing.length} judged ids are not in the index and count as not found: ${some}`);
  }
  if (unjudged > 0) context.say(`kb: ${unjudged} questions have nothing relevant and are not scored`);
}

import { relative } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { KbError } from '../../core/errors.ts';
import type { IngestProgress } from '../../ingest/ingest.ts';
import type { FileReport, IngestReport } from '../../ingest/report.ts';
import { TEXT_ENDINGS } from '../../ingest/walk.ts';
import { ingestKb } from '../../kb/ingest-kb.ts';
import { type CommonOptions, type Context, printJson, whereOf } from '../context.ts';
import { EXIT, type ExitCode, errorJson, exitCodeOf, renderError } from '../render/errors.ts';
import { createProgress } from '../render/progress.ts';
import { oneLine } from '../render/terminal.ts';

export interface IngestCommandOptions extends CommonOptions {
  readonly source?: readonly string[];
  readonly name?: string;
  readonly reindex?: boolean;
  readonly force?: boolean;
  readonly compact?: boolean;
  readonly dryRun?: boolean;
  readonly verbose?: boolean;
}

/** Files named in the summary before it says how many more there are. */
const SHOWN_FILES = 10;
/** Texts of one embedding request before the server has shown its limits. */
const USUAL_BATCH = 64;

/**
 * How much of a function V8 runs before it compiles it better, bytes of bytecode; its own value is 67,584. An ingest takes
 * seconds: less compiling beside it, on processors that have documents to build, makes it a tenth faster.
 */
const RUN_BEFORE_COMPILING = 300_000;

export async function ingestCommand(
  context: Context,
  word: string | undefined,
  options: IngestCommandOptions,
): Promise<ExitCode> {
  setFlagsFromString(`--interrupt-budget=${RUN_BEFORE_COMPILING}`);
  const progress = createProgress(process.stderr, context.stderr);
  const started = performance.now();
  let text: Omit<IngestReport, 'ms'> | undefined;
  let report: IngestReport;
  try {
    report = await ingestKb({
      ...whereOf(context, options),
      ...(word === undefined ? {} : { kb: word }),
      local: parseSources(options.source ?? []),
      ...(options.name === undefined ? {} : { name: options.name }),
      reindex: options.reindex === true,
      force: options.force === true,
      compact: options.compact === true,
      dryRun: options.dryRun === true,
      signal: context.signal,
      onNote: (note) => context.say(`kb: ${oneLine(note)}`),
      onProgress: (step) => progress.update(describeStep(step)),
      onText: (indexed) => {
        text = indexed;
      },
    });
  } catch (error) {
    progress.done();
    if (text === undefined) throw error;
    // Vectors failed, the text did not: what became of the files is told all the same.
    const done = { ...text, ms: Math.round(performance.now() - started) };
    if (options.json !== true) {
      printSummary(context, done, options.verbose === true);
      throw error;
    }
    printJson(context, { ...toJson(done), error: errorJson(error) });
    context.say(renderError(error, context.stderr, context.environment));
    return exitCodeOf(error);
  } finally {
    progress.done();
  }
  if (options.json === true) printJson(context, toJson(report));
  else printSummary(context, report, options.verbose === true);
  // Nothing to search is nothing found: a script must not take it for a knowledge base.
  return report.holds.documents === 0 ? EXIT.notFound : EXIT.answered;
}

/** `--source name=dir`, as often as needed. */
function parseSources(given: readonly string[]): Map<string, string> {
  return new Map(
    given.map((text): [string, string] => {
      const at = text.indexOf('=');
      if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
      throw new KbError(
        'usage-invalid',
        `--source takes NAME=FOLDER, not "${text}"`,
        { argument: '--source' },
        {
          hint: '--source NAME=FOLDER',
        },
      );
    }),
  );
}

function describeStep(step: IngestProgress): string {
  if (step.phase === 'files') return `ingest: ${step.done} of ${step.total} files`;
  if (step.phase === 'vectors') {
    const left = step.rate > 0 ? `, ${Math.ceil((step.total - step.done) / step.rate)} s left` : '';
    return `embedding: ${step.done} of ${step.total} texts, ${step.rate.toFixed(0)} a second${left}`;
  }
  const percent = step.percent === undefined ? '' : ` ${step.percent} %`;
  return `${step.stage} ${step.source} from ${step.url}${percent}`;
}

function printSummary(context: Context, report: IngestReport, verbose: boolean): void {
  const { totals, holds } = report;
  for (const path of report.missingPaths)
    context.say(`kb: warning: the configured path ${oneLine(path)} is not there; nothing was indexed for it`);
  if (holds.documents === 0) context.say(`kb: warning: ${nothingIndexed(report)}`);
  const failed = report.files.filter((file) => file.status === 'failed');
  for (const file of failed.slice(0, SHOWN_FILES)) context.say(`kb: ${describeFile(file)}`);
  if (failed.length > SHOWN_FILES)
    context.say(`kb: and ${failed.length - SHOWN_FILES} more failed; --json names them all`);
  if (verbose) for (const file of report.files) context.say(describeFile(file));
  const place = relative(context.cwd, report.index) || report.index;
  context.print(
    [
      ...(report.dryRun === undefined ? [] : ['dry run: nothing was changed']),
      `${report.knowledgeBase}: ${holds.documents} documents, ${holds.sections} sections in ${holds.chunks} chunks`,
      `${totals.seen} files seen: ${totals.indexed} indexed, ${totals.unchanged} unchanged, ${totals.empty} empty, ` +
        `${totals.skipped} skipped, ${totals.failed} failed; ${totals.removed} removed`,
      ...vectorLines(report),
      `${place} in ${(report.ms / 1000).toFixed(2)} s, anchors: ${report.anchorRule}`,
    ].join('\n'),
  );
  const warnings = report.files.reduce((sum, file) => sum + (file.warnings?.length ?? 0), 0);
  if (warnings > 0 && !verbose)
    context.say(
      `kb: ${warnings} ${warnings === 1 ? 'remark' : 'remarks'} on single files; --verbose shows them`,
    );
  if (context.stderr.isTty) context.say(`next: kb search "…"   kb ask "…"   kb list`);
}

function nothingIndexed({ totals }: IngestReport): string {
  if (totals.seen === 0) return `nothing was indexed: no file ends in ${TEXT_ENDINGS.join(', ')}`;
  const looked = totals.skipped + totals.failed + totals.empty;
  return `nothing was indexed: all ${looked} files are empty, skipped or failed; --verbose says why`;
}

function vectorLines({ vectors, dryRun }: IngestReport): string[] {
  if (dryRun !== undefined) {
    const requests = Math.ceil(dryRun.pendingVectors / USUAL_BATCH);
    return [`${dryRun.pendingVectors} texts would be embedded, in about ${requests} requests`];
  }
  if (vectors === undefined) return [];
  return [
    `vectors: ${vectors.embedded} made, ${vectors.kept} kept (${vectors.identity})`,
    ...vectors.notices.slice(0, SHOWN_FILES).map((notice) => `  ${oneLine(notice)}`),
  ];
}

function describeFile(file: FileReport): string {
  const reason = file.reason === undefined ? '' : `: ${file.reason}`;
  const warnings = (file.warnings ?? []).map((warning) => `\n  ${oneLine(warning)}`).join('');
  return `${file.status} ${oneLine(file.path + reason)}${warnings}`;
}

function toJson(report: IngestReport): object {
  return {
    knowledge_base: report.knowledgeBase,
    index: report.index,
    totals: report.totals,
    holds: report.holds,
    anchor_rule: report.anchorRule,
    ...(report.dryRun === undefined ? {} : { dry_run: { pending_vectors: report.dryRun.pendingVectors } }),
    ...(report.vectors === undefined ? {} : { vectors: report.vectors }),
    missing_paths: report.missingPaths,
    ms: report.ms,
    files: report.files,
  };
}

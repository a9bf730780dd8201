import type { Environment } from '../config/overrides.ts';
import type { Config } from '../core/config.ts';
import type { Embedder } from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';
import {
  allDocuments,
  type Dependency,
  type DocumentRow,
  documentDependencies,
  hideDocument,
  putDocument,
  removeDocument,
} from '../store/documents.ts';
import { settleInputs } from '../store/embedding-inputs.ts';
import { countEmbeddings, countPending, removeOrphanVectors } from '../store/embeddings.ts';
import { type IndexFile, openForWriting } from '../store/index-file.ts';
import { compact, countHoldings, optimise } from '../store/maintenance.ts';
import { recordOrigin, summariseAnchors } from '../store/origin.ts';
import { settleRankingNumbers } from '../store/ranking-numbers.ts';
import { rehearsalPlace, workPlace } from '../store/rehearsal.ts';
import { AnchorChoice } from './anchor-choice.ts';
import { type BuildJob, type Built, buildDocument } from './build-document.ts';
import { buildDocuments } from './build-documents.ts';
import { checkEmbedder, type EmbedProgress, type EmbedReport, embedPending, embedsTitles } from './embed.ts';
import { checkOrigin, pipelineOf } from './origin.ts';
import { PART_NOTE, planParts } from './parts.ts';
import { IncludeReader, readBytes } from './read-file.ts';
import { planRemovals } from './removals.ts';
import { countTotals, type FileReport, type IngestReport } from './report.ts';
import { resolveRoots } from './roots.ts';
import { prepareSources, type SourceProgress } from './sources.ts';
import { type FoundFile, walk } from './walk.ts';

export interface IngestOptions {
  /** Absolute path of the index file; made when missing. */
  readonly indexPath: string;
  /** Local folders to use instead of cloning, by source name. */
  readonly local: ReadonlyMap<string, string>;
  /** Variables that git may see. */
  readonly environment: Environment;
  /** Parse every file again, changed or not. */
  readonly reindex?: boolean;
  /** Allow that a whole configured path loses all its documents, or that another knowledge base takes the index over. */
  readonly force?: boolean;
  /** Give freed space back to the disk. */
  readonly compact?: boolean;
  /** Turns the vector tier on: texts without a vector get one after the text is in the index. */
  readonly embedder?: Embedder;
  /** Find out what would be done, and change nothing. */
  readonly dryRun?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Told once the text is in the index, before vectors are made: what there is to report even if those fail. */
  readonly onText?: (report: Omit<IngestReport, 'ms'>) => void;
}

export type IngestProgress =
  | ({ readonly phase: 'source' } & SourceProgress)
  | { readonly phase: 'files'; readonly done: number; readonly total: number }
  | ({ readonly phase: 'vectors' } & EmbedProgress);

/** Lets timers, signals and a waiting Ctrl-C in this often, milliseconds. */
const YIELD_AFTER = 40;
/** Above this share of changed documents the lexical index is merged into one segment. */
const OPTIMISE_SHARE = 0.1;

/**
 * Brings an index up to date with its files: all in one transaction, so that a reader, a kill or a failure sees
 * the old state or the new one. Vectors follow, in steps that each stay. Throws KbErrors: `index-*`,
 * `source-unavailable`, `root-unreadable`, `removal-refused`, `embedder-*`, `aborted`. A single bad file is
 * reported, not thrown.
 */
export async function ingest(config: Config, options: IngestOptions): Promise<IngestReport> {
  const started = performance.now();
  const place = options.dryRun === true ? rehearsalPlace(options.indexPath) : workPlace(options.indexPath);
  try {
    const index = openForWriting(place.path);
    try {
      const run = new IngestRun(config, options, index);
      const report = await run.run();
      return { ...report, ms: Math.round(performance.now() - started) };
    } finally {
      index.close();
    }
  } finally {
    place.leave();
  }
}

class IngestRun {
  readonly #config: Config;
  readonly #options: IngestOptions;
  readonly #index: IndexFile;
  readonly #files: FileReport[] = [];
  #changed = 0;
  #lastYield = performance.now();

  constructor(config: Config, options: IngestOptions, index: IndexFile) {
    this.#config = config;
    this.#options = options;
    this.#index = index;
  }

  async run(): Promise<Omit<IngestReport, 'ms'>> {
    const { force = false, signal, local, onProgress } = this.#options;
    const origin = checkOrigin(this.#index, this.#config, force);
    const { embedder, reindex = false, dryRun = false } = this.#options;
    if (embedder !== undefined) checkEmbedder(this.#index, embedder, reindex);
    const { folders } = await prepareSources(this.#config, {
      local,
      signal,
      environment: this.#options.environment,
      onProgress: (progress) => onProgress?.({ phase: 'source', ...progress }),
    });
    const roots = resolveRoots(this.#config, folders);
    const walked = walk(roots.found, this.#config.knowledge.exclude);
    const removals = planRemovals({ index: this.#index, roots, walked, force });
    const parseAll = reindex || !origin.samePipeline;
    const settled = parseAll ? undefined : origin.settled;
    const anchors = new AnchorChoice(this.#config.knowledge, settled, roots.found);

    let planned = { holds: countHoldings(this.#index), pending: 0 };
    await this.#index.transactionAsync(async () => {
      if (embedder !== undefined) settleInputs(this.#index, embedsTitles(embedder));
      for (const path of removals) this.#remove(path);
      for (const skipped of walked.skipped) {
        this.#files.push({ path: skipped.path, status: 'skipped', reason: skipped.reason });
      }
      await this.#updateFiles(walked.files, parseAll, anchors);
      this.#settleParts(walked.files, anchors);
      await this.#reconsiderAnchors(walked.files, anchors);
      anchors.settle(this.#index);
      await this.#breathe(walked.files.length, walked.files.length);
      recordOrigin(this.#index, {
        config: this.#config,
        folders,
        anchors: anchors.folders,
        pipeline: pipelineOf(this.#config),
      });
      settleRankingNumbers(this.#index, this.#changed > 0);
      const holds = countHoldings(this.#index);
      if (this.#changed > 0 || embedder !== undefined) removeOrphanVectors(this.#index);
      if (this.#changed > holds.documents * OPTIMISE_SHARE) optimise(this.#index);
      planned = { holds, pending: dryRun && embedder !== undefined ? this.#countPending() : 0 };
      return !dryRun;
    });
    this.#files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const text = {
      knowledgeBase: this.#config.name,
      index: this.#options.indexPath,
      files: this.#files,
      totals: countTotals(this.#files),
      holds: planned.holds,
      ...(dryRun ? { dryRun: { pendingVectors: planned.pending } } : {}),
      anchorRule: summariseAnchors(anchors.folders),
      missingPaths: roots.missing.map((missing) => missing.path),
    };
    this.#options.onText?.(text);
    const vectors = dryRun ? undefined : await this.#embed();
    if (this.#options.compact === true && !dryRun) compact(this.#index);
    return { ...text, ...(vectors === undefined ? {} : { vectors }) };
  }

  async #updateFiles(files: readonly FoundFile[], parseAll: boolean, anchors: AnchorChoice): Promise<void> {
    const known = new Map(allDocuments(this.#index).map((document) => [document.path as string, document]));
    const dependencies = documentDependencies(this.#index);
    const changed: FoundFile[] = [];
    for (const [position, found] of files.entries()) {
      const before = known.get(found.path);
      if (parseAll || before === undefined || !isSame(found, before, dependencies.get(found.path))) {
        changed.push(found);
        continue;
      }
      await this.#breathe(position, files.length);
      this.#files.push(reportSame(before));
    }
    const same = files.length - changed.length;
    const jobs = changed.map((found) => jobFor(found, anchors));
    for await (const [position, built] of buildDocuments(jobs)) {
      await this.#breathe(same + position, files.length);
      const { path } = jobs[position] as BuildJob;
      if (built.status === 'built') this.#put(built, anchors);
      else {
        const kept = known.has(path) ? '; what was indexed before is kept' : '';
        this.#files.push({ path, status: 'failed', reason: built.reason + kept });
      }
    }
  }

  #put({ document, page, warnings }: Extract<Built, { status: 'built' }>, anchors: AnchorChoice): void {
    putDocument(this.#index, document);
    anchors.consider(document.path, page);
    this.#changed += 1;
    this.#files.push({
      path: document.path,
      status: document.status,
      ...(document.note === undefined ? {} : { reason: document.note }),
      ...(warnings.length === 0 ? {} : { warnings }),
    });
  }

  /** Takes what other pages show out of the searches, and brings back what they show no longer. */
  #settleParts(files: readonly FoundFile[], anchors: AnchorChoice): void {
    const { hide, show } = planParts(this.#index, this.#config);
    const shown = new Set(show);
    for (const found of files.filter(({ path }) => shown.has(path))) {
      const at = this.#files.findIndex(({ path }) => path === found.path);
      if (at !== -1) this.#files.splice(at, 1);
      const built = buildDocument(jobFor(found, anchors));
      if (built.status === 'built') this.#put(built, anchors);
    }
    for (const path of hide) {
      hideDocument(this.#index, path, PART_NOTE);
      this.#changed += 1;
      const at = this.#files.findIndex((file) => file.path === path);
      const file = this.#files[at];
      if (file !== undefined) this.#files[at] = { ...file, reason: PART_NOTE };
    }
  }

  /** Parses unchanged files for what they tell of their site's anchors; their text stays as it is in the index. */
  async #reconsiderAnchors(files: readonly FoundFile[], anchors: AnchorChoice): Promise<void> {
    const wanted = new Set(anchors.unconsidered(files.map(({ path }) => path)));
    const jobs = files.filter(({ path }) => wanted.has(path)).map((found) => jobFor(found, anchors));
    for await (const [, built] of buildDocuments(jobs)) {
      await this.#breathe(files.length, files.length);
      if (built.status === 'built') anchors.consider(built.document.path, built.page);
    }
  }

  #countPending(): number {
    const { reindex = false } = this.#options;
    return reindex ? countEmbeddings(this.#index).inputs : countPending(this.#index);
  }

  async #embed(): Promise<EmbedReport | undefined> {
    const { embedder, reindex = false, signal, onProgress } = this.#options;
    if (embedder === undefined) return undefined;
    return embedPending(this.#index, embedder, {
      reindex,
      signal,
      onProgress: (progress) => onProgress?.({ phase: 'vectors', ...progress }),
    });
  }

  #remove(path: string): void {
    removeDocument(this.#index, path);
    this.#changed += 1;
    this.#files.push({ path, status: 'removed', reason: 'no longer found under the configured paths' });
  }

  async #breathe(done: number, total: number): Promise<void> {
    this.#refuseAborted();
    if (performance.now() - this.#lastYield < YIELD_AFTER) return;
    this.#options.onProgress?.({ phase: 'files', done, total });
    await new Promise((resolve) => setImmediate(resolve));
    this.#lastYield = performance.now();
    this.#refuseAborted();
  }

  #refuseAborted(): void {
    if (!this.#options.signal.aborted) return;
    throw new KbError('aborted', 'interrupted; the index is as it was before', {});
  }
}

function jobFor(found: FoundFile, anchors: AnchorChoice): BuildJob {
  return { ...found, rule: anchors.ruleOf(found.path), asksSpelling: anchors.asksSpelling(found.path) };
}

/** Whether a file, and what it includes, still is what the index has of it. A file that cannot be read is not. */
function isSame(
  found: FoundFile,
  before: DocumentRow,
  depends: Readonly<Record<string, Dependency>> | undefined,
): boolean {
  const read = readBytes(found.file);
  if (read.status === 'failed' || before.hash !== read.hash) return false;
  return depends === undefined || IncludeReader.unchanged(found, depends);
}

function reportSame(document: DocumentRow): FileReport {
  const status = document.status === 'indexed' ? 'unchanged' : document.status;
  return { path: document.path, status, ...(document.note === null ? {} : { reason: document.note }) };
}

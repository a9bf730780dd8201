import { ingestNamed } from '../core/advice.ts';
import {
  type Embedder,
  type EmbedderIdentity,
  identityDifference,
  isEmbeddable,
  showIdentity,
} from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';
import { rebuildCoarse } from '../store/coarse.ts';
import {
  countEmbeddings,
  countVectors,
  dropEmbeddings,
  type PendingInput,
  pendingInputs,
  pinIdentity,
  pinnedIdentity,
  putVectors,
} from '../store/embeddings.ts';
import type { IndexFile } from '../store/index-file.ts';

export interface EmbedProgress {
  readonly done: number;
  readonly total: number;
  /** Texts a second since the start of this run. */
  readonly rate: number;
}

export interface EmbedReport {
  /** `model=… dim=…` */
  readonly identity: string;
  /** Texts embedded in this run, and those that had a vector before. */
  readonly embedded: number;
  readonly kept: number;
  /** What the embedder had to say: shortened texts, another model than asked for, … */
  readonly notices: readonly string[];
}

/** Texts handed over in one call; the embedder cuts them into the requests its server takes. */
const WINDOW = 512;

/** Refuses an embedder whose vectors could not be compared with those of the index, before anything is spent. */
export function checkEmbedder(index: IndexFile, embedder: Embedder, reindex: boolean): void {
  const pinned = pinnedIdentity(index);
  if (pinned === undefined || reindex) return;
  const difference = identityDifference(pinned, embedder.recipe);
  if (difference !== undefined) throw changed(index, difference, pinned, embedder);
}

function changed(
  index: IndexFile,
  difference: string,
  pinned: EmbedderIdentity,
  embedder: Embedder,
): KbError {
  return new KbError(
    'embedder-changed',
    difference,
    { indexed: showIdentity(pinned), configured: showIdentity(embedder.recipe) },
    { hint: `embed everything anew: ${ingestNamed(index.path)} --reindex` },
  );
}

/** Whether the titles of texts are part of what this embedder sees. */
export function embedsTitles(embedder: Embedder): boolean {
  return embedder.recipe.documentPrefix.includes('{title}');
}

export interface EmbedPendingOptions {
  /** Make every vector anew, also those of the same identity: only the user knows whether the model was exchanged. */
  readonly reindex: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: EmbedProgress) => void;
}

/**
 * Gives every text without a vector one. What a request brought is written before the next is sent, so a run that is
 * killed or cut off goes on where it stopped. Rejects with `embedder-*` and `aborted`, saying what is there by then.
 */
export async function embedPending(
  index: IndexFile,
  embedder: Embedder,
  options: EmbedPendingOptions,
): Promise<EmbedReport> {
  try {
    return await embedAll(index, embedder, options);
  } catch (error) {
    throw error instanceof KbError ? withState(error, index) : error;
  }
}

async function embedAll(
  index: IndexFile,
  embedder: Embedder,
  options: EmbedPendingOptions,
): Promise<EmbedReport> {
  if (options.reindex) await dropAll(index, embedder, options.signal);
  const { inputs, vectors } = countEmbeddings(index);
  const notices = new Set<string>();
  const started = performance.now();
  let embedded = 0;
  const report = (count: number): void => {
    embedded += count;
    const rate = embedded / Math.max(0.001, (performance.now() - started) / 1000);
    options.onProgress({ done: vectors + embedded, total: inputs, rate });
  };
  let after = 0;
  for (
    let found = pendingInputs(index, WINDOW);
    found.length > 0;
    found = pendingInputs(index, WINDOW, after)
  ) {
    after = found.at(-1)?.chunkId ?? after;
    const pending = found.filter((one) => isEmbeddable(one.text));
    if (pending.length === 0) continue;
    if (embedded === 0) await settleIdentity(index, embedder, options.signal);
    await embedWindow(index, embedder, pending, { signal: options.signal, notices, report });
  }
  index.transaction(() => rebuildCoarse(index));
  const identity = pinnedIdentity(index) ?? embedder.recipe;
  return { identity: showIdentity(identity), embedded, kept: vectors, notices: [...notices] };
}

/** The vectors that are there stay until the embedder has answered. */
async function dropAll(index: IndexFile, embedder: Embedder, signal: AbortSignal): Promise<void> {
  if (countVectors(index) === 0) return;
  await embedder.embed(['dimension'], 'document', { signal });
  index.transaction(() => dropEmbeddings(index));
}

async function settleIdentity(index: IndexFile, embedder: Embedder, signal: AbortSignal): Promise<void> {
  const identity = await embedder.identity(signal);
  const pinned = pinnedIdentity(index);
  if (pinned === undefined) {
    index.transaction(() => pinIdentity(index, identity));
    return;
  }
  const difference = identityDifference(pinned, identity);
  if (difference !== undefined) throw changed(index, difference, pinned, embedder);
}

/** The same error; its message says that nothing is lost, and how far the vectors have come. */
function withState(error: KbError, index: IndexFile): KbError {
  const { inputs, vectors } = countEmbeddings(index);
  const state = `the text is indexed and found by its words; ${vectors} of ${inputs} texts have vectors`;
  const hint = error.hint ?? `go on where it stopped: ${ingestNamed(index.path)}`;
  return new KbError(error.code, `${error.message}; ${state}`, error.details, { hint, cause: error });
}

async function embedWindow(
  index: IndexFile,
  embedder: Embedder,
  pending: readonly PendingInput[],
  run: {
    readonly signal: AbortSignal;
    readonly notices: Set<string>;
    readonly report: (count: number) => void;
  },
): Promise<void> {
  await embedder.embed(
    pending.map((one) => one.text),
    'document',
    {
      signal: run.signal,
      titles: pending.map((one) => one.title),
      onBatch: ({ indexes, vectors }) => {
        const rows = indexes.flatMap((place, position) => {
          const input = pending[place]?.input;
          const vector = vectors[position];
          return input === undefined || vector === undefined ? [] : [{ input, vector }];
        });
        putVectors(index, rows);
        run.report(rows.length);
      },
      onNotice: (notice) => {
        run.notices.add(describeNotice(notice, pending));
      },
    },
  );
}

function describeNotice(
  notice: Parameters<NonNullable<Parameters<Embedder['embed']>[2]['onNotice']>>[0],
  pending: readonly PendingInput[],
): string {
  switch (notice.kind) {
    case 'shortened': {
      const title = pending[notice.index]?.title ?? '';
      return `only the first ${notice.kept} of ${notice.characters} characters of a text in "${title}" fit the model`;
    }
    case 'model-differs':
      return `${notice.requested} was asked for, the server answered with ${notice.answered}`;
    case 'limit-learned':
      return `the server takes at most ${notice.limit} ${notice.axis}`;
  }
}

import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type BuildJob, type Built, buildDocument } from './build-document.ts';

/** Documents that go to a helper, or are built between two looks at what the helpers have done, at once. */
const BATCH = 4;
/** Batches that may be built ahead of the one to be written next: memory stays bounded by them. */
const AHEAD = 16;
/** Batches that a helper has before it, so that it never waits. */
const QUEUED = 4;
/** With fewer documents than this a helper costs more time than it saves. */
const WORTH_HELP = 100;
/** More would wait for the one thread that writes. */
const MOST_HELPERS = 3;

/**
 * Builds documents on all processors and hands them out in the order of `jobs`, each with its position. Where no helper
 * can be had (the sources run unbundled, threads are refused) everything is built here: the result is the same.
 */
export async function* buildDocuments(
  jobs: readonly BuildJob[],
  { helpers = helpersFor(jobs.length), script = helperScript() }: HelperOptions = {},
): AsyncGenerator<readonly [position: number, built: Built]> {
  const build = new Build(jobs);
  if (script !== undefined) build.engage(helpers, script);
  try {
    for (let next = 0; next < build.batches.length; next += 1) {
      const results = await build.take(next);
      for (const [at, built] of results.entries()) yield [next * BATCH + at, built];
    }
  } finally {
    await build.end();
  }
}

export interface HelperOptions {
  /** How many helpers, each a thread. */
  readonly helpers?: number;
  /** Path of the script they run. */
  readonly script?: string | undefined;
}

class Helper {
  readonly worker: Worker;
  /** Numbers of the batches it has, in order: it answers in that order. */
  readonly queue: number[] = [];

  constructor(script: string) {
    this.worker = new Worker(script);
  }
}

class Build {
  readonly batches: readonly (readonly BuildJob[])[];
  readonly #results = new Map<number, readonly Built[]>();
  /** Batches that a helper was lost over. */
  readonly #returned: number[] = [];
  readonly #helpers: Helper[] = [];
  #assigned = 0;
  #written = 0;
  #wake: (() => void) | undefined;

  constructor(jobs: readonly BuildJob[]) {
    const count = Math.ceil(jobs.length / BATCH);
    this.batches = Array.from({ length: count }, (_, at) => jobs.slice(at * BATCH, (at + 1) * BATCH));
  }

  engage(count: number, script: string): void {
    try {
      for (let at = 0; at < count; at += 1) this.#engage(new Helper(script));
    } catch {
      // Threads are refused here: those that were had must do.
    }
  }

  /** The documents of the batch to be written next; builds others meanwhile rather than wait. */
  async take(next: number): Promise<readonly Built[]> {
    this.#written = next;
    for (;;) {
      for (const helper of this.#helpers) this.#feed(helper);
      const done = this.#results.get(next);
      if (done !== undefined) {
        this.#results.delete(next);
        return done;
      }
      const own = this.#returned.shift() ?? this.#assign();
      if (own === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
      else {
        this.#results.set(own, (this.batches[own] ?? []).map(buildDocument));
        // What the helpers have sent meanwhile comes in now.
        if (this.#helpers.length > 0) await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#helpers.splice(0).map(({ worker }) => worker.terminate()));
  }

  #assign(): number | undefined {
    const last = Math.min(this.batches.length, this.#written + AHEAD);
    return this.#assigned < last ? this.#assigned++ : undefined;
  }

  #engage(helper: Helper): void {
    this.#helpers.push(helper);
    helper.worker.on('message', (results: readonly Built[]) => {
      const batch = helper.queue.shift();
      if (batch !== undefined) this.#results.set(batch, results);
      this.#feed(helper);
      this.#wake?.();
    });
    // What a lost helper had is built here.
    const lose = (): void => {
      const at = this.#helpers.indexOf(helper);
      if (at !== -1) this.#helpers.splice(at, 1);
      this.#returned.push(...helper.queue.splice(0));
      this.#wake?.();
    };
    helper.worker.on('error', lose);
    helper.worker.on('exit', lose);
  }

  #feed(helper: Helper): void {
    while (helper.queue.length < QUEUED) {
      const batch = this.#assign();
      if (batch === undefined) return;
      helper.queue.push(batch);
      helper.worker.postMessage(this.batches[batch]);
    }
  }
}

function helpersFor(count: number): number {
  return count < WORTH_HELP ? 0 : Math.min(availableParallelism() - 1, MOST_HELPERS);
}

/** Beside the command, or beside the folder of its modules; undefined where the sources run as they are. */
function helperScript(): string | undefined {
  const near = createRequire(import.meta.url);
  for (const name of ['./build-helper.cjs', '../build-helper.cjs']) {
    try {
      return near.resolve(name);
    } catch {
      // Not there: the next one, or none.
    }
  }
  return undefined;
}

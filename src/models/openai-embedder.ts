import type { EmbeddingsConfig } from '../core/config.ts';
import type {
  Embedder,
  EmbedderIdentity,
  EmbedderNotice,
  EmbedderRecipe,
  EmbeddingRole,
  EmbedOptions,
} from '../core/embedder.ts';
import { isKbError, KbError } from '../core/errors.ts';
import { type CallLimits, type CallOutcome, callEmbeddings } from './embedding-call.ts';
import { embedderMalformed, embeddingAborted } from './embedding-failure.ts';
import { type EmbeddingInput, shortened } from './embedding-input.ts';
import { type EmbeddingLimits, limitsOf } from './embedding-limits.ts';
import { type Prefixes, prefixesOf } from './embedding-prefixes.ts';
import { inputsOf } from './embedding-task.ts';
import { isSameModel } from './model-names.ts';
import type { Endpoint } from './settings.ts';
import { unitVector } from './unit-vector.ts';

type Vectors = Extract<CallOutcome, { kind: 'vectors' }>;
type TooLarge = Extract<CallOutcome, { kind: 'too-large' }>;

/** One call of `embed` while it is under way. */
interface Run {
  readonly queue: EmbeddingInput[];
  readonly vectors: Float32Array[];
  readonly options: EmbedOptions;
  readonly limits: CallLimits;
  /** The last request was not answered in time. */
  timedOut: boolean;
}

/**
 * Any server that speaks OpenAI's `/embeddings`, at the base URL given and nowhere else: Ollama, LM Studio, llama.cpp,
 * vLLM, Text Embeddings Inference, hosted ones. What a request may hold is learned from what the server refuses; every
 * vector is checked, since many servers answer with status 200 what is none.
 */
export class OpenAiEmbedder implements Embedder {
  readonly id: string;
  readonly #endpoint: Endpoint;
  readonly #settings: EmbeddingsConfig;
  readonly #prefixes: Prefixes;
  readonly #limits: EmbeddingLimits;
  #dimensions: number | undefined;
  #toldOfModel = false;

  constructor(settings: EmbeddingsConfig, endpoint: Endpoint) {
    this.id = settings.model;
    this.#endpoint = endpoint;
    this.#settings = settings;
    this.#prefixes = prefixesOf(settings);
    this.#limits = limitsOf(`${endpoint.baseUrl} ${endpoint.model}`, settings.batch);
    this.#dimensions = settings.dimensions;
  }

  get recipe(): EmbedderRecipe {
    return {
      model: this.id,
      ...this.#prefixes,
      normalised: true,
      ...(this.#dimensions === undefined ? {} : { dimensions: this.#dimensions }),
    };
  }

  async identity(signal: AbortSignal): Promise<EmbedderIdentity> {
    if (this.#dimensions === undefined) await this.embed(['dimension'], 'document', { signal });
    const dimensions = this.#dimensions;
    if (dimensions === undefined) throw new Error('a vector came without its dimension being kept');
    return { model: this.id, dimensions, ...this.#prefixes, normalised: true };
  }

  async embed(
    texts: readonly string[],
    as: EmbeddingRole,
    options: EmbedOptions,
  ): Promise<readonly Float32Array[]> {
    const isQuery = as === 'query';
    const seconds = isQuery ? this.#settings.queryTimeoutSeconds : this.#settings.timeoutSeconds;
    const run: Run = {
      queue: inputsOf(texts, as, options.titles, {
        ...this.#prefixes,
        maxTokens: this.#settings.batch?.inputTokens,
      }),
      vectors: new Array<Float32Array>(texts.length),
      options,
      limits: {
        signal: options.signal,
        seconds,
        ...(isQuery ? { deadline: performance.now() + seconds * 1000 } : {}),
      },
      timedOut: false,
    };
    while (run.queue.length > 0) {
      if (options.signal.aborted) throw embeddingAborted();
      await this.#next(run);
    }
    return run.vectors;
  }

  /** Sends one request and deals with what comes of it; the queue gets shorter, or its texts smaller. */
  async #next(run: Run): Promise<void> {
    const batch = this.#limits.take(run.queue);
    const outcome = await this.#send(batch, run);
    if (outcome === undefined) {
      run.queue.unshift(...batch);
    } else if (outcome.kind === 'vectors') {
      run.timedOut = false;
      await this.#accept(batch, outcome, run);
    } else if (batch.length === 1) {
      run.queue.unshift(...batch.map((input) => this.#cut(input, outcome)));
    } else {
      run.queue.unshift(...this.#split(batch, outcome, run));
    }
  }

  /** Undefined when several texts were not answered in time, for the first time: fewer may be. */
  async #send(batch: readonly EmbeddingInput[], run: Run): Promise<CallOutcome | undefined> {
    const inputs = batch.map((input) => input.prefix + input.text);
    try {
      return await callEmbeddings(this.#endpoint, inputs, this.#settings.dimensions, run.limits);
    } catch (error) {
      const isLast = run.timedOut || batch.length === 1 || run.limits.deadline !== undefined;
      if (isLast || !isKbError(error, 'embedder-timeout')) throw error;
      run.timedOut = true;
      this.#limits.timedOut(batch.length);
      return undefined;
    }
  }

  async #accept(batch: readonly EmbeddingInput[], reply: Vectors, run: Run): Promise<void> {
    const vectors = this.#checked(batch, reply);
    this.#limits.answered(batch, reply.seconds, run.limits.seconds);
    const { onNotice } = run.options;
    for (const notice of this.#noticesOf(batch, reply, onNotice !== undefined)) onNotice?.(notice);
    for (const [position, input] of batch.entries()) {
      const vector = vectors[position];
      if (vector !== undefined) run.vectors[input.index] = vector;
    }
    await run.options.onBatch?.({ indexes: batch.map((input) => input.index), vectors });
  }

  #checked(batch: readonly EmbeddingInput[], reply: Vectors): Float32Array[] {
    const vectors = batch.map((input, position) => {
      const vector = unitVector(reply.vectors[position] ?? []);
      if (typeof vector !== 'string') return vector;
      const start = input.text.slice(0, 40).replace(/\s+/gu, ' ');
      throw embedderMalformed(`the vector of text ${input.index + 1} ("${start}") ${vector}`, this.#endpoint);
    });
    const sizes = [...new Set(vectors.map((vector) => vector.length))];
    if (sizes.length > 1)
      throw embedderMalformed(`it has vectors of ${sizes.join(' and of ')} numbers`, this.#endpoint);
    const [size = 0] = sizes;
    if (this.#dimensions !== undefined && size !== this.#dimensions)
      throw this.#changed(this.#dimensions, size);
    this.#dimensions = size;
    return vectors;
  }

  #changed(before: number, now: number): KbError<'embedder-changed'> {
    const isAsked = this.#settings.dimensions !== undefined;
    return new KbError(
      'embedder-changed',
      `${this.id} gives vectors of ${now} dimensions; ${isAsked ? 'the settings ask for' : 'before it gave'} ${before}`,
      { indexed: `${before} dimensions`, configured: `${now} dimensions` },
      {
        hint: isAsked
          ? `the server does not shorten vectors: remove embeddings.dimensions, or set it to ${now}`
          : 'another model answers under this name: embed everything again with kb ingest --reindex',
      },
    );
  }

  *#noticesOf(batch: readonly EmbeddingInput[], reply: Vectors, isHeard: boolean): Generator<EmbedderNotice> {
    if (reply.model !== undefined && !this.#toldOfModel && !isSameModel(this.id, reply.model)) {
      this.#toldOfModel = isHeard;
      yield { kind: 'model-differs', requested: this.id, answered: reply.model };
    }
    for (const input of batch) {
      const { index, characters, suspectOf } = input;
      // Whole, it was taken: what was too much was the batch it came from.
      if (suspectOf !== undefined) yield this.#limits.refusedItems(suspectOf, undefined);
      if (input.text.length === characters) continue;
      yield { kind: 'shortened', index, characters, kept: input.text.length };
      const learned = input.isTrial === true ? this.#limits.shortenedTo(input) : undefined;
      if (learned !== undefined) yield learned;
    }
  }

  /** One text, too long by itself. */
  #cut(input: EmbeddingInput, { size, error }: TooLarge): EmbeddingInput {
    const shorter = shortened(input, this.#limits.shareOf(input, size));
    if (shorter === undefined) throw error;
    return { ...shorter, isTrial: true };
  }

  /** A batch that was too large, to be tried again in smaller ones. */
  #split(batch: readonly EmbeddingInput[], { size }: TooLarge, run: Run): readonly EmbeddingInput[] {
    if (size.axis === 'input-tokens') {
      const longest = batch.reduce((one, other) => (other.tokens > one.tokens ? other : one));
      const rest = batch.filter((input) => input !== longest);
      return [{ ...longest, suspectOf: batch.length }, ...rest];
    }
    run.options.onNotice?.(
      size.axis === 'items'
        ? this.#limits.refusedItems(batch.length, size.limit)
        : this.#limits.refusedBytes(batch, size),
    );
    return batch;
  }
}

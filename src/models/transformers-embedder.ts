import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EmbeddingsConfig } from '../core/config.ts';
import type {
  Embedder,
  EmbedderIdentity,
  EmbedderRecipe,
  EmbeddingRole,
  EmbedOptions,
} from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';
import { embedderTimeout, embeddingAborted } from './embedding-failure.ts';
import { type EmbeddingInput, shortened } from './embedding-input.ts';
import { type Prefixes, prefixesOf } from './embedding-prefixes.ts';
import { inputsOf } from './embedding-task.ts';
import { LoadedModel } from './transformers-model.ts';
import { unitVector } from './unit-vector.ts';

const ITEMS_MAX = 16;
/** Texts of one run times the tokens of the longest of them: bounds its memory. */
const PADDED_TOKENS_MAX = 8192;

interface Counted extends EmbeddingInput {
  readonly counted: number;
}

/**
 * A model in this process, through `@huggingface/transformers`, which the user installs. It is loaded with the first
 * text. Texts run in batches of about the same length, since each is padded to the longest of its batch.
 */
export class TransformersEmbedder implements Embedder {
  readonly id: string;
  readonly #settings: EmbeddingsConfig;
  readonly #packageFolder: string | undefined;
  readonly #prefixes: Prefixes;
  #model: Promise<LoadedModel> | undefined;
  #dimensions: number | undefined;

  constructor(settings: EmbeddingsConfig, environment: Readonly<Record<string, string | undefined>>) {
    this.id = settings.model;
    this.#settings = settings;
    this.#packageFolder = environment['KB_TRANSFORMERS'];
    this.#prefixes = prefixesOf(settings);
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
    const { signal } = options;
    const rules = { ...this.#prefixes, maxTokens: undefined };
    const inputs = inputsOf(texts, as, options.titles, rules);
    const vectors = new Array<Float32Array>(texts.length);
    if (inputs.length === 0) return vectors;
    const seconds = as === 'query' ? this.#settings.queryTimeoutSeconds : Number.POSITIVE_INFINITY;
    const model = await inTime(this.#load(), seconds, signal);
    const counted = inputs.map((input) => fitted(input, model));
    for (const batch of batchesOf(counted, this.#settings.batch?.items ?? ITEMS_MAX)) {
      // The model keeps the thread busy: here Ctrl-C is heard.
      await nextTurn();
      if (signal.aborted) throw embeddingAborted();
      const found = this.#checked(batch, await model.run(batch.map((input) => input.prefix + input.text)));
      for (const [position, input] of batch.entries()) {
        const { index, characters, text } = input;
        vectors[index] = found[position] ?? new Float32Array();
        if (text.length < characters)
          options.onNotice?.({ kind: 'shortened', index, characters, kept: text.length });
      }
      await options.onBatch?.({ indexes: batch.map((input) => input.index), vectors: found });
    }
    return vectors;
  }

  /** Loads once; after a failure the next text tries again. */
  #load(): Promise<LoadedModel> {
    this.#model ??= LoadedModel.load(this.#settings, this.#packageFolder).catch((error: unknown) => {
      this.#model = undefined;
      throw error;
    });
    return this.#model;
  }

  #checked(batch: readonly EmbeddingInput[], raw: readonly Float32Array[]): Float32Array[] {
    return batch.map((input, position) => {
      const vector = unitVector(raw[position] ?? []);
      if (typeof vector === 'string') {
        const reason = `the vector of text ${input.index + 1} ${vector}`;
        throw new KbError('embedder-malformed', `the model ${this.id} cannot be used: ${reason}`, { reason });
      }
      this.#dimensions ??= vector.length;
      if (vector.length === this.#dimensions) return vector;
      throw new KbError(
        'embedder-changed',
        `${this.id} gives vectors of ${vector.length} dimensions, the settings ask for ${this.#dimensions}`,
        { indexed: `${this.#dimensions} dimensions`, configured: `${vector.length} dimensions` },
        { hint: `remove embeddings.dimensions, or set it to ${vector.length}` },
      );
    });
  }
}

/** The input with so much of its text as the model takes. */
function fitted(input: EmbeddingInput, model: LoadedModel): Counted {
  let fitting = input;
  let counted = model.countTokens(fitting.prefix + fitting.text);
  while (counted > model.maxTokens) {
    const shorter = shortened(fitting, model.maxTokens / counted);
    // What is left is cut by the tokenizer.
    if (shorter === undefined) break;
    fitting = shorter;
    counted = model.countTokens(fitting.prefix + fitting.text);
  }
  return { ...fitting, counted };
}

function* batchesOf(inputs: readonly Counted[], items: number): Generator<readonly Counted[]> {
  const sorted = [...inputs].sort((left, right) => left.counted - right.counted);
  let batch: Counted[] = [];
  for (const input of sorted) {
    const isFull = batch.length >= items || (batch.length + 1) * input.counted > PADDED_TOKENS_MAX;
    if (isFull && batch.length > 0) {
      yield batch;
      batch = [];
    }
    batch.push(input);
  }
  if (batch.length > 0) yield batch;
}

async function inTime<Value>(work: Promise<Value>, seconds: number, signal: AbortSignal): Promise<Value> {
  if (signal.aborted) throw embeddingAborted();
  const over = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(embeddingAborted()), { once: true, signal: over.signal });
    if (!Number.isFinite(seconds)) return;
    const timer = setTimeout(() => reject(embedderTimeout(seconds, true)), seconds * 1000);
    over.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    over.abort();
  }
}

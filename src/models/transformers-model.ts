import type { EmbeddingsConfig, Pooling } from '../core/config.ts';
import { KbError } from '../core/errors.ts';
import { knownModel } from './embedding-prefixes.ts';
import {
  loadTransformers,
  type Model,
  type Tensor,
  type TokenizedBatch,
  type Tokenizer,
} from './transformers-library.ts';

/** Longer is not tried, whatever a model claims: memory grows with the square of it. Tokens. */
const TOKENS_MAX = 8192;
/** Where a model does not say: what the BERT family takes. Tokens. */
const TOKENS_USUAL = 512;

/** A model in memory. */
export class LoadedModel {
  readonly #tokenizer: Tokenizer;
  readonly #model: Model;
  readonly #pooling: Pooling;
  /** Tokens of the longest text it takes, special ones included. */
  readonly maxTokens: number;

  private constructor(tokenizer: Tokenizer, model: Model, settings: EmbeddingsConfig) {
    this.#tokenizer = tokenizer;
    this.#model = model;
    this.#pooling = settings.pooling ?? knownModel(settings.model)?.pooling ?? 'mean';
    const stated = [tokenizer.model_max_length, model.config?.max_position_embeddings]
      .filter((limit) => typeof limit === 'number' && limit > 0)
      .map(Number);
    const known = stated.length === 0 ? TOKENS_USUAL : Math.min(...stated);
    this.maxTokens = Math.min(known, TOKENS_MAX, settings.batch?.inputTokens ?? TOKENS_MAX);
  }

  /**
   * Loads from the model's directory, or by name from the package's cache; from the hub only where the settings allow it.
   * @throws KbError `embedder-missing` when the package or a file of the model is not there
   */
  static async load(settings: EmbeddingsConfig, packageFolder: string | undefined): Promise<LoadedModel> {
    const library = await loadTransformers(packageFolder);
    const { env, LogLevel } = library;
    env.allowLocalModels = true;
    env.allowRemoteModels = settings.allowDownload && settings.modelFolder === undefined;
    if (LogLevel?.NONE !== undefined) env.logLevel = LogLevel.NONE;
    const place = settings.modelFolder ?? settings.model;
    const isLocal = !env.allowRemoteModels;
    try {
      // First the model: where it is not there, its error says which file is missing.
      const model = await firstOf([
        () => library.AutoModel.from_pretrained(place, { dtype: 'fp32', local_files_only: true }),
        () => library.AutoModel.from_pretrained(place, { dtype: 'q8', local_files_only: isLocal }),
      ]);
      const tokenizer = await library.AutoTokenizer.from_pretrained(place, { local_files_only: isLocal });
      return new LoadedModel(tokenizer, model, settings);
    } catch (error) {
      throw unloadable(error, settings);
    }
  }

  /** Tokens of a text as the model sees it, special ones included. */
  countTokens(text: string): number {
    return this.#tokenizer.encode(text).length;
  }

  /** One vector a text, not yet of unit length. */
  async run(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const inputs = this.#tokenizer(texts, { padding: true, truncation: true, max_length: this.maxTokens });
    const outputs = await this.#model(inputs);
    const pooled = outputs['sentence_embedding'];
    if (pooled !== undefined) return rowsOf(floats(pooled));
    const states = outputs['last_hidden_state'] ?? outputs['token_embeddings'] ?? outputs['logits'];
    if (states === undefined || states.dims.length !== 3) {
      throw new KbError(
        'embedder-malformed',
        'the model gives no vectors of tokens: it is not made for embeddings',
        {
          reason: `its outputs are ${Object.keys(outputs).join(', ')}`,
        },
      );
    }
    return pool(floats(states), inputs, this.#pooling);
  }
}

async function firstOf<Value>(attempts: readonly (() => Promise<Value>)[]): Promise<Value> {
  let failure: unknown;
  for (const attempt of attempts) {
    try {
      return await attempt();
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

function unloadable(error: unknown, settings: EmbeddingsConfig): KbError<'embedder-missing'> {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const place = settings.modelFolder ?? settings.model;
  const hint =
    settings.modelFolder === undefined && !settings.allowDownload
      ? 'set embeddings.allow_download: true to let it be fetched once, or name a directory that holds the model (embeddings.model: ./models/NAME)'
      : 'the directory must hold config.json, tokenizer.json and onnx/model.onnx (or onnx/model_quantized.onnx)';
  return new KbError(
    'embedder-missing',
    `the model ${place} cannot be loaded: ${message}`,
    { what: place },
    { hint, cause: error },
  );
}

function floats(tensor: Tensor): Tensor {
  return tensor.type === 'float32' ? tensor : tensor.to('float32');
}

function rowsOf({ data, dims }: Tensor): Float32Array[] {
  const [count = 0, size = 0] = dims;
  const values = data as ArrayLike<number>;
  return Array.from({ length: count }, (_, row) =>
    Float32Array.from({ length: size }, (_, place) => values[row * size + place] ?? Number.NaN),
  );
}

/** Padding has a mask of 0 and no part in any pooling. */
function pool(states: Tensor, inputs: TokenizedBatch, pooling: Pooling): Float32Array[] {
  const [count = 0, tokens = 0, size = 0] = states.dims;
  const values = states.data as ArrayLike<number>;
  const mask = inputs.attention_mask.data;
  return Array.from({ length: count }, (_, row) => {
    const all = Array.from({ length: tokens }, (_, token) => token);
    const real = all.filter((token) => Number(mask[row * tokens + token]) === 1);
    const used = pooling === 'mean' ? real : [(pooling === 'cls' ? real[0] : real.at(-1)) ?? 0];
    const sum = new Float32Array(size);
    for (const token of used) {
      const start = (row * tokens + token) * size;
      for (let place = 0; place < size; place += 1)
        sum[place] = (sum[place] ?? 0) + (values[start + place] ?? Number.NaN);
    }
    return sum.map((value) => value / used.length);
  });
}

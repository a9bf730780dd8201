import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { KbError } from '../core/errors.ts';

/** What kb uses of the package, which is not there when kb is built. */
export interface TransformersLibrary {
  readonly env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    logLevel?: number;
  };
  readonly LogLevel?: { readonly NONE?: number };
  readonly AutoTokenizer: { from_pretrained(model: string, options: LoadOptions): Promise<Tokenizer> };
  readonly AutoModel: { from_pretrained(model: string, options: LoadOptions): Promise<Model> };
}

export interface LoadOptions {
  readonly local_files_only: boolean;
  /** `fp32` is the file `onnx/model.onnx`, `q8` is `onnx/model_quantized.onnx`. */
  readonly dtype?: 'fp32' | 'q8';
}

export interface Tensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint>;
  to(type: 'float32'): Tensor;
}

export interface TokenizedBatch {
  readonly input_ids: Tensor;
  readonly attention_mask: Tensor;
}

export interface Tokenizer {
  (
    texts: readonly string[],
    options: { padding: boolean; truncation: boolean; max_length?: number },
  ): TokenizedBatch;
  readonly model_max_length?: number;
  encode(text: string): readonly number[];
}

export interface Model {
  (inputs: TokenizedBatch): Promise<Readonly<Record<string, Tensor>>>;
  readonly config?: { readonly max_position_embeddings?: number };
}

/** In a variable, so that neither the compiler nor the bundler looks for it. */
const PACKAGE = '@huggingface/transformers';
const INSTALL =
  'npm install @huggingface/transformers@4 beside kb (with --global where kb is installed so), or set KB_TRANSFORMERS to the folder it is installed in';

/**
 * The package as the user has installed it: beside kb, or in the folder that the variable `KB_TRANSFORMERS` names. Never
 * from the working directory: a repository that is only read must not bring code along.
 * @throws KbError `embedder-missing` with the command that installs it
 */
export async function loadTransformers(folder: string | undefined): Promise<TransformersLibrary> {
  let loaded: Readonly<Record<string, unknown>>;
  try {
    const place =
      folder === undefined || folder.trim() === ''
        ? PACKAGE
        : pathToFileURL(createRequire(join(folder, 'package.json')).resolve(PACKAGE)).href;
    loaded = await import(place);
  } catch (error) {
    throw missing(error, folder);
  }
  // From a path it comes as CommonJS, whose exports may all be under `default`.
  return ('AutoModel' in loaded ? loaded : loaded['default']) as TransformersLibrary;
}

function missing(error: unknown, folder: string | undefined): KbError<'embedder-missing'> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  const isAbsent =
    (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && message.includes(PACKAGE);
  const where = folder === undefined ? '' : ` in ${folder}`;
  const what = isAbsent
    ? `the package ${PACKAGE} is not installed${where}`
    : `the package ${PACKAGE} cannot be loaded${where}: ${message}`;
  return new KbError(
    'embedder-missing',
    `embeddings.provider is transformers, but ${what}`,
    { what: PACKAGE },
    { hint: INSTALL, cause: error },
  );
}

import type { EmbeddingsConfig } from '../core/config.ts';
import type { Embedder, EmbedderNotice } from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';
import { createEmbedder } from './create-embedder.ts';
import { callEmbeddings, fetchModels } from './embedding-call.ts';
import { knownModel, prefixesOf } from './embedding-prefixes.ts';
import { isRecord, textOf } from './json.ts';
import { isSameModel, nearestModels } from './model-names.ts';
import { type Endpoint, resolveEmbeddingEndpoint } from './settings.ts';
import { innerProduct, lengthOf } from './unit-vector.ts';

/** One thing looked at, as `doctor` shows it. */
export interface EmbedderCheck {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** The command or setting that mends it. */
  readonly hint?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether embedding would work, and whether it would do what it seems to do: address, model, dimension, length of the
 * vectors, order of a batch, silent cutting, prefixes. Embeds about ten short texts and two of some 700 words; stops at
 * the first check that makes the rest pointless. Failures are checks, except being stopped.
 * @throws KbError `aborted`
 */
export async function probeEmbedder(
  config: EmbeddingsConfig,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly EmbedderCheck[]> {
  const checks: EmbedderCheck[] = [];
  const add = (...more: readonly EmbedderCheck[]) => checks.push(...more);
  try {
    const embedder = await createEmbedder(config, environment);
    if (config.provider === 'openai') {
      const endpoint = resolveEmbeddingEndpoint(config, environment);
      add(...(await checkServer(endpoint, config, signal)));
      add(await checkVectors(endpoint, config, signal));
    } else {
      const { dimensions } = await embedder.identity(signal);
      add({
        name: 'embeddings model',
        status: 'ok',
        text: `${config.model} runs in this process, ${dimensions} dimensions`,
      });
    }
    add(await checkOrder(embedder, signal), await checkLength(embedder, signal));
  } catch (error) {
    if (!(error instanceof KbError) || error.code === 'aborted') throw error;
    add(failed('embeddings', error));
  }
  return [...checks, checkPrefixes(config)];
}

function failed(name: string, error: KbError): EmbedderCheck {
  return {
    name,
    status: 'fail',
    text: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
  };
}

/** @throws KbError when nobody answers at the address */
async function checkServer(
  endpoint: Endpoint,
  config: EmbeddingsConfig,
  signal: AbortSignal,
): Promise<readonly EmbedderCheck[]> {
  const { status, body } = await fetchModels(endpoint, { signal, seconds: config.timeoutSeconds });
  const server: EmbedderCheck = {
    name: 'embeddings server',
    status: 'ok',
    text: `${endpoint.baseUrl} answers`,
  };
  const names = status >= 200 && status < 300 ? namesIn(body) : undefined;
  if (names === undefined) {
    const text = `${endpoint.baseUrl} answers, but lists no models (status ${status})`;
    return [{ ...server, text }];
  }
  return [server, checkModel(config.model, names)];
}

/** Names in the list of an OpenAI-compatible server, or in that of another (`models`, `name`). */
function namesIn(body: unknown): readonly string[] | undefined {
  const list = isRecord(body) ? (body['data'] ?? body['models']) : body;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item) => {
    const name = isRecord(item) ? (textOf(item['id']) ?? textOf(item['name'])) : textOf(item);
    return name === undefined ? [] : [name];
  });
}

/** Some servers list only what is loaded, and load the rest when asked: a name that is absent is no failure yet. */
function checkModel(model: string, names: readonly string[]): EmbedderCheck {
  const name = 'embeddings model';
  if (names.includes(model)) return { name, status: 'ok', text: `${model} is listed` };
  const same = names.find((candidate) => isSameModel(candidate, model));
  if (same !== undefined) return { name, status: 'ok', text: `${model} is listed as ${same}` };
  const near = nearestModels(model, names, 3);
  const shown = near.length > 0 ? near : names.slice(0, 5);
  return {
    name,
    status: 'warn',
    text: `${model} is not among the ${names.length} models of the server${shown.length === 0 ? '' : `: it lists ${shown.join(', ')}`}`,
    hint:
      near[0] === undefined ? 'load the model, or set embeddings.model' : `set embeddings.model: ${near[0]}`,
  };
}

/** @throws KbError when no vector comes */
async function checkVectors(
  endpoint: Endpoint,
  config: EmbeddingsConfig,
  signal: AbortSignal,
): Promise<EmbedderCheck> {
  const limits = { signal, seconds: config.timeoutSeconds };
  const outcome = await callEmbeddings(endpoint, ['dimension'], config.dimensions, limits);
  if (outcome.kind === 'too-large') throw outcome.error;
  const length = lengthOf(outcome.vectors[0] ?? []);
  const isUnit = Math.abs(length - 1) < 0.01;
  const norm = isUnit ? 'of unit length' : `of length ${length.toPrecision(3)}, brought to unit length by kb`;
  return {
    name: 'embeddings vectors',
    status: 'ok',
    text: `${outcome.vectors[0]?.length ?? 0} dimensions, ${norm}`,
  };
}

const ORDER = [
  'The harbour master writes the arrival of every ship into the log.',
  'A recursive function calls itself with a smaller part of the problem.',
  'Bread dough has to rest until it has doubled in size.',
  'The violin is tuned in fifths.',
];
/** Vectors of one text in two requests differ a little: batches are padded and computed in other orders. */
const SAME = 0.98;

async function checkOrder(embedder: Embedder, signal: AbortSignal): Promise<EmbedderCheck> {
  const name = 'embeddings batch';
  const together = await embedder.embed(ORDER, 'document', { signal });
  const alone: Float32Array[] = [];
  for (const text of ORDER) alone.push(...(await embedder.embed([text], 'document', { signal })));
  const places = together.map((vector) => nearestPlace(vector, alone));
  if (places.some((place, index) => place !== index)) {
    return {
      name,
      status: 'fail',
      text: `vectors of one request belong to other texts than they should: ${places.map((place) => place + 1).join(', ')}`,
      hint: 'set embeddings.batch.items: 1, and report it to the makers of the server',
    };
  }
  const least = Math.min(...together.map((vector, index) => innerProduct(vector, alone[index] ?? [])));
  if (least >= SAME) return { name, status: 'ok', text: 'vectors of a batch are in order' };
  return {
    name,
    status: 'warn',
    text: `a text has another vector in a batch than alone (likeness ${least.toFixed(3)})`,
    hint: 'set embeddings.batch.items: 1',
  };
}

function nearestPlace(vector: Float32Array, others: readonly Float32Array[]): number {
  const likenesses = others.map((other) => innerProduct(vector, other));
  return likenesses.indexOf(Math.max(...likenesses));
}

/** Words that all texts of the pair share; with any tokenizer more than 500 tokens. */
const SHARED_WORDS = 520;
const CUT = 0.999999;

/** Two texts that differ only at their end: the same vector means that nobody looked at it. */
async function checkLength(embedder: Embedder, signal: AbortSignal): Promise<EmbedderCheck> {
  const name = 'embeddings length';
  const words = ORDER.join(' ').split(' ');
  const shared = Array.from({ length: SHARED_WORDS }, (_, index) => words[index % words.length]).join(' ');
  const ends = ['Salt, ropes and sails are sold by the quay. ', 'Compilers turn loops into jumps. '];
  const notices: EmbedderNotice[] = [];
  const pair = ends.map((end) => `${shared} ${end.repeat(20)}`.trim());
  const vectors: Float32Array[] = [];
  for (const text of pair) {
    vectors.push(
      ...(await embedder.embed([text], 'document', { signal, onNotice: (notice) => notices.push(notice) })),
    );
  }
  const cut = notices.find((notice) => notice.kind === 'shortened');
  if (cut?.kind === 'shortened') {
    return {
      name,
      status: 'ok',
      text: `a text of ${cut.characters} characters is too long and said to be: kb shortens it to ${cut.kept} and reports it`,
    };
  }
  const [one = new Float32Array(), other = new Float32Array()] = vectors;
  if (innerProduct(one, other) < CUT)
    return { name, status: 'ok', text: `a text of ${pair[0]?.length ?? 0} characters is seen to its end` };
  return {
    name,
    status: 'warn',
    text: `the end of a text of ${SHARED_WORDS} words and more is cut off without a word: two that differ only there have the same vector`,
    hint: 'give the server a larger window (Ollama: PARAMETER num_ctx in a Modelfile; llama.cpp: -c and -ub), or set embeddings.batch.input_tokens: 480 to be told what is cut',
  };
}

function checkPrefixes(config: EmbeddingsConfig): EmbedderCheck {
  const name = 'embeddings prefixes';
  const { queryPrefix, documentPrefix } = prefixesOf(config);
  const inForce = `query ${JSON.stringify(queryPrefix)}, document ${JSON.stringify(documentPrefix)}`;
  const known = knownModel(config.model);
  if (known === undefined) {
    const isSet = config.queryPrefix !== undefined || config.documentPrefix !== undefined;
    return {
      name,
      status: 'ok',
      text: isSet
        ? `${inForce}, from the settings`
        : `none: kb knows of none for ${config.model}; if its card names some, set embeddings.query_prefix and document_prefix`,
    };
  }
  const isExpected = queryPrefix === known.queryPrefix && documentPrefix === known.documentPrefix;
  if (isExpected) return { name, status: 'ok', text: `${inForce}, as the card of ${known.family} has them` };
  return {
    name,
    status: 'warn',
    text: `${inForce}; the card of ${known.family} has query ${JSON.stringify(known.queryPrefix)}, document ${JSON.stringify(known.documentPrefix)}`,
    hint: 'remove embeddings.query_prefix and document_prefix, then kb ingest --reindex',
  };
}

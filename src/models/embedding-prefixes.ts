import type { EmbeddingsConfig, Pooling } from '../core/config.ts';

/** What the makers of a model say its input must look like. */
export interface KnownModel {
  readonly family: string;
  readonly queryPrefix: string;
  /** `{title}` stands for the title of the text. */
  readonly documentPrefix: string;
  /** How the vectors of the tokens become one. */
  readonly pooling: Pooling;
}

interface Row extends KnownModel {
  readonly names: RegExp;
}

const RETRIEVE = 'Given a web search query, retrieve relevant passages that answer the query';
const REPRESENT = 'Represent this sentence for searching relevant passages: ';

/**
 * Wording as the model cards give it, each at huggingface.co under the name in its comment. No server adds them, and a
 * model used without loses more than it gains over words alone. The first row whose `names` is found is used.
 */
const KNOWN: readonly Row[] = [
  // nomic-ai/nomic-embed-text-v1.5 ("the text prompt must include a task instruction prefix"); v1 and v2-moe alike
  row('nomic-embed-text', /nomic-embed-text/u, ['search_query: ', 'search_document: '], 'mean'),
  // nomic-ai/nomic-embed-code
  row(
    'nomic-embed-code',
    /nomic-embed-code/u,
    ['Represent this query for searching relevant code: ', ''],
    'last_token',
  ),
  // google/embeddinggemma-300m ("Prompt Instructions": retrieval query, retrieval document)
  row(
    'EmbeddingGemma',
    /embedding-?gemma/u,
    ['task: search result | query: ', 'title: {title} | text: '],
    'mean',
  ),
  // Qwen/Qwen3-Embedding-0.6B (get_detailed_instruct: nothing between "Query:" and the query; documents as they are)
  row('Qwen3-Embedding', /qwen3-embedding/u, [`Instruct: ${RETRIEVE}\nQuery:`, ''], 'last_token'),
  // intfloat/multilingual-e5-large-instruct, intfloat/e5-mistral-7b-instruct (a blank after "Query:")
  row('E5 mistral instruct', /e5-mistral/u, [`Instruct: ${RETRIEVE}\nQuery: `, ''], 'last_token'),
  row('E5 instruct', /e5-\w+-instruct/u, [`Instruct: ${RETRIEVE}\nQuery: `, ''], 'mean'),
  // intfloat/e5-base-v2, intfloat/multilingual-e5-large ("each input text should start with")
  row('E5', /(?:^|[^a-z0-9])e5-(?:small|base|large)/u, ['query: ', 'passage: '], 'mean'),
  // BAAI/bge-m3 ("no longer require adding instructions")
  row('BGE-M3', /bge-m3/u, ['', ''], 'cls'),
  // BAAI/bge-small-en-v1.5, BAAI/bge-small-zh-v1.5 ("Model List": query instruction for retrieval)
  row('BGE English', /bge-(?:small|base|large)(?!-zh)/u, [REPRESENT, ''], 'cls'),
  row('BGE Chinese', /bge-(?:small|base|large)-zh/u, ['为这个句子生成表示以用于检索相关文章：', ''], 'cls'),
  // mixedbread-ai/deepset-mxbai-embed-de-large-v1
  row('mxbai-embed-de', /mxbai-embed-de/u, ['query: ', 'passage: '], 'cls'),
  // mixedbread-ai/mxbai-embed-large-v1 ("Represent this sentence for searching relevant passages: " for queries)
  row('mxbai-embed', /mxbai-embed-large/u, [REPRESENT, ''], 'cls'),
  // Snowflake/snowflake-arctic-embed-l-v2.0 (prompt_name="query")
  row('snowflake-arctic-embed 2', /arctic-embed-?2|arctic-embed-[ml]-v2/u, ['query: ', ''], 'cls'),
  // Snowflake/snowflake-arctic-embed-m-v1.5; xs, s, m, m-long, l alike
  row('snowflake-arctic-embed', /arctic-embed/u, [REPRESENT, ''], 'cls'),
  // jinaai/jina-embeddings-v5-text-small-retrieval
  row('jina-embeddings-v5', /jina-embeddings-v5/u, ['Query: ', 'Document: '], 'last_token'),
  // jinaai/jina-embeddings-v4-text-retrieval-GGUF ("You must add Query: or Passage: in front of the input")
  row('jina-embeddings-v4', /jina-embeddings-v4/u, ['Query: ', 'Passage: '], 'mean'),
  // jinaai/jina-embeddings-v3 (config_sentence_transformers.json: retrieval.query, retrieval.passage)
  row(
    'jina-embeddings-v3',
    /jina-embeddings-v3/u,
    ['Represent the query for retrieving evidence documents: ', 'Represent the document for retrieval: '],
    'mean',
  ),
  // jinaai/jina-embeddings-v2-base-en: the same for both sides
  row('jina-embeddings-v2', /jina-embeddings-v2/u, ['', ''], 'mean'),
  // sentence-transformers/all-MiniLM-L6-v2 and its kin: the same for both sides
  row('sentence-transformers', /all-minilm|all-mpnet|paraphrase-|multi-qa-minilm/u, ['', ''], 'mean'),
  // thenlper/gte-base; Alibaba-NLP/gte-base-en-v1.5, gte-multilingual-base, gte-modernbert-base
  row('GTE', /gte-(?:small|base|large)(?!-en-v1\.5|-zh)/u, ['', ''], 'mean'),
  row('GTE 1.5', /gte-(?:base|large)-en-v1\.5|gte-multilingual|gte-modernbert/u, ['', ''], 'cls'),
  // ibm-granite/granite-embedding-125m-english
  row('granite-embedding', /granite-embedding/u, ['', ''], 'cls'),
  // platform.openai.com/docs/guides/embeddings
  row('OpenAI', /^text-embedding-(?:3-(?:small|large)|ada-002)$/u, ['', ''], 'mean'),
];

function row(
  ...[family, names, [queryPrefix, documentPrefix], pooling]: [
    string,
    RegExp,
    readonly [query: string, document: string],
    Pooling,
  ]
): Row {
  return { family, names, queryPrefix, documentPrefix, pooling };
}

/**
 * What is known of a model, whatever its server calls it: `nomic-embed-text:latest`,
 * `text-embedding-nomic-embed-text-v1.5`, `nomic-ai/nomic-embed-text-v1.5-GGUF`, a path to a file of that name.
 */
export function knownModel(name: string): KnownModel | undefined {
  const plain = name.toLowerCase().replace(/[_\s]/gu, '-');
  return /rerank/u.test(plain) ? undefined : KNOWN.find((known) => known.names.test(plain));
}

export interface Prefixes {
  readonly queryPrefix: string;
  readonly documentPrefix: string;
}

/** The prefixes in force: those of the settings (an empty one switches a known one off), else the known ones. */
export function prefixesOf(
  settings: Pick<EmbeddingsConfig, 'model' | 'queryPrefix' | 'documentPrefix'>,
): Prefixes {
  const known = knownModel(settings.model);
  return {
    queryPrefix: settings.queryPrefix ?? known?.queryPrefix ?? '',
    documentPrefix: settings.documentPrefix ?? known?.documentPrefix ?? '',
  };
}

/** A document prefix for one text: its title in place of `{title}`, on one line, `none` where it has none. */
export function titled(documentPrefix: string, title: string | undefined): string {
  const clean = title?.replace(/\s+/gu, ' ').trim() ?? '';
  return documentPrefix.replaceAll('{title}', () => (clean === '' ? 'none' : clean));
}

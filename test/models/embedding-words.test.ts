import { describe, expect, test } from 'vitest';
import { knownModel, prefixesOf, titled } from '../../src/models/embedding-prefixes.ts';
import { acceptedShare, sizeRefusal } from '../../src/models/embedding-refusal.ts';
import { isSameModel, nearestModels } from '../../src/models/model-names.ts';

const RETRIEVE =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';
const REPRESENT = 'Represent this sentence for searching relevant passages: ';

describe('task prefixes', () => {
  test.each([
    ['nomic-embed-text:latest', 'search_query: ', 'search_document: '],
    ['text-embedding-nomic-embed-text-v1.5', 'search_query: ', 'search_document: '],
    ['nomic-ai/nomic-embed-text-v2-moe', 'search_query: ', 'search_document: '],
    ['text-embedding-embeddinggemma-300m', 'task: search result | query: ', 'title: {title} | text: '],
    ['embeddinggemma:300m-qat-q8_0', 'task: search result | query: ', 'title: {title} | text: '],
    ['google/embedding_gemma', 'task: search result | query: ', 'title: {title} | text: '],
    ['Qwen/Qwen3-Embedding-0.6B-GGUF:Q8_0', RETRIEVE, ''],
    ['qwen3-embedding:4b', RETRIEVE, ''],
    ['bge-m3', '', ''],
    ['BAAI/bge-small-en-v1.5', REPRESENT, ''],
    ['bge-large', REPRESENT, ''],
    ['bge-base-zh-v1.5', '为这个句子生成表示以用于检索相关文章：', ''],
    ['intfloat/e5-base-v2', 'query: ', 'passage: '],
    ['text-embedding-multilingual-e5-large', 'query: ', 'passage: '],
    ['intfloat/multilingual-e5-large-instruct', `${RETRIEVE} `, ''],
    ['e5-mistral-7b-instruct', `${RETRIEVE} `, ''],
    ['mxbai-embed-large:latest', REPRESENT, ''],
    ['snowflake-arctic-embed:335m', REPRESENT, ''],
    ['Snowflake/snowflake-arctic-embed-m-v1.5', REPRESENT, ''],
    ['snowflake-arctic-embed2', 'query: ', ''],
    ['Snowflake/snowflake-arctic-embed-l-v2.0', 'query: ', ''],
    ['jina-embeddings-v2-base-en', '', ''],
    [
      'jinaai/jina-embeddings-v3',
      'Represent the query for retrieving evidence documents: ',
      'Represent the document for retrieval: ',
    ],
    ['jina-embeddings-v4-text-retrieval', 'Query: ', 'Passage: '],
    ['jina-embeddings-v5-text-small-retrieval', 'Query: ', 'Document: '],
    ['all-minilm', '', ''],
  ])('of %s', (model, queryPrefix, documentPrefix) => {
    expect(knownModel(model)).toBeDefined();
    expect(prefixesOf({ model })).toEqual({ queryPrefix, documentPrefix });
  });

  test.each(['plain-model', 'bge-reranker-v2-m3', 'qwen3:8b', 'mistral-embed', 'some5-large'])(
    'are none for %s',
    (model) => {
      expect(knownModel(model)).toBeUndefined();
      expect(prefixesOf({ model })).toEqual({ queryPrefix: '', documentPrefix: '' });
    },
  );

  test('of the settings win, an empty one too', () => {
    expect(prefixesOf({ model: 'nomic-embed-text', queryPrefix: '' })).toEqual({
      queryPrefix: '',
      documentPrefix: 'search_document: ',
    });
  });

  test('get the title of each text', () => {
    expect(titled('title: {title} | text: ', 'A > B')).toBe('title: A > B | text: ');
    expect(titled('title: {title} | text: ', undefined)).toBe('title: none | text: ');
    expect(titled('passage: ', 'A')).toBe('passage: ');
  });
});

describe('a refusal for size is known by its words', () => {
  const error = (message: string) => JSON.stringify({ error: { message } });
  test.each([
    [500, error('input is too large to process. increase the physical batch size'), { axis: 'input-tokens' }],
    [
      500,
      error(
        'input (979 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
      ),
      { axis: 'input-tokens', given: 979, limit: 512 },
    ],
    [
      400,
      '{"error":{"code":400,"message":"request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":8192}}',
      { axis: 'input-tokens', given: 9000, limit: 8192 },
    ],
    [400, error('the input length exceeds the context length'), { axis: 'input-tokens' }],
    [400, error('Input is too long for requested model.'), { axis: 'input-tokens' }],
    [
      400,
      '{"object":"error","message":"This model\'s maximum context length is 512 tokens. However, you requested 600 tokens in the input for embedding generation. Please reduce the length of the input."}',
      { axis: 'input-tokens', given: 600, limit: 512 },
    ],
    [
      413,
      '{"error":"Input validation error: `inputs` must have less than 512 tokens. Given: 980","error_type":"Validation"}',
      { axis: 'input-tokens', given: 980, limit: 512 },
    ],
    [
      400,
      error('Input id 0 has 9000 tokens, exceeding max 8192 tokens.'),
      { axis: 'input-tokens', given: 9000, limit: 8192 },
    ],
    [
      500,
      error('The size of tensor a (600) must match the size of tensor b (512) at non-singleton dimension 1'),
      { axis: 'input-tokens', given: 600, limit: 512 },
    ],
    [
      422,
      '{"error":"batch size 33 > maximum allowed batch size 32","error_type":"Validation"}',
      { axis: 'items', given: 33, limit: 32 },
    ],
    [
      400,
      error(
        '<400> InternalError.Algo.InvalidParameter: Value error, batch size is invalid, it should not be larger than 10.: input.contents',
      ),
      { axis: 'items', limit: 10 },
    ],
    [
      400,
      error(
        "Invalid 'input': array too long. Expected an array with maximum length 2048, but got an array with length 3000 instead.",
      ),
      { axis: 'items', given: 3000, limit: 2048 },
    ],
    [
      422,
      '{"detail":[{"type":"too_long","loc":["body","input"],"msg":"List should have at most 100 items after validation, not 128"}]}',
      { axis: 'items', given: 128, limit: 100 },
    ],
    [
      400,
      '{"message":"invalid request: total number of texts must be at most 96 - received 100"}',
      { axis: 'items', limit: 96 },
    ],
    [400, error('Too many inputs in request, split into more batches.'), { axis: 'items' }],
    [
      400,
      error(
        "Invalid 'input': maximum request size is 300000 tokens per request. Requested 377036 tokens, max 300000 tokens per request",
      ),
      { axis: 'request-bytes', given: 377036, limit: 300000 },
    ],
    [
      400,
      '{"detail":"Request to model \'m\' failed. The max allowed tokens per submitted batch is 120000. Your batch has 121138 tokens after truncation. Please lower the number of tokens in the batch."}',
      { axis: 'request-bytes', given: 121138, limit: 120000 },
    ],
    [400, error('Too many tokens overall, split into more batches.'), { axis: 'request-bytes' }],
    [413, 'Failed to buffer the request body: length limit exceeded', { axis: 'request-bytes' }],
    [413, '<html><h1>413 Request Entity Too Large</h1></html>', { axis: 'request-bytes' }],
    [413, '', { axis: 'request-bytes' }],
  ])('%i %s', (status, body, refusal) => {
    expect(sizeRefusal(status, body)).toEqual(refusal);
  });

  test.each([
    [400, error('model "m" not found, try pulling it first')],
    [400, error('This model does not support embeddings')],
    [429, error('Rate limit reached: Limit 1000000 tokens per min')],
    [400, error('Rate limit reached for TPM: Limit 1000, requested 2000')],
    [401, error('the input length exceeds the context length')],
    [500, error('Internal Server Error')],
    [400, error('invalid input type')],
    [400, error("Invalid value for 'dimensions': must be at most 1536")],
    [404, '404 page not found'],
  ])('and no other: %i %s', (status, body) => {
    expect(sizeRefusal(status, body)).toBeUndefined();
  });

  test('the share that would have been taken is known only from both numbers', () => {
    expect(acceptedShare({ axis: 'input-tokens', limit: 512, given: 1024 })).toBe(0.5);
    expect(acceptedShare({ axis: 'input-tokens', limit: 512 })).toBeUndefined();
    expect(acceptedShare({ axis: 'input-tokens', limit: 512, given: 100 })).toBeUndefined();
  });
});

describe('names of models', () => {
  test.each([
    ['nomic-embed-text', 'nomic-embed-text:latest', true],
    ['nomic-embed-text-v1.5', 'text-embedding-nomic-embed-text-v1.5', true],
    ['qwen3-embedding', '/models/Qwen3_Embedding-0.6B-Q8_0.gguf', true],
    ['bge-m3', 'bge-large', false],
    ['qwen3-embedding:0.6b', 'qwen3-embedding:8b', false],
  ])('%s and %s', (one, other, same) => {
    expect(isSameModel(one, other)).toBe(same);
  });

  test('the nearest are found by what they share', () => {
    const names = ['llama3.2:3b', 'nomic-embed-text:latest', 'mxbai-embed-large:latest', 'qwen3:8b'];
    expect(nearestModels('nomic-embed', names, 2)[0]).toBe('nomic-embed-text:latest');
    expect(nearestModels('zzz', names, 2)).toEqual([]);
  });
});

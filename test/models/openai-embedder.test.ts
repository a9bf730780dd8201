import { describe, expect, test } from 'vitest';
import { isKbError } from '../../src/core/errors.ts';
import { createEmbedder } from '../../src/models/create-embedder.ts';
import { type BadReply, hashedEmbedding } from '../support/embedding-server.ts';
import { cosine, embedAll, embedderAt, embeddings, KEY, norm, serve, texts } from './embedding-support.ts';
import { failure } from './support.ts';

const signal = new AbortController().signal;

/** The vectors a right embedder gives for these texts. */
function expected(inputs: readonly string[], dimensions = 384): number[][] {
  return inputs.map((text) => [...hashedEmbedding(text, dimensions)]);
}

function rounded(vectors: readonly ArrayLike<number>[]): number[][] {
  return vectors.map((vector) => Array.from(vector, (value) => Math.round(value * 1e5) / 1e5 + 0));
}

describe('an embedder', () => {
  test('gives a unit vector for each text, in order, and asks for floats', async () => {
    const server = await serve();
    const inputs = texts(3);
    const { vectors, notices } = await embedAll(await embedderAt(server), inputs);
    expect(rounded(vectors)).toEqual(rounded(expected(inputs)));
    expect(server.requests.map((request) => request.body)).toEqual([
      { model: 'plain-model', input: inputs, encoding_format: 'float' },
    ]);
    expect(notices).toEqual([]);
  });

  test('asks nothing for no texts', async () => {
    const server = await serve();
    expect(await (await embedderAt(server)).embed([], 'document', { signal })).toEqual([]);
    expect(server.requests).toEqual([]);
  });

  test.each<BadReply>(['base64', 'shuffled', 'no-index', 'long-vectors'])(
    'reads the same vectors from a reply that is %s',
    async (reply) => {
      const server = await serve({ reply });
      const inputs = texts(5);
      const { vectors } = await embedAll(await embedderAt(server), inputs);
      expect(rounded(vectors)).toEqual(rounded(expected(inputs)));
      for (const vector of vectors) expect(norm(vector)).toBeCloseTo(1, 5);
    },
  );

  test.each<[BadReply, RegExp]>([
    ['short', /4 vectors came for 5 texts/u],
    ['repeated-index', /two vectors have the index 0/u],
    ['positions', /index 5 where 0 to 4 were sent/u],
    ['zero', /the vector of text 1 \("harbour.*all zeros/u],
    ['nan', /no finite numbers/u],
    ['infinity', /text 1 .*no finite numbers/u],
    ['null', /the vector of text 1 holds values that are no numbers/u],
    ['empty-vector', /text 1 .*is empty/u],
    ['ragged', /vectors of 383 and of 384 numbers/u],
    ['object', /no list "data"/u],
    ['object-vector', /text 1 is missing, or no list/u],
    ['web-page', /a web page/u],
  ])('refuses a reply that is %s, and gives no vector to another text', async (reply, reason) => {
    const server = await serve({ reply });
    const seen: unknown[] = [];
    const embedder = await embedderAt(server);
    const error = await failure(
      embedder.embed(texts(5), 'document', { signal, onBatch: (batch) => void seen.push(batch) }),
    );
    expect(error.code).toBe('embedder-malformed');
    expect(error.message).toMatch(reason);
    expect(error.hint).toContain('kb doctor');
    expect(seen).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('refuses vectors of another dimension than before, as a change and not as a fault', async () => {
    const server = await serve();
    const embedder = await embedderAt(server);
    expect(await embedder.identity(signal)).toEqual({
      model: 'plain-model',
      dimensions: 384,
      queryPrefix: '',
      documentPrefix: '',
      normalised: true,
    });
    server.behaviour = { dimensions: 256 };
    const error = await failure(embedder.embed(['one'], 'query', { signal }));
    expect(isKbError(error, 'embedder-changed') && error.details).toEqual({
      indexed: '384 dimensions',
      configured: '256 dimensions',
    });
    expect(error.hint).toContain('kb ingest --reindex');
  });

  test('asks for the configured dimension and says so when the server gives another', async () => {
    const server = await serve({ dimensions: 64 });
    const embedder = await embedderAt(server, { dimensions: 32 });
    expect(embedder.recipe.dimensions).toBe(32);
    const error = await failure(embedder.embed(['one'], 'document', { signal }));
    expect(error.code).toBe('embedder-changed');
    expect(error.hint).toContain('remove embeddings.dimensions');
    expect(server.requests[0]?.body['dimensions']).toBe(32);
  });

  test('tells when another model answers', async () => {
    const server = await serve({ answersAs: 'other-model' });
    const { notices } = await embedAll(await embedderAt(server, { batch: { items: 1 } }), texts(3));
    expect(notices).toEqual([{ kind: 'model-differs', requested: 'plain-model', answered: 'other-model' }]);
    const same = await serve({ answersAs: '/models/Plain_Model-Q8_0.gguf' });
    expect((await embedAll(await embedderAt(same), texts(3))).notices).toEqual([]);
  });

  test('puts the prefix of its role before each text, with titles', async () => {
    const server = await serve();
    const embedder = await embedderAt(server, {
      queryPrefix: 'find: ',
      documentPrefix: 'title: {title} | text: ',
    });
    await embedder.embed(['moor'], 'query', { signal });
    await embedder.embed(['a', 'b', 'c'], 'document', {
      signal,
      titles: ['Ropes >\n $& Knots', undefined, ' '],
    });
    expect(server.requests.map((request) => request.input)).toEqual([
      ['find: moor'],
      ['title: Ropes > $& Knots | text: a', 'title: none | text: b', 'title: none | text: c'],
    ]);
  });

  test('sends valid text only, never an empty one', async () => {
    const server = await serve();
    const embedder = await embedderAt(server);
    await embedder.embed(['a\u0000b \ud800 c😀'], 'document', { signal });
    expect(server.requests[0]?.input).toEqual(['a b \ufffd c😀']);
    const { vectors } = await embedAll(embedder, ['x', '', ' \n\t', '\u0000\u0007']);
    expect(server.requests[1]?.input).toEqual(['x', '.', '.', '.']);
    expect(vectors).toHaveLength(4);
  });

  test('finds texts of the same words near each other', async () => {
    const embedder = await embedderAt(await serve());
    const query = await embedder.embed(['how are ropes knotted'], 'query', { signal });
    const [near, far] = await embedder.embed(
      ['Knotting a rope: the rope is laid over the knot.', 'Certificates are signed by the authority.'],
      'document',
      { signal },
    );
    const likeness = [near, far].map((vector) =>
      cosine(query[0] ?? new Float32Array(), vector ?? new Float32Array()),
    );
    expect(likeness[0]).toBeGreaterThan(0.4);
    expect(likeness[1]).toBeLessThan(0.15);
  });
});

describe('the address and the key', () => {
  test.each([
    ['http://example.org/v1', /https/u],
    ['https://me:secret-key-1234@example.org/v1', /password/u],
    [undefined, /base_url is not set/u],
  ])('are checked before anything is sent: %s', async (baseUrl, message) => {
    const error = await failure(
      createEmbedder(embeddings(baseUrl === undefined ? {} : { baseUrl }), {
        OPENAI_API_KEY: KEY,
        OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
      }),
    );
    expect(error).toMatchObject({ code: 'config-invalid', message: expect.stringMatching(message) });
    expect(JSON.stringify([error.message, error.details, error.hint])).not.toContain(KEY);
  });

  test('the key goes to the server and into no message', async () => {
    const server = await serve({ key: 'another' });
    const embedder = await embedderAt(server, { apiKeyEnv: 'KB_KEY' });
    const error = await failure(embedder.embed(['x'], 'document', { signal }));
    expect(server.requests).toHaveLength(0);
    expect(error.code).toBe('embedder-rejected');
    expect(error.hint).toContain('KB_KEY');
    expect(JSON.stringify([error.message, error.details, error.hint])).not.toContain(KEY);
    server.behaviour = { key: KEY };
    expect(await embedder.embed(['x'], 'document', { signal })).toHaveLength(1);
    expect(server.requests[0]?.headers).not.toHaveProperty('cookie');
  });

  test('no key is sent where none is configured', async () => {
    const server = await serve();
    await (await embedderAt(server)).embed(['x'], 'document', { signal });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('a query string of the address goes along', async () => {
    const server = await serve();
    const embedder = await embedderAt(server, { baseUrl: `${server.url}/?version=2` });
    await embedder.embed(['x'], 'document', { signal });
    expect(server.requests[0]?.path).toBe('/v1/embeddings?version=2');
  });
});

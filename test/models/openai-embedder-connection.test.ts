import { describe, expect, test } from 'vitest';
import type { EmbeddedBatch } from '../../src/core/embedder.ts';
import { createEmbedder } from '../../src/models/create-embedder.ts';
import { embedAll, embedderAt, embeddings, serve, texts } from './embedding-support.ts';
import { failure } from './support.ts';

const signal = new AbortController().signal;

function elapsed(started: number): number {
  return (performance.now() - started) / 1000;
}

describe('a server that is only busy', () => {
  test.each([429, 500, 503])('is asked again after status %i', async (status) => {
    const server = await serve({ refusal: { status }, refusesFirst: 2 });
    const { vectors } = await embedAll(await embedderAt(server), texts(2));
    expect(vectors).toHaveLength(2);
    expect(server.requests.map((request) => request.status)).toEqual([status, status, 200]);
  });

  test('is waited for as long as it asks', async () => {
    const server = await serve({ refusal: { status: 429, retryAfter: '0.4' }, refusesFirst: 1 });
    const started = performance.now();
    await embedAll(await embedderAt(server), texts(2));
    expect(elapsed(started)).toBeGreaterThan(0.38);
    const date = new Date(Date.now() + 900).toUTCString();
    server.behaviour = { refusal: { status: 429, retryAfter: date }, refusesFirst: 2 };
    await embedAll(await embedderAt(server), texts(2));
    expect(server.requests.map((request) => request.status)).toEqual([429, 200, 429, 200]);
  });

  test.each([429, 500])('is given up after three times status %i', async (status) => {
    const server = await serve({ refusal: { status } });
    const error = await failure(embedAll(await embedderAt(server), texts(20)));
    expect(error).toMatchObject({ code: 'embedder-rejected', details: { status } });
    expect(server.requests).toHaveLength(3);
  });

  test('is not waited for when it asks for an hour, or has no credit', async () => {
    const server = await serve({ refusal: { status: 429, retryAfter: '3600' } });
    expect((await failure(embedAll(await embedderAt(server), texts(1)))).hint).toContain(
      'goes on where it stopped',
    );
    server.behaviour = { refusal: { status: 429, body: '{"error":{"code":"insufficient_quota"}}' } };
    await failure(embedAll(await embedderAt(server), texts(1)));
    expect(server.requests).toHaveLength(2);
  });

  test('never makes a query wait', async () => {
    const server = await serve({ refusal: { status: 503 }, refusesFirst: 1 });
    const embedder = await embedderAt(server);
    expect((await failure(embedder.embed(['x'], 'query', { signal }))).code).toBe('embedder-rejected');
    expect(server.requests).toHaveLength(1);
  });
});

describe('a connection', () => {
  test('that is refused is an error at once, with the address', async () => {
    const server = await serve();
    const { url } = server;
    await server.stop();
    const embedder = await createEmbedder(embeddings({ baseUrl: url }), {});
    const error = await failure(embedAll(embedder, texts(1)));
    expect(error).toMatchObject({ code: 'embedder-unreachable', details: { url } });
    expect(error.message).toContain('connection refused');
    expect(error.hint).toContain('embeddings.base_url');
  });

  test.each(['close', 'close-in-body'] as const)('that breaks (%s) is tried three times', async (trouble) => {
    const server = await serve({ trouble });
    const error = await failure(embedAll(await embedderAt(server), texts(1)));
    expect(error.code).toBe('embedder-unreachable');
    expect(error.message).toContain('broke off');
    expect(server.requests).toHaveLength(3);
  });

  test.each(['hang', 'hang-in-body'] as const)(
    'that goes silent (%s) ends after the timeout; several texts get one more chance, in fewer',
    async (trouble) => {
      const server = await serve({ trouble });
      const started = performance.now();
      const error = await failure(embedAll(await embedderAt(server, { timeoutSeconds: 0.3 }), texts(20)));
      expect(error).toMatchObject({ code: 'embedder-timeout', details: { seconds: 0.3 } });
      expect(error.hint).toContain('embeddings.timeout');
      expect(elapsed(started)).toBeLessThan(2);
      expect(server.requests.map((request) => request.input.length)).toEqual([8, 2]);
    },
  );

  test('of a query has a limit of its own', async () => {
    const server = await serve({ trouble: 'hang' });
    const embedder = await embedderAt(server, { timeoutSeconds: 60, queryTimeoutSeconds: 0.2 });
    const started = performance.now();
    const error = await failure(embedder.embed(['x'], 'query', { signal }));
    expect(error).toMatchObject({ code: 'embedder-timeout', details: { seconds: 0.2 } });
    expect(error.hint).toContain('embeddings.query_timeout');
    expect(elapsed(started)).toBeLessThan(1.5);
  });

  test.each([
    { trouble: 'hang' },
    { trouble: 'hang-in-body' },
    { refusal: { status: 429, retryAfter: '20' } },
  ] as const)('ends at once when it is stopped: %o', async (behaviour) => {
    const server = await serve(behaviour);
    const stop = new AbortController();
    const call = (await embedderAt(server)).embed(texts(3), 'document', { signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    const started = performance.now();
    expect((await failure(call)).code).toBe('aborted');
    expect(elapsed(started)).toBeLessThan(1);
  });

  test('that redirects is not followed', async () => {
    const server = await serve({ refusal: { status: 307, body: '' } });
    const error = await failure(embedAll(await embedderAt(server), texts(1)));
    expect(error).toMatchObject({ code: 'embedder-rejected', details: { status: 307 } });
    expect(error.hint).toContain('embeddings.base_url');
  });
});

describe('a run that fails in the middle', () => {
  test('has given what it had, and only the rest is sent again', async () => {
    const server = await serve();
    const inputs = texts(40);
    const kept = new Map<number, Float32Array>();
    const keep = ({ indexes, vectors }: EmbeddedBatch) => {
      for (const [position, index] of indexes.entries()) {
        expect(kept.has(index)).toBe(false);
        kept.set(index, vectors[position] ?? new Float32Array());
      }
      if (kept.size >= 24) server.behaviour = { refusal: { status: 400, body: 'broken' } };
    };
    const embedder = await embedderAt(server);
    await failure(embedder.embed(inputs, 'document', { signal, onBatch: keep }));
    expect(kept.size).toBe(24);
    server.behaviour = {};
    const rest = inputs.filter((_, index) => !kept.has(index));
    await embedder.embed(rest, 'document', { signal });
    expect([...server.embedded].sort()).toEqual([...inputs].sort());
  });

  test('waits for what is done with each batch', async () => {
    const server = await serve();
    let open = 0;
    await (await embedderAt(server)).embed(texts(30), 'document', {
      signal,
      onBatch: async () => {
        open += 1;
        expect(open).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        open -= 1;
      },
    });
    expect(server.requests.map((request) => request.input.length)).toEqual([8, 16, 6]);
  });

  test('slow answers make requests smaller', async () => {
    const server = await serve({ slowness: 60 });
    await embedAll(await embedderAt(server, { timeoutSeconds: 0.9 }), texts(12));
    expect(server.requests.map((request) => request.input.length)).toEqual([8, 4]);
    expect(server.requests.every((request) => request.status === 200)).toBe(true);
  });
});

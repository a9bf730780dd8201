import { expect, test } from 'vitest';
import type { EmbeddingsConfig } from '../../src/core/config.ts';
import { type EmbedderCheck, probeEmbedder } from '../../src/models/embedder-probe.ts';
import type { Behaviour } from '../support/embedding-server.ts';
import { embeddings, KEY, serve } from './embedding-support.ts';
import { failure } from './support.ts';

const signal = new AbortController().signal;

async function probe(
  behaviour: Behaviour,
  more: Partial<EmbeddingsConfig> = {},
): Promise<ReadonlyMap<string, EmbedderCheck>> {
  const server = await serve({ models: ['plain-model', 'nomic-embed-text:latest'], ...behaviour });
  const checks = await probeEmbedder(embeddings({ baseUrl: server.url, ...more }), { KB_KEY: KEY }, signal);
  return new Map(checks.map((check) => [check.name.replace('embeddings ', ''), check]));
}

test('a server without faults passes every check', async () => {
  const checks = await probe({});
  expect([...checks].map(([name, { status }]) => [name, status])).toEqual([
    ['server', 'ok'],
    ['model', 'ok'],
    ['vectors', 'ok'],
    ['batch', 'ok'],
    ['length', 'ok'],
    ['prefixes', 'ok'],
  ]);
  expect(checks.get('vectors')?.text).toBe('384 dimensions, of unit length');
  expect(checks.get('prefixes')?.text).toContain('kb knows of none for plain-model');
});

test('vectors of another length are told', async () => {
  const checks = await probe({ reply: 'long-vectors', dimensions: 96 });
  expect(checks.get('vectors')?.text).toBe('96 dimensions, of length 20.0, brought to unit length by kb');
});

test('a model that is not listed is answered with the nearest that is', async () => {
  const checks = await probe({}, { model: 'nomic-embed' });
  expect(checks.get('model')).toMatchObject({
    status: 'ok',
    text: 'nomic-embed is listed as nomic-embed-text:latest',
  });
  const wrong = await probe(
    { models: ['llama3.2:3b', 'nomic-embed-text:latest'] },
    { model: 'nomic-embd-text' },
  );
  expect(wrong.get('model')).toMatchObject({
    status: 'warn',
    hint: 'set embeddings.model: nomic-embed-text:latest',
  });
});

test('a server without a list is still looked at', async () => {
  const server = await serve();
  const checks = await probeEmbedder(embeddings({ baseUrl: server.url }), {}, signal);
  expect(checks[0]).toMatchObject({
    status: 'ok',
    text: expect.stringContaining('lists no models (status 404)'),
  });
  expect(checks.map((check) => check.name)).toContain('embeddings length');
});

test('silent cutting is found', async () => {
  const checks = await probe({ cutsAt: 512 });
  expect(checks.get('length')).toMatchObject({
    status: 'warn',
    text: expect.stringContaining('cut off without a word'),
  });
  expect(checks.get('length')?.hint).toContain('num_ctx');
});

test('a refusal of long texts is no silent cutting', async () => {
  const checks = await probe({ maxInputTokens: 512 });
  expect(checks.get('length')).toMatchObject({
    status: 'ok',
    text: expect.stringContaining('kb shortens it'),
  });
});

test('vectors in another order without an index are found', async () => {
  const checks = await probe({ reply: 'shuffled-without-index' });
  expect(checks.get('batch')).toMatchObject({ status: 'fail', text: expect.stringContaining('4, 3, 2, 1') });
});

test.each<[string, Behaviour, RegExp]>([
  ['a wrong key', { key: 'another' }, /status 401/u],
  ['zeros', { reply: 'zero' }, /all zeros/u],
  ['a chat model', { reply: 'error' }, /not embedding/u],
])('%s is a failed check with a hint', async (_, behaviour, message) => {
  const checks = [...(await probe(behaviour, { apiKeyEnv: 'KB_KEY' })).values()];
  const found = checks.filter((check) => check.status === 'fail');
  expect(found).toHaveLength(1);
  expect(found[0]?.text).toMatch(message);
  expect(found[0]?.hint).toBeDefined();
  expect(JSON.stringify(checks)).not.toContain(KEY);
});

test('nobody at the address is one failed check', async () => {
  const server = await serve();
  const { url } = server;
  await server.stop();
  const checks = await probeEmbedder(embeddings({ baseUrl: url }), {}, signal);
  expect(checks.map((check) => [check.name, check.status])).toEqual([
    ['embeddings', 'fail'],
    ['embeddings prefixes', 'ok'],
  ]);
  expect(checks[0]?.text).toContain('connection refused');
});

test('prefixes are compared with those of the model card', async () => {
  const expected = await probe({}, { model: 'nomic-embed-text' });
  expect(expected.get('prefixes')).toMatchObject({
    status: 'ok',
    text: 'query "search_query: ", document "search_document: ", as the card of nomic-embed-text has them',
  });
  const off = await probe({}, { model: 'nomic-embed-text', queryPrefix: '' });
  expect(off.get('prefixes')).toMatchObject({ status: 'warn', hint: expect.stringContaining('--reindex') });
  const own = await probe({}, { queryPrefix: 'find: ' });
  expect(own.get('prefixes')?.text).toBe('query "find: ", document "", from the settings');
});

test('it ends when it is stopped', async () => {
  const server = await serve({ trouble: 'hang', models: [] });
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 100);
  const call = probeEmbedder(embeddings({ baseUrl: server.url }), {}, stop.signal);
  expect((await failure(call)).code).toBe('aborted');
});

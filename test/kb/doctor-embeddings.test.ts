import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '../../src/kb/doctor.ts';
import { EmbeddedBase, pages } from '../support/embedded-base.ts';
import { EmbeddingServer } from '../support/embedding-server.ts';

const server = await EmbeddingServer.start();
afterAll(() => server.stop());
beforeEach(() => {
  server.behaviour = { models: ['hashed', 'hashed-large'] };
});

async function rows(base: EmbeddedBase): Promise<Map<string, Check>> {
  const checks = await base.use((kb) => kb.doctor());
  return new Map(checks.map((check) => [check.name, check]));
}

describe('doctor, where embeddings are configured', () => {
  test('looks at the server, the model, its vectors, the prefixes and what the index holds', async () => {
    const base = new EmbeddedBase(server, pages(4));
    await base.ingest();
    const found = await rows(base);
    for (const name of [
      'sqlite-vec',
      'vectors',
      'vectors identity',
      'embeddings server',
      'embeddings model',
      'embeddings vectors',
      'embeddings batch',
      'embeddings length',
      'embeddings prefixes',
    ])
      expect(found.get(name), name).toMatchObject({ status: 'ok' });
    expect(found.get('vectors')?.text).toBe('4 of 4 different texts have one');
    expect(found.get('vectors identity')?.text).toContain('model=hashed dim=384');
    expect(found.get('tier')?.text).toBe('hybrid (FTS5 + vectors, RRF) - model=hashed dim=384');
  });

  test('names the model the server has instead, and texts without a vector', async () => {
    const base = new EmbeddedBase(server, pages(4));
    await base.ingest();
    base.configure(undefined);
    base.write(pages(2, 'new'));
    await base.ingest();
    base.configure({});
    server.behaviour = { models: ['hasher', 'other'] };
    const found = await rows(base);
    expect(found.get('vectors')).toMatchObject({ status: 'warn', text: '4 of 6 different texts have one' });
    expect(found.get('embeddings model')).toMatchObject({
      status: 'warn',
      hint: expect.stringContaining('hasher'),
    });
  });

  test('tells another model in the settings, and another dimension from the server, from what is in the index', async () => {
    const base = new EmbeddedBase(server, pages(2));
    await base.ingest();
    server.behaviour = { dimensions: 128 };
    expect((await rows(base)).get('vectors identity')).toMatchObject({
      status: 'fail',
      text: expect.stringMatching(/384.*128/u),
      hint: expect.stringContaining('--reindex'),
    });
    base.configure({ model: 'another' });
    expect((await rows(base)).get('vectors identity')?.text).toMatch(/hashed.*another/u);
  });

  test('says why a server cannot be reached, and still what the index holds', async () => {
    const base = new EmbeddedBase(server, pages(2));
    await base.ingest();
    base.configure({ base_url: 'http://127.0.0.1:9/v1' });
    const found = await rows(base);
    expect([...found.values()].filter((check) => check.status === 'fail')).toHaveLength(1);
    expect(found.get('embeddings')).toMatchObject({
      status: 'fail',
      hint: expect.stringContaining('start the server'),
    });
    expect(found.get('vectors')).toMatchObject({ status: 'ok' });
  });

  test('asks nobody where none are configured, and says that old vectors are kept', async () => {
    const base = new EmbeddedBase(server, pages(2));
    await base.ingest();
    base.configure(undefined);
    server.requests.length = 0;
    const found = await rows(base);
    expect(server.requests).toHaveLength(0);
    expect(found.get('vectors')?.text).toContain('the 2 vectors made before are kept and not used');
    expect(found.get('tier')?.text).toBe('lexical (FTS5) - no embeddings configured');
  });
});

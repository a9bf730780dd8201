import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { pinnedIdentity } from '../../src/store/embeddings.ts';
import { checkIntegrity } from '../../src/store/maintenance.ts';
import { EmbeddedBase, expectOwnVectors, pages } from '../support/embedded-base.ts';
import { EmbeddingServer } from '../support/embedding-server.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';

const server = await EmbeddingServer.start();
afterAll(() => server.stop());
beforeEach(() => {
  server.behaviour = {};
  server.requests.length = 0;
});

/** Texts of documents the server gave vectors for; without the word asked for its dimension alone. */
const embedded = () => server.embedded.filter((text) => !text.endsWith('dimension'));

describe('an ingest with embeddings', () => {
  test('embeds each different text once, also where it stands in several documents', async () => {
    const base = new EmbeddedBase(server, {
      'a.md': '# A\n\nThe same words.\n\n## B\n\nOther words.\n',
      'c.md': '# C\n\nThe same words.\n',
      'd.md': '# D\n\n## E\n\nThe same words.\n',
    });
    const report = await base.ingest();
    expect(embedded().sort()).toEqual(['Other words.', 'The same words.']);
    expect(report.vectors).toMatchObject({ embedded: 2, kept: 0, identity: 'model=hashed dim=384' });
    expectOwnVectors(base);
    const { hits } = await base.use((kb) => kb.search({ text: 'same words', tier: 'vector', topK: 10 }));
    expect(
      hits
        .filter((hit) => hit.content.includes('same'))
        .map((hit) => hit.path)
        .sort(),
    ).toEqual(['docs/a.md', 'docs/c.md', 'docs/d.md']);
  });

  test('embeds a text below each of its titles where the prefix has a place for them', async () => {
    const base = new EmbeddedBase(server, {
      'a.md': '# A\n\nSame.\n',
      'b.md': '# B\n\nSame.\n',
      'c.md': '# B\n\nSame.\n',
    });
    base.configure({ document_prefix: 'title: {title} | text: ' });
    await base.ingest();
    expect(embedded().sort()).toEqual(['title: A | text: Same.', 'title: B | text: Same.']);
    expect(base.read(checkIntegrity)).toEqual([]);
    await base.ingest();
    expect(embedded()).toHaveLength(2);
  });

  test('asks for nothing when nothing has changed, and only for what is new when something has', async () => {
    const base = new EmbeddedBase(server, pages(5));
    await base.ingest();
    server.requests.length = 0;
    const again = await base.ingest();
    expect(server.requests).toHaveLength(0);
    expect(again.vectors).toMatchObject({ embedded: 0, kept: 5 });
    base.write({ 'topic1.md': '# Page\n\nQuite new.\n', 'moved.md': pages(5)['topic2.md'] ?? '' });
    rmSync(join(base.home, 'docs', 'topic2.md'));
    await base.ingest();
    expect(embedded()).toEqual(['Quite new.']);
    expectOwnVectors(base);
  });

  test('switched on embeds only what lacks a vector; switched off leaves lexical results as they were', async () => {
    const base = new EmbeddedBase(server, pages(12));
    const found = async () => {
      const result = await base.use((kb) => kb.search({ text: 'harbour topic3 say', topK: 20 }));
      return { tier: result.tier, hits: result.hits };
    };
    base.configure(undefined);
    await base.ingest();
    const before = await found();
    expect(before.tier).toBe('tier: lexical (FTS5) - no embeddings configured');
    base.configure({});
    expect((await base.ingest()).files.every((file) => file.status === 'unchanged')).toBe(true);
    expect(embedded()).toHaveLength(12);
    base.configure(undefined);
    await base.ingest();
    base.write({ 'late.md': '# Late\n\nAdded without vectors.\n' });
    await base.ingest();
    rmSync(join(base.home, 'docs', 'late.md'));
    await base.ingest();
    server.requests.length = 0;
    expect(await found()).toEqual(before);
    base.write({ 'late.md': '# Late\n\nAdded without vectors.\n' });
    base.configure({});
    await base.ingest();
    expect(embedded()).toEqual(['Added without vectors.']);
  });

  test.each([
    ['model', { model: 'another' }, /hashed.*another/u],
    ['query prefix', { query_prefix: 'query: ' }, /query prefix "".*"query: "/u],
    ['document prefix', { document_prefix: 'text: ' }, /document prefix "".*"text: "/u],
    ['place for titles', { document_prefix: '{title}: ' }, /document prefix/u],
    ['dimension', { dimensions: 128 }, /384.*128/u],
  ])(
    'with another %s is refused before anything is asked, naming both; --reindex goes over',
    async (_, settings, message) => {
      const base = new EmbeddedBase(server, pages(3));
      await base.ingest();
      server.requests.length = 0;
      base.configure(settings);
      for (const attempt of [() => base.ingest(), () => base.use((kb) => kb.search({ text: 'topic' }))]) {
        const error = await kbErrorOf(attempt);
        expect(error.code).toBe('embedder-changed');
        expect(error.message).toMatch(message);
        expect(error.hint).toMatch(/kb ingest manual --reindex/u);
      }
      expect(server.requests).toHaveLength(0);
      server.behaviour = { dimensions: 'dimensions' in settings ? 128 : 384 };
      const report = await base.ingest({ reindex: true });
      expect(report.vectors).toMatchObject({ embedded: 3, kept: 0 });
      expect(base.read(checkIntegrity)).toEqual([]);
      expect((await base.use((kb) => kb.search({ text: 'topic' }))).tier).toContain(
        'hybrid (FTS5 + vectors, RRF)',
      );
    },
  );

  test('--reindex makes every vector anew, and keeps the old ones until the server has answered', async () => {
    const base = new EmbeddedBase(server, pages(3));
    await base.ingest();
    server.behaviour = { trouble: 'close' };
    const error = await kbErrorOf(() => base.ingest({ reindex: true }));
    expect(error.message).toContain('3 of 3 texts have vectors');
    server.behaviour = {};
    server.requests.length = 0;
    await base.ingest({ reindex: true });
    expect(embedded()).toHaveLength(3);
  });

  test('notices when the server has exchanged the model under the same name; --reindex goes over', async () => {
    const base = new EmbeddedBase(server, pages(3));
    await base.ingest();
    server.behaviour = { dimensions: 128 };
    base.write(pages(1, 'new'));
    expect((await kbErrorOf(() => base.ingest())).code).toBe('embedder-changed');
    expect(embedded()).toHaveLength(3);
    expect((await kbErrorOf(() => base.use((kb) => kb.search({ text: 'topic' })))).code).toBe(
      'embedder-changed',
    );
    await base.ingest({ reindex: true });
    expectOwnVectors(base, 128);
    expect(base.read(pinnedIdentity)?.dimensions).toBe(128);
  });

  test('as a dry run says so where it can have no temporary folder', async () => {
    const base = new EmbeddedBase(server, pages(1));
    vi.stubEnv('TMPDIR', join(base.home, 'nope'));
    const error = await kbErrorOf(() => base.ingest({ dryRun: true }));
    vi.unstubAllEnvs();
    expect(error.code).toBe('index-unwritable');
    expect(error.message).toContain(`none can be made in ${join(base.home, 'nope')}`);
    expect(error.hint).toContain('TMPDIR');
  });

  test('as a dry run counts what it would embed, and leaves nothing behind', async () => {
    const base = new EmbeddedBase(server, pages(7));
    expect((await base.ingest({ dryRun: true })).dryRun).toEqual({ pendingVectors: 7 });
    expect(existsSync(join(base.home, 'indexes'))).toBe(false);
    expect((await base.use((kb) => kb.search({ text: 'topic' }))).status).toBe('index_not_built');
    await base.ingest();
    base.write(pages(2, 'new'));
    const before = readdirSync(join(base.home, 'indexes')).sort();
    server.requests.length = 0;
    expect((await base.ingest({ dryRun: true })).dryRun).toEqual({ pendingVectors: 2 });
    expect((await base.ingest({ dryRun: true, reindex: true })).dryRun).toEqual({ pendingVectors: 9 });
    expect(readdirSync(join(base.home, 'indexes')).sort()).toEqual(before);
    expect(server.requests).toHaveLength(0);
    expect(base.vectors().size).toBe(7);
  });

  test('of a server that cannot be reached fails loud and leaves a good lexical index', async () => {
    const base = new EmbeddedBase(server, pages(3));
    base.configure({ base_url: 'http://127.0.0.1:9/v1' });
    const error = await kbErrorOf(() => base.ingest());
    expect(error.code).toBe('embedder-unreachable');
    expect(error.message).toContain('the text is indexed and found by its words; 0 of 3 texts have vectors');
    expect(base.read(checkIntegrity)).toEqual([]);
    const result = await base.use((kb) => kb.search({ text: 'topic2' }));
    expect(result.tier).toMatch(/^tier: hybrid -> DEGRADED to lexical \(embeddings unreachable: /u);
    expect(result.hits[0]?.path).toBe('docs/topic2.md');
    base.configure({});
    await base.ingest();
    expectOwnVectors(base);
  });

  test('that is stopped keeps what was written, and goes on there', async () => {
    const base = new EmbeddedBase(server, pages(40));
    base.configure({ batch: { items: 4 } });
    const stop = new AbortController();
    const error = await kbErrorOf(() =>
      base.ingest({
        signal: stop.signal,
        onProgress: (step) => {
          if (step.phase === 'vectors' && step.done >= 12) stop.abort();
        },
      }),
    );
    expect(error.code).toBe('aborted');
    expect(error.message).toContain('12 of 40 texts have vectors');
    await base.ingest();
    expect(embedded()).toHaveLength(40);
    expect(new Set(embedded()).size).toBe(40);
    expectOwnVectors(base);
  });
});

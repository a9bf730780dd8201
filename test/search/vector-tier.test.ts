import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { EmbeddedBase, pages } from '../support/embedded-base.ts';
import { EmbeddingServer } from '../support/embedding-server.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';

const server = await EmbeddingServer.start();
afterAll(() => server.stop());
beforeEach(() => {
  server.behaviour = {};
});

const HYBRID = 'tier: hybrid (FTS5 + vectors, RRF) - model=hashed dim=384';

describe('a search with vectors', () => {
  test('says which tier answered, in tools and in the outline too', async () => {
    const base = new EmbeddedBase(server, pages(5));
    await base.ingest();
    await base.use(async (kb) => {
      expect((await kb.search({ text: 'topic1' })).tier).toBe(HYBRID);
      expect((await kb.search({ text: 'topic1', fusion: 'minmax' })).tier).toContain('min-max');
      expect((await kb.search({ text: 'topic1', tier: 'vector' })).tier).toBe(
        'tier: vector - model=hashed dim=384',
      );
      expect((await kb.outline({ query: 'topic1', limit: 5 })).tier).toBe(HYBRID);
      expect((await kb.stats()).tier).toBe(HYBRID);
      const search = (await kb.tools()).find((tool) => tool.spec.name === 'knowledge_search');
      const call = async (query: string) => search?.call({ query }, new AbortController().signal);
      const found = await call('topic2');
      expect(found?.data).toMatchObject({ tier: HYBRID });
      expect(found?.text).toContain('hybrid (FTS5 + vectors, RRF) - model=hashed dim=384');
      server.behaviour = { trouble: 'close' };
      const degraded = await call('topic3 now');
      expect(degraded?.tier).toContain('DEGRADED');
      expect(degraded?.text).toContain('hybrid -> DEGRADED to lexical (embeddings unreachable: ');
    });
  });

  test('orders equals by path, however the index came about', async () => {
    const names = ['a.md', 'b.md', 'c.md', 'd.md'];
    const same = (some: readonly string[]) =>
      Object.fromEntries(some.map((name) => [name, '# Same\n\nthe very same words\n']));
    const base = new EmbeddedBase(server, same(['d.md', 'b.md']));
    await base.ingest();
    base.write(same(['c.md', 'a.md']));
    await base.ingest();
    await base.use(async (kb) => {
      for (const tier of ['lexical', 'vector', 'hybrid'] as const) {
        for (const fusion of ['rrf', 'minmax'] as const) {
          const query = { text: 'very same words', tier, fusion };
          const { hits } = await kb.search({ ...query, copies: 'apart' });
          expect(
            hits.map((hit) => hit.path),
            `${tier} ${fusion}`,
          ).toEqual(names.map((name) => `docs/${name}`));
          const together = await kb.search(query);
          expect(together.hits.map((hit) => [hit.path, hit.alsoAt?.count])).toEqual([['docs/a.md', 3]]);
        }
      }
    });
  });

  test('finds what only the spelling is near to, and shows where each retriever put it', async () => {
    const base = new EmbeddedBase(server, {
      ...pages(30),
      'k.md': '# K\n\nKubernetesoperators everywhere.\n',
    });
    await base.ingest();
    await base.use(async (kb) => {
      const text = 'operatorskubernetes';
      expect((await kb.search({ text, tier: 'lexical' })).hits).toEqual([]);
      const { hits } = await kb.search({ text });
      expect(hits[0]?.path).toBe('docs/k.md');
      expect(hits[0]?.evidence).toEqual([expect.objectContaining({ retriever: 'vector', rank: 1 })]);
      const both = await kb.search({ text: 'kubernetesoperators everywhere' });
      expect(both.hits[0]?.evidence.map((one) => [one.retriever, one.rank])).toEqual([
        ['lexical', 1],
        ['vector', 1],
      ]);
      expect((await kb.search({ text, topK: 20 })).hits).toHaveLength(20);
    });
  });

  test('puts the same sections first, however many are wanted', async () => {
    const words = ['harbour', 'lantern', 'meadow', 'orchard', 'pebble', 'quarry'];
    // Every page has words of the question, in another mixture.
    const mixed = Array.from({ length: 150 }, (_, at) =>
      words.map((word, position) => `${word} `.repeat(1 + ((at * (position + 3)) % 7))).join(' '),
    );
    const base = new EmbeddedBase(
      server,
      Object.fromEntries(mixed.map((text, at) => [`p${at}.md`, `# P${at}\n\n${text}\n`])),
    );
    await base.ingest();
    await base.use(async (kb) => {
      for (const fusion of ['rrf', 'minmax'] as const) {
        const text = 'lantern in the quarry of pebbles';
        const refs = async (topK: number) => {
          const { hits } = await kb.search({ text, topK, fusion, maxTokens: 0, copies: 'apart' });
          return hits.map(({ ref }) => ref);
        };
        const all = await refs(150);
        expect(new Set(all).size).toBe(150);
        for (const few of [5, 50, 100]) expect(await refs(few)).toEqual(all.slice(0, few));
      }
    });
  });

  test('asks once for the same words, and not at all for none', async () => {
    const base = new EmbeddedBase(server, pages(5));
    await base.ingest();
    await base.use(async (kb) => {
      server.requests.length = 0;
      const first = await kb.search({ text: 'harbour' });
      expect(await kb.search({ text: 'harbour' })).toEqual(first);
      expect(server.requests).toHaveLength(1);
      await kb.search({ text: 'harbour', tier: 'lexical' });
      const nothing = await kb.search({ text: ' \n\u0007' });
      expect(nothing).toMatchObject({ tier: HYBRID, hits: [], note: 'the query has no words to search for' });
      expect(server.requests).toHaveLength(1);
    });
  });

  test('degrades where the key is not in the environment, without asking', async () => {
    const base = new EmbeddedBase(server, pages(3));
    await base.ingest();
    base.configure({ base_url: 'https://embeddings.invalid/v1', api_key_env: 'NO_SUCH_KEY' });
    server.requests.length = 0;
    const { tier, hits } = await base.use((kb) => kb.search({ text: 'topic1' }));
    expect(tier).toMatch(/DEGRADED to lexical .*NO_SUCH_KEY/u);
    expect(hits[0]?.path).toBe('docs/topic1.md');
    expect(server.requests).toHaveLength(0);
  });

  test('under a path compares only what is under it: a thousand nearer chunks elsewhere hide nothing', async () => {
    const near = Object.fromEntries(
      Array.from({ length: 1000 }, (_, at) => [`a/n${at}.md`, `# N\n\nviolin concerto number ${at}\n`]),
    );
    const far = Object.fromEntries(
      [1, 2, 3].map((at) => [
        `b/f${at}.md`,
        `# F\n\nA violin among the many other tools of craftsman ${at}.\n`,
      ]),
    );
    const base = new EmbeddedBase(server, { ...near, ...far });
    await base.ingest();
    await base.use(async (kb) => {
      for (const tier of ['vector', 'hybrid'] as const) {
        const { hits } = await kb.search({ text: 'violin concerto', path: 'docs/b', topK: 5, tier });
        expect(hits.map((hit) => hit.path).sort()).toEqual(['docs/b/f1.md', 'docs/b/f2.md', 'docs/b/f3.md']);
      }
      expect((await kb.search({ text: 'violin', path: 'docs/none', tier: 'vector' })).hits).toEqual([]);
    });
  });

  test('never brings a document that was removed or text that was changed', async () => {
    const base = new EmbeddedBase(server, pages(6));
    await base.ingest();
    const reader = await base.open();
    expect((await reader.search({ text: 'topic3', tier: 'vector' })).hits[0]?.path).toBe('docs/topic3.md');
    rmSync(join(base.home, 'docs', 'topic3.md'));
    base.write({ 'topic4.md': '# Page\n\nabout marmalade only\n' });
    await base.ingest();
    for (const kb of [reader, await base.open()]) {
      const gone = await kb.search({ text: 'All there is to say of topic3', tier: 'vector', topK: 20 });
      expect(gone.hits.map((hit) => hit.path)).not.toContain('docs/topic3.md');
      const changed = await kb.search({ text: 'marmalade', tier: 'vector' });
      expect(changed.hits[0]?.content).toContain('marmalade');
      kb.close();
    }
  });

  test('by a reader that was open before sees another embedder as an error, not as likeness', async () => {
    const base = new EmbeddedBase(server, pages(4));
    await base.ingest();
    const reader = await base.open();
    await reader.search({ text: 'topic1' });
    base.configure({ model: 'another' });
    await base.ingest({ reindex: true });
    expect((await kbErrorOf(() => reader.search({ text: 'topic1' }))).code).toBe('embedder-changed');
    expect((await reader.search({ text: 'topic1', tier: 'lexical' })).hits[0]?.path).toBe('docs/topic1.md');
    reader.close();
  });

  test('finds enough sections where one holds all the nearest chunks', async () => {
    const long = Array.from(
      { length: 60 },
      (_, at) => `A glacier, glacier ${at}. ${`ice${at} `.repeat(290)}`,
    ).join('\n\n');
    const base = new EmbeddedBase(server, { 'long.md': `# Long\n\n${long}\n`, ...pages(8) });
    await base.ingest();
    const { hits } = await base.use((kb) => kb.search({ text: 'glacier glacier', tier: 'vector', topK: 9 }));
    expect(hits).toHaveLength(9);
  });

  test('without sqlite-vec gives the same, and doctor says so', async () => {
    const base = new EmbeddedBase(server, pages(40));
    await base.ingest();
    const plain = await base.open({ KB_NO_VECTOR_EXTENSION: '1' });
    const fast = await base.open();
    for (const text of ['harbour', 'topic7 telescope', 'bread and violin']) {
      for (const tier of ['vector', 'hybrid'] as const) {
        const [one, other] = await Promise.all(
          [plain, fast].map((kb) => kb.search({ text, tier, topK: 20 })),
        );
        expect(one?.hits.map((hit) => hit.ref)).toEqual(other?.hits.map((hit) => hit.ref));
      }
    }
    const row = async (kb: typeof plain) => (await kb.doctor()).find((check) => check.name === 'sqlite-vec');
    expect(await row(fast)).toMatchObject({ status: 'ok' });
    expect(await row(plain)).toMatchObject({ status: 'warn', text: expect.stringContaining('slower') });
    plain.close();
    fast.close();
  });
});

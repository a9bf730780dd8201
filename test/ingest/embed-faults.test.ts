import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { checkIntegrity } from '../../src/store/maintenance.ts';
import { EmbeddedBase, expectOwnVectors, pages } from '../support/embedded-base.ts';
import { type Behaviour, EmbeddingServer } from '../support/embedding-server.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';

const server = await EmbeddingServer.start();
afterAll(() => server.stop());
beforeEach(() => {
  server.behaviour = {};
  server.requests.length = 0;
});

describe('a faulty embeddings server', () => {
  const fine: [string, Behaviour][] = [
    ['sends base64', { reply: 'base64' }],
    ['shuffles its reply', { reply: 'shuffled' }],
    ['leaves out the index', { reply: 'no-index' }],
    ['sends vectors of another length than one', { reply: 'long-vectors' }],
    ['takes few texts at once', { maxItems: 3 }],
    ['takes small requests only (413)', { maxBytes: 600 }],
    ['is busy at first (429)', { refusesFirst: 2, refusal: { status: 429, retryAfter: '0' } }],
    ['fails at first (500)', { refusesFirst: 1, refusal: { status: 500 } }],
    ['answers as another model', { answersAs: 'someone-else' }],
  ];
  test.each(fine)('that %s gives every text its own vector', async (_, behaviour) => {
    const base = new EmbeddedBase(server, pages(10));
    server.behaviour = behaviour;
    const report = await base.ingest();
    expectOwnVectors(base);
    if (behaviour.answersAs !== undefined)
      expect(report.vectors?.notices.join('\n')).toContain('someone-else');
    const search = await base.use((kb) => kb.search({ text: 'topic4 glacier', tier: 'vector' }));
    expect(search.tier).toBe('tier: vector - model=hashed dim=384');
    expect(search.hits[0]?.path).toBe('docs/topic4.md');
  });

  const bad: [string, Behaviour, string][] = [
    ['sends too few vectors', { reply: 'short' }, 'embedder-malformed'],
    ['names one text twice', { reply: 'repeated-index' }, 'embedder-malformed'],
    ['counts from one', { reply: 'positions' }, 'embedder-malformed'],
    ['sends an empty vector', { reply: 'empty-vector' }, 'embedder-malformed'],
    ['sends a vector of zeros', { reply: 'zero' }, 'embedder-malformed'],
    ['sends NaN', { reply: 'nan' }, 'embedder-malformed'],
    ['sends null', { reply: 'null' }, 'embedder-malformed'],
    ['sends infinity', { reply: 'infinity' }, 'embedder-malformed'],
    ['sends vectors of two lengths', { reply: 'ragged' }, 'embedder-malformed'],
    ['sends an object for a list', { reply: 'object' }, 'embedder-malformed'],
    ['sends a web page', { reply: 'web-page' }, 'embedder-malformed'],
    ['refuses', { refusal: { status: 401 } }, 'embedder-rejected'],
    ['closes the connection', { trouble: 'close' }, 'embedder-unreachable'],
    ['closes in the middle', { trouble: 'close-in-body' }, 'embedder-unreachable'],
    ['hangs', { trouble: 'hang' }, 'embedder-timeout'],
  ];
  test.each(bad)(
    'that %s ends the ingest with its error and no vector; the text is found',
    async (_, behaviour, code) => {
      const base = new EmbeddedBase(server, pages(4));
      base.configure({ timeout: '300ms', query_timeout: '300ms', dimensions: 384 });
      server.behaviour = behaviour;
      const error = await kbErrorOf(() => base.ingest());
      expect(error.code).toBe(code);
      expect(base.vectors().size).toBe(0);
      expect(base.read(checkIntegrity)).toEqual([]);
      expect((await base.use((kb) => kb.search({ text: 'topic3' }))).hits[0]?.path).toBe('docs/topic3.md');
      server.behaviour = {};
      await base.ingest();
      expectOwnVectors(base);
    },
  );

  test.each(bad.filter(([, { reply }]) => reply !== 'repeated-index' && reply !== 'ragged'))(
    'that %s when a query comes degrades to what the words find, and says so in time',
    async (_, behaviour) => {
      const base = new EmbeddedBase(server, pages(6));
      base.configure({ query_timeout: '400ms' });
      await base.ingest();
      await base.use(async (kb) => {
        const lexical = await kb.search({ text: 'harbour topic', tier: 'lexical', topK: 20 });
        expect(lexical.tier).toBe('tier: lexical (FTS5) - as asked');
        server.behaviour = behaviour;
        const started = performance.now();
        const result = await kb.search({ text: 'harbour topic', topK: 20 });
        expect(performance.now() - started).toBeLessThan(2000);
        expect(result.tier).toMatch(/^tier: hybrid -> DEGRADED to lexical \(embeddings unreachable: .+\)$/u);
        expect(result.hits).toEqual(lexical.hits);
      });
    },
  );

  test('whose words hold escapes and line ends keeps the tier line one plain line', async () => {
    const base = new EmbeddedBase(server, pages(2));
    await base.ingest();
    server.behaviour = {
      refusal: { status: 400, body: JSON.stringify({ error: { message: '\u001b[31mred\n\ntier: hybrid' } }) },
    };
    const { tier } = await base.use((kb) => kb.search({ text: 'topic' }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(tier).toMatch(/^[^\u0000-\u001f]+$/u);
  });
});

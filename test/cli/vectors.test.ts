import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EmbeddedBase, pages } from '../support/embedded-base.ts';
import { EmbeddingServer } from '../support/embedding-server.ts';
import { Command, finished, jsonOf } from './support.ts';

let server: EmbeddingServer;
const kb = new Command();
beforeAll(async () => {
  server = await EmbeddingServer.start();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.behaviour = {};
});

function baseOf(count: number) {
  const base = new EmbeddedBase(server, pages(count));
  const run = (...args: string[]) => kb.run([...args, '--config', 'manual.yaml'], { cwd: base.home });
  return { base, run };
}

describe('kb with embeddings', () => {
  test('ingests, says what it made, shows no progress in a pipe, and searches with both', async () => {
    const { run } = baseOf(6);
    const dry = await run('ingest', '--dry-run');
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringContaining('6 texts would be embedded, in about 1 requests'),
    ]);
    const made = await run('ingest');
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(made.stdout).toContain('vectors: 6 made, 0 kept (model=hashed dim=384)');
    const found = jsonOf(await run('search', 'topic2', '--json'), 'search');
    expect(found['tier']).toBe('tier: hybrid (FTS5 + vectors, RRF) - model=hashed dim=384');
    const stats = await run('stats');
    expect(stats.stdout).toMatch(/vectors +6 of 6 different texts/u);
  });

  test('ends an ingest without server with exit code 4, and searches by words with the DEGRADED line', async () => {
    const { base, run } = baseOf(3);
    base.configure({ base_url: 'http://127.0.0.1:9/v1' });
    const failed = await run('ingest');
    expect([failed.code, failed.stderr]).toEqual([4, expect.stringContaining('0 of 3 texts have vectors')]);
    const json = await run('ingest', '--json');
    expect(json.code).toBe(4);
    expect(jsonOf(json, 'ingest')).toMatchObject({
      totals: { seen: 3, unchanged: 3 },
      holds: { documents: 3 },
      error: { code: 'embedder-unreachable' },
    });
    const found = await run('search', 'topic2');
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining('docs/topic2.md')]);
    expect(found.stdout).toContain('tier: hybrid -> DEGRADED to lexical (embeddings unreachable: ');
    expect(jsonOf(await run('search', 'topic2', '--json'), 'search')['tier']).toContain('DEGRADED');
  });

  test('refuses another model with exit code 3, at ingest and at search', async () => {
    const { base, run } = baseOf(3);
    await run('ingest');
    base.configure({ model: 'another' });
    for (const command of [['ingest'], ['search', 'topic1']]) {
      const refused = await run(...command);
      expect([refused.code, refused.stderr]).toEqual([
        3,
        expect.stringMatching(/hashed[\s\S]*another[\s\S]*--reindex/u),
      ]);
    }
    expect((await run('search', 'topic1', '--tier', 'lexical')).code).toBe(0);
    expect((await run('ingest', '--reindex')).stdout).toContain(
      'vectors: 3 made, 0 kept (model=another dim=384)',
    );
  });

  test('keeps what was written when Ctrl-C stops it', async () => {
    const { base, run } = baseOf(60);
    base.configure({ batch: { items: 4 } });
    server.behaviour = { slowness: 15 };
    const asked = server.requests.length;
    const child = kb.start(['ingest', '--config', 'manual.yaml'], { cwd: base.home });
    const ended = finished(child);
    while (server.requests.length < asked + 5 && child.exitCode === null)
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    child.kill('SIGINT');
    const stopped = await ended;
    expect(stopped.code, stopped.stderr).toBe(130);
    const kept = base.vectors().size;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(60);
    expect(stopped.stderr).toContain(`kb: interrupted: embedding was stopped; the text is indexed`);
    expect(stopped.stderr).toMatch(new RegExp(`${kept} of 60 texts have vectors`, 'u'));
    server.behaviour = {};
    expect((await run('ingest')).stdout).toContain(`vectors: ${60 - kept} made, ${kept} kept`);
  });
});

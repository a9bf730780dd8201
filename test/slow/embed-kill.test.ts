import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkIntegrity } from '../../src/store/maintenance.ts';
import { Command, finished } from '../cli/support.ts';
import { EmbeddedBase, expectOwnVectors, pages } from '../support/embedded-base.ts';
import { EmbeddingServer } from '../support/embedding-server.ts';

const KILLS = 20;
const TEXTS = 600;
/** Texts of one request: what a kill can cost. */
const BATCH = 8;

describe('an ingest killed while it embeds', () => {
  let server: EmbeddingServer;
  const command = new Command();
  beforeAll(async () => {
    server = await EmbeddingServer.start({ slowness: 2 });
  });
  afterAll(() => server.stop());

  test('twenty times at any moment goes on with the rest, and pays twice for what was on its way only', async () => {
    const base = new EmbeddedBase(server, pages(TEXTS));
    base.configure({ batch: { items: BATCH } });
    const config = join(base.home, 'manual.yaml');
    let atLeast = 0;
    for (let round = 0; round < KILLS; round += 1) {
      const asked = server.requests.length;
      const child = command.start(['ingest', '--config', config], { cwd: base.home });
      const ended = finished(child);
      const wait = round * 17 + Math.random() * 60;
      while (server.requests.length === asked && child.exitCode === null) await pause(5);
      await pause(wait % 90);
      child.kill('SIGKILL');
      await ended;
      const state = base.read((index) => ({
        problems: checkIntegrity(index),
        vectors: index.get<{ n: number }>('SELECT count(*) AS n FROM embedding')?.n ?? 0,
        twice: index.all('SELECT input FROM embedding GROUP BY input HAVING count(*) > 1'),
      }));
      expect(state.problems).toEqual([]);
      expect(state.twice).toEqual([]);
      expect(state.vectors).toBeGreaterThanOrEqual(atLeast);
      atLeast = state.vectors;
    }
    expect(atLeast).toBeGreaterThan(0);
    expect(atLeast).toBeLessThan(TEXTS);
    const last = await command.run(['ingest', '--config', config], { cwd: base.home });
    expect(last.code, last.stderr).toBe(0);
    expect(last.stdout).toContain(`vectors: ${TEXTS - atLeast} made, ${atLeast} kept`);
    expectOwnVectors(base);
    const sent = server.requests.flatMap((request) => request.input).filter((text) => text !== 'dimension');
    const twice = sent.length - new Set(sent).size;
    expect(new Set(sent).size).toBe(TEXTS);
    expect(twice).toBeLessThanOrEqual(KILLS * BATCH);
  });
});

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

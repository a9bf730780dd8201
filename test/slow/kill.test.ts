import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openForReading } from '../../src/store/index-file.ts';
import { checkIntegrity } from '../../src/store/maintenance.ts';
import { Command, finished, jsonOf } from '../cli/support.ts';
import { temporaryFolder, writeTree } from '../support/folders.ts';

const DOCUMENTS = 300;
const KILLS = 20;

const kb = new Command();
const home = temporaryFolder();
const indexPath = join(home, 'indexes/docs.db');

/** Every document names its version in every section, so that a half-written one would show. */
function write(version: number): void {
  const page = (n: number) =>
    [1, 2, 3]
      .map((part) => `# Page ${n} part ${part}\n\n${`version${version} of page ${n} `.repeat(60)}\n`)
      .join('\n');
  writeTree(home, Object.fromEntries(Array.from({ length: DOCUMENTS }, (_, n) => [`docs/${n}.md`, page(n)])));
}

/** The versions each document holds, as a reader finds them; every document must hold one only. */
function versions(): Map<string, string> {
  const index = openForReading(indexPath);
  try {
    expect(checkIntegrity(index)).toEqual([]);
    const rows = index.all<{ path: string; markdown: string }>(
      'SELECT path, markdown FROM section JOIN document ON document.id = document_id',
    );
    const found = new Map<string, Set<string>>();
    for (const { path, markdown } of rows) {
      const seen = found.get(path) ?? new Set();
      for (const [word] of markdown.matchAll(/version\d+/gu)) seen.add(word);
      found.set(path, seen);
    }
    return new Map(
      [...found].map(([path, seen]) => {
        expect(seen.size, path).toBe(1);
        return [path, [...seen].join()];
      }),
    );
  } finally {
    index.close();
  }
}

beforeAll(async () => {
  write(0);
  const started = performance.now();
  expect((await kb.run(['ingest', './docs'], { cwd: home })).code).toBe(0);
  full = performance.now() - started;
});
let full = 0;

describe('an ingest killed at any moment', () => {
  test('leaves each document in its old or new state, a sound index, and the next one completes', async () => {
    let interrupted = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      write(kill);
      const child = kb.start(['ingest', './docs'], { cwd: home });
      const exit = once(child, 'exit');
      await new Promise((resolve) => setTimeout(resolve, Math.random() * full * 1.1));
      child.kill('SIGKILL');
      const [, signal] = await exit;
      if (signal === 'SIGKILL') interrupted += 1;
      const seen = versions();
      expect(seen.size).toBe(DOCUMENTS);
      // Everything is written in one transaction: all old or all new.
      expect(new Set(seen.values()).size).toBe(1);
      const search = await kb.run(['search', 'page 7', '--json'], { cwd: home });
      expect([search.code, jsonOf(search, 'search')['status']]).toEqual([0, 'ok']);
      if (kill % 4 === 0) {
        const next = await kb.run(['ingest', './docs', '--json'], { cwd: home });
        expect(next.code, next.stderr).toBe(0);
        expect(new Set(versions().values())).toEqual(new Set([`version${kill}`]));
      }
    }
    expect(interrupted).toBeGreaterThan(KILLS / 3);
    write(999);
    expect((await kb.run(['ingest', './docs'], { cwd: home })).code).toBe(0);
    expect(new Set(versions().values())).toEqual(new Set(['version999']));
  });

  test('that was the first of an index leaves nothing that stops the second', async () => {
    for (let kill = 0; kill < 8; kill += 1) {
      const fresh = temporaryFolder();
      writeTree(
        fresh,
        Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`docs/${n}.md`, `# ${n}\n\nword\n`])),
      );
      const child = kb.start(['ingest', './docs'], { cwd: fresh });
      const exit = once(child, 'exit');
      await new Promise((resolve) => setTimeout(resolve, 60 + Math.random() * 250));
      child.kill('SIGKILL');
      await exit;
      const search = await kb.run(['search', 'word', '--json'], { cwd: fresh });
      expect([0, 3], search.stderr).toContain(search.code);
      const next = await kb.run(['ingest', './docs'], { cwd: fresh });
      expect(next.code, next.stderr).toBe(0);
    }
  });
});

describe('two at once', () => {
  test('one ingest works, the other says at once that it is locked and by whom', async () => {
    write(1000);
    const first = kb.start(['ingest', './docs', '--reindex'], { cwd: home });
    const done = finished(first);
    let second = await kb.run(['ingest', './docs', '--json'], { cwd: home });
    for (let tries = 0; second.code === 0 && tries < 5; tries += 1) {
      second = await kb.run(['ingest', './docs', '--json'], { cwd: home });
    }
    const ran = await done;
    // Whoever came first works; the other one names it.
    const [worked, refused] = ran.code === 0 ? [ran, second] : [second, ran];
    expect(worked.code, worked.stderr).toBe(0);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(/another kb is writing .*process \d+ on/u);
    expect(new Set(versions().values())).toEqual(new Set(['version1000']));
  });

  test('searches while ingests run never fail and always see one whole state', async () => {
    let version = 2000;
    let searching = true;
    const ingests = (async () => {
      for (; searching; version += 1) {
        write(version);
        expect((await kb.run(['ingest', './docs'], { cwd: home })).code).toBe(0);
      }
    })();
    for (let search = 0; search < 20; search += 1) {
      const ran = await kb.run(['search', 'page', '-n', '100', '--json'], { cwd: home });
      expect(ran.code, ran.stderr).toBe(0);
      const { results } = jsonOf(ran, 'search') as { results: { content: string }[] };
      expect(results.length).toBe(100);
      const seen = new Set(
        results.flatMap(({ content }) => [...content.matchAll(/version\d+/gu)].map(([word]) => word)),
      );
      expect(seen.size).toBe(1);
    }
    searching = false;
    await ingests;
    expect(version).toBeGreaterThan(2001);
  });
});

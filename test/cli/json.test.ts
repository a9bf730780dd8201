import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, writeTree } from '../support/folders.ts';
import { Command, DOCS, jsonOf } from './support.ts';

const kb = new Command();
/** Ingested, with documents; ingested, without any; never ingested; damaged. */
const [full, empty, none, broken] = [
  temporaryFolder(),
  temporaryFolder(),
  temporaryFolder(),
  temporaryFolder(),
];

beforeAll(async () => {
  writeTree(full, DOCS);
  mkdirSync(join(empty, 'docs'));
  const [ingested] = await Promise.all([
    kb.run(['ingest', './docs', '--json'], { cwd: full }),
    kb.run(['ingest', './docs', '--json'], { cwd: empty }),
  ]);
  jsonOf(ingested, 'ingest');
  mkdirSync(join(broken, 'indexes'));
  writeFileSync(join(broken, 'indexes', 'docs.db'), 'not an index\n'.repeat(500));
});

/** What each command prints and ends with, where there is an index, an empty one, none, and a foreign file. */
const COMMANDS: readonly (readonly [name: string, args: readonly string[], codes: readonly number[]])[] = [
  ['ingest', ['ingest', './docs'], [0, 1, 2, 2]],
  ['search', ['search', 'how often does the agent run'], [0, 3, 3, 3]],
  ['search', ['search', '--explain', 'zyzzyva'], [1, 3, 3, 3]],
  ['read', ['read', 'docs/agent.md#interval'], [1, 3, 3, 3]],
  ['read', ['read', 'agent.md#interval'], [0, 3, 3, 3]],
  ['list', ['list'], [0, 1, 3, 3]],
  ['list', ['list', '--outline'], [0, 1, 3, 3]],
  ['list', ['list', 'nowhere'], [1, 1, 3, 3]],
  ['ask', ['ask', '--mode', 'extract', 'how often does the agent run?'], [0, 3, 3, 3]],
  ['stats', ['stats'], [0, 0, 3, 3]],
  ['doctor', ['doctor'], [0, 0, 3, 3]],
  ['info', ['info'], [0, 0, 2, 3]],
  ['bench', ['bench', '--make-questions'], [1, 1, 3, 3]],
  ['why', ['why', 'how often does the agent run', 'agent.md#interval'], [0, 1, 3, 3]],
  ['why', ['why', 'zyzzyva the', 'nowhere.md'], [1, 1, 3, 3]],
  ['rm', ['rm', 'nowhere.md'], [1, 1, 3, 3]],
];

describe('--json', () => {
  describe.each(COMMANDS)('of %s', (name, args, codes) => {
    test.concurrent.each([
      ['an index', full, codes[0]],
      ['an empty index', empty, codes[1]],
      ['no index', none, codes[2]],
      ['a foreign file', broken, codes[3]],
    ])('prints one document as its schema says, where there is %s', async (_, cwd, code) => {
      const ran = await kb.run([...args, '--json'], { cwd });
      const isError = Object.keys(JSON.parse(ran.stdout) as object).join() === 'error';
      jsonOf(ran, isError ? 'error' : name);
      expect(ran.code, ran.stdout + ran.stderr).toBe(code);
      expect(ran.stdout).toMatch(/\}\n$/u);
      if (isError) expect(ran.stderr).toMatch(/^kb: /u);
      expect(ran.stdout).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e]/u);
    });
  });

  test('of an index that does not exist says so in words a script can tell apart', async () => {
    const stats = jsonOf(await kb.run(['stats', '--json'], { cwd: none }), 'error');
    expect(stats).toMatchObject({
      error: { code: 'index-missing', hint: expect.stringContaining('kb ingest') },
    });
    const search = jsonOf(await kb.run(['search', 'x', '--json'], { cwd: none }), 'search');
    expect(search).toMatchObject({ status: 'index_not_built', results: [] });
  });

  test('after -- is a word of the query', async () => {
    const ran = await kb.run(['search', '--', '--json'], { cwd: none });
    expect(ran.stdout).not.toMatch(/^\{/u);
  });

  test('of rm and reset tells what was done', async () => {
    const home = temporaryFolder();
    writeTree(home, DOCS);
    await kb.run(['ingest', './docs'], { cwd: home });
    const removed = await kb.run(['rm', 'agent.md', '--json'], { cwd: home });
    expect(jsonOf(removed, 'rm')).toEqual({ knowledge_base: 'docs', removed: ['agent.md'] });
    const refused = await kb.run(['reset', '--json'], { cwd: home });
    expect(refused.code).toBe(2);
    jsonOf(refused, 'error');
    const reset = await kb.run(['reset', '--force', '--json'], { cwd: home });
    expect(jsonOf(reset, 'reset')).toMatchObject({
      knowledge_base: 'docs',
      rebuild: 'kb ingest ./docs',
    });
    expect((await kb.run(['reset', '--force', '-k', 'docs', '--json'], { cwd: home })).code).not.toBe(0);
  });

  test('of a wrong option is an error document too', async () => {
    const ran = await kb.run(['search', 'x', '--jsno', '--json'], { cwd: full });
    expect(ran.code).toBe(2);
    expect(jsonOf(ran, 'error')).toMatchObject({ error: { code: 'usage-invalid' } });
  });
});

test('kb schema prints a JSON Schema for every command', async () => {
  const all = JSON.parse((await kb.run(['schema'], { cwd: none })).stdout) as Record<string, unknown>;
  for (const [name] of COMMANDS)
    expect(all[name]).toMatchObject({ $schema: expect.stringContaining('2020-12') });
  const wrong = await kb.run(['schema', 'serch'], { cwd: none });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/did you mean search/u)]);
});

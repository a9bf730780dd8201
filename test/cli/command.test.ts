import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openForReading } from '../../src/store/index-file.ts';
import { checkIntegrity } from '../../src/store/maintenance.ts';
import { temporaryFolder, writeTree } from '../support/folders.ts';
import { Command, DOCS, finished, jsonOf, mayLoadSqlite } from './support.ts';

const kb = new Command();
const home = temporaryFolder();
const run = (args: readonly string[], env: Record<string, string> = {}) => kb.run(args, { cwd: home, env });

beforeAll(async () => {
  writeTree(home, DOCS);
  await run(['ingest', './docs']);
});

describe('kb', () => {
  test('without arguments, and every command with --help, shows examples', async () => {
    const top = await run([]);
    expect([top.code, top.stdout]).toEqual([0, expect.stringContaining('Examples:')]);
    expect(top.stdout).toMatch(/Exit codes: 0 answered/u);
    for (const command of ['ingest', 'search', 'read', 'list', 'ask']) {
      const { code, stdout } = await run([command, '--help']);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Examples:')]);
    }
  });

  test.concurrent.each([
    [['serch', 'x'], /did you mean search/iu],
    [['search', 'x', '--expalin'], /--explain/u],
    [['search'], /query/u],
    [['search', ' '], /the query is empty/u],
    [['ask', ''], /the question is empty/u],
    [['ingest', './dcos'], /there is no folder \.\/dcos; did you mean \.\/docs\?/u],
    [['ingest', './docs/agent.md'], /is a file: name its folder/u],
    [['search', 'x', '-n', 'many'], /--top-k takes a whole number/u],
    [['search', 'x', '-n', '0'], /from 1 to/u],
    [['search', 'x', '-k', 'dcos'], /did you mean docs/u],
    [['search', 'x', '-k', 'n'.repeat(5000)], /no knowledge base and no folder/u],
    [['ingest', 'x'.repeat(5000)], /no knowledge base/u],
    [['ingest', './docs', '--source', 'x'], /NAME=FOLDER/u],
    [['ingest', '--config', 'gone.yaml'], /gone\.yaml/u],
    [['ask', 'x', '--mode', 'guess'], /tools, direct, extract/u],
    [['reset'], /--force/u],
    [['list', 'a', 'b'], /too many arguments/u],
  ])('%j is a usage error that says what was meant', async (args, message) => {
    const ran = await run(args);
    expect(ran.code, ran.stderr).toBe(2);
    expect(ran.stderr).toMatch(message);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).not.toMatch(/ at .*:\d+|internal error/u);
  });

  test('in a pipe prints no escapes, whatever the documents hold', async () => {
    for (const args of [
      ['search', 'server port'],
      ['read', 'server.md'],
      ['list'],
      ['ask', '--mode', 'extract', 'which port does the server listen on?'],
      ['doctor'],
      ['stats'],
      ['info'],
    ]) {
      const ran = await run(args, { TERM: 'xterm-256color', COLORTERM: 'truecolor' });
      expect(ran.stdout + ran.stderr, args.join(' ')).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e]/u);
      expect(ran.stdout).not.toBe('');
    }
  });

  test('whose output is read by head ends quietly', async () => {
    const big = temporaryFolder();
    writeTree(big, { 'docs/a.md': `# Big\n\n${'a line of text\n'.repeat(60_000)}` });
    await kb.run(['ingest', './docs'], { cwd: big });
    const script = `"${process.execPath}" "${kb.script}" read a.md 2>err.txt | head -1; echo "$\{PIPESTATUS[0]}"; cat err.txt`;
    const output = await new Promise<string>((resolve, reject) => {
      execFile(
        'bash',
        ['-c', script],
        { cwd: big, env: { PATH: '/usr/bin:/bin', KB_HOME: big } },
        (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
      );
    });
    expect(output).toBe('# Big\n0\n');
  });

  test('search shows the tier and ends with 1 when nothing is found', async () => {
    const found = await run(['search', 'how', 'often', 'agent']);
    expect([found.code, found.stdout]).toEqual([
      0,
      expect.stringContaining('tier: lexical (FTS5) - no embeddings configured'),
    ]);
    const missed = await run(['search', 'zyzzyva']);
    expect([missed.code, missed.stdout]).toEqual([1, expect.stringContaining('no section holds zyzzyva')]);
  });

  test('read prints the section as it stands in its file', async () => {
    const { stdout } = await run(['read', 'agent.md#interval']);
    expect(stdout).toBe('## Interval\n\nSet `runinterval` to change how often it runs.\n');
  });

  test('rm and reset make nothing where nothing was ingested', async () => {
    const bare = temporaryFolder();
    for (const args of [
      ['rm', 'x', '-k', 'docs'],
      ['reset', '--force', '-k', 'docs'],
      ['rm', 'x'],
      ['reset', '--force'],
    ]) {
      const ran = await kb.run(args, { cwd: bare });
      expect([2, 3]).toContain(ran.code);
      expect(ran.stderr).not.toMatch(/internal error/u);
    }
    expect(await import('node:fs').then((fs) => fs.readdirSync(bare))).toEqual([]);
  });

  test('asks for no index it cannot use: a folder in its place is index-unwritable', async () => {
    const odd = temporaryFolder();
    mkdirSync(join(odd, 'indexes', 'docs.db'), { recursive: true });
    writeTree(odd, DOCS);
    for (const args of [['search', 'x'], ['ingest', './docs'], ['stats'], ['doctor'], ['reset', '--force']]) {
      const ran = await kb.run(args, { cwd: odd });
      expect(ran.code, `${args[0]}: ${ran.stderr}`).toBe(3);
      expect(ran.stderr).not.toMatch(/internal error/u);
    }
  });
});

describe('Ctrl-C during an ingest', () => {
  test('ends with 130 and leaves the index as it was', async () => {
    const busy = temporaryFolder();
    writeTree(busy, { 'docs/first.md': '# First\n\nold words\n' });
    await kb.run(['ingest', './docs'], { cwd: busy });
    writeTree(
      busy,
      Object.fromEntries(
        Array.from({ length: 900 }, (_, n) => [
          `docs/${n}.md`,
          `# Page ${n}\n\n${`new words ${n} `.repeat(300)}\n`,
        ]),
      ),
    );
    const child = kb.start(['ingest', './docs', '--json'], { cwd: busy });
    const done = finished(child);
    // Once it says who holds the lock it is at work.
    while (!existsSync(join(busy, 'indexes/docs.db.holder')))
      await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill('SIGINT');
    const ran = await done;
    expect(ran.code, ran.stderr).toBe(130);
    expect(ran.stderr).toBe('kb: interrupted; the index is as it was before\n');
    expect(jsonOf(ran, 'error')).toMatchObject({ error: { code: 'aborted' } });
    const index = openForReading(join(busy, 'indexes/docs.db'));
    expect(checkIntegrity(index)).toEqual([]);
    expect(index.all('SELECT path FROM document')).toEqual([{ path: 'first.md' }]);
    index.close();
  });
});

/** Somebody who may not read everything: root is not stopped by rights, so the command then runs as nobody. */
describe('rights', () => {
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  const limited = temporaryFolder();
  const asNobody = (args: readonly string[]) =>
    kb.run(args, { cwd: limited, ...(uid === undefined ? {} : { uid }) });
  const chown = async () => {
    if (uid !== undefined) {
      await new Promise((resolve) => execFile('chown', ['-R', String(uid), limited], resolve));
    }
  };

  test('ING-3: that are missing make a file failed, a folder skipped, a root an error, and delete nothing', async ({
    skip,
  }) => {
    if (uid !== undefined) {
      chmodSync(join(kb.script, '..'), 0o755);
      skip(!(await mayLoadSqlite(uid)), 'another user may not read this checkout');
    }
    writeTree(limited, { ...DOCS, 'docs/sub/a.md': '# A\n\nsub words\n' });
    await chown();
    expect((await asNobody(['ingest', './docs'])).code).toBe(0);
    chmodSync(join(limited, 'docs/agent.md'), 0o000);
    chmodSync(join(limited, 'docs/sub'), 0o000);
    const partly = jsonOf(await asNobody(['ingest', './docs', '--json']), 'ingest');
    expect(partly['totals']).toMatchObject({
      failed: 1,
      skipped: 1,
      removed: 0,
      unchanged: 1,
      empty: 1,
      seen: 4,
    });
    expect(partly['holds']).toMatchObject({ documents: 3 });
    chmodSync(join(limited, 'docs'), 0o000);
    const refused = await asNobody(['ingest', './docs', '--json']);
    expect(refused.code).toBe(3);
    expect(jsonOf(refused, 'error')).toMatchObject({ error: { code: 'root-unreadable' } });
    chmodSync(join(limited, 'docs'), 0o755);
    chmodSync(join(limited, 'docs/sub'), 0o755);
    const stats = jsonOf(await asNobody(['stats', '--json']), 'stats');
    expect(stats['documents']).toBe(3);
    chmodSync(join(limited, 'indexes'), 0o500);
    chmodSync(join(limited, 'indexes/docs.db'), 0o400);
    rmSync(join(limited, 'indexes/docs.db.lock'), { force: true });
    const unwritable = await asNobody(['ingest', './docs', '--json']);
    expect(unwritable.code, unwritable.stderr).toBe(3);
    expect(jsonOf(unwritable, 'error')).toMatchObject({ error: { code: 'index-unwritable' } });
    chmodSync(join(limited, 'indexes'), 0o700);
  });
});

describe('the example of the file format', () => {
  const yaml = `identity: OpenVOX
icon_url: https://example.org/icon.svg
harness:
  knowledge:
    enabled: true
    sources:
      openvox-docs: { git: https://github.com/OpenVoxProject/openvox-docs, ref: master }
      puppet-specifications: { git: https://github.com/puppetlabs/puppet-specifications }
    paths: [openvox-docs/docs/_openvox_8x, openvox-docs/docs/_openvox-server_8x, puppet-specifications/language, types.md]
    exclude: ['**/CHANGELOG.md']
    anchors: auto
    expand_to_section: true
    read_tool: true
    top_k: 5
    max_injected_tokens: 6000
    citations:
      - pattern: '^openvox-docs/docs/_openvox_8x/(.+).(markdown|md)$'
        replace: 'https://docs.openvoxproject.org/openvox/latest/$1.html#\${anchor}'
llm:
  provider: openai
  base_url: http://127.0.0.1:11434/v1
  model: qwen3:8b
  api_key_env: KB_LLM_KEY
  budget: { max_tokens: 100000, max_iterations: 50, call_timeout: 120s }
system_prompt: |
  You help users based on a knowledge base of OpenVox information
`;

  test('is ingested from local copies of its sources; a path that is not there is a warning', async () => {
    const place = temporaryFolder();
    const copies = writeTree(temporaryFolder(), {
      'ov/docs/_openvox_8x/conf.markdown': '# Configuration\n\n## Run interval\n\nSet runinterval.\n',
      'ov/docs/_openvox_8x/CHANGELOG.md': '# Changes\n\nold\n',
      'ov/docs/_openvox_latest': { link: '_openvox_8x' },
      'ov/docs/_openvox-server_8x/ports.md': '# Ports\n\n8140\n',
      'ps/language/types.md': '# Types\n\nInteger\n',
    });
    cpSync(copies, join(place, 'copies'), { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(place, 'agent.yaml'), yaml);
    const sources = ['--source', 'openvox-docs=copies/ov', '--source', 'puppet-specifications=copies/ps'];
    const report = jsonOf(
      await kb.run(['ingest', '--config', 'agent.yaml', ...sources, '--json'], { cwd: place }),
      'ingest',
    );
    expect(report).toMatchObject({
      totals: { indexed: 3, skipped: 1, failed: 0 },
      missing_paths: ['types.md'],
    });
    const said = await kb.run(['ingest', '--config', 'agent.yaml', ...sources], { cwd: place });
    expect(said.stderr).toMatch(/warning: the configured path types\.md is not there/u);
    const search = jsonOf(await kb.run(['search', 'run interval', '--json'], { cwd: place }), 'search');
    expect(search['results']).toMatchObject([
      { url: 'https://docs.openvoxproject.org/openvox/latest/conf.html#run-interval' },
    ]);
  });
});

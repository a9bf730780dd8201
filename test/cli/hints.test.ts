import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { APPLICATION_ID, MIGRATIONS } from '../../src/store/schema.ts';
import { temporaryFolder, writeTree } from '../support/folders.ts';
import { Command, DOCS, type Ran } from './support.ts';

const kb = new Command();

/** Words of a hint that stand for something a person has to fill in. */
const PLACEHOLDER = /\b(?:FOLDER|FILE|NAME|KB|COMMAND|ADDRESS)\b/u;
const COMMAND = /\bkb (?:--help|[a-z]+)(?: (?:'[^']*'|-{0,2}[\w./=@:+-]+))*/gu;

/** The commands that what was printed tells to type. */
function commandsIn({ stdout, stderr }: Ran): string[][] {
  const advice = `${stdout}\n${stderr}`
    .split('\n')
    .filter((line) => /^\s*(?:try|next|to build it anew):/u.test(line));
  return advice
    .flatMap((line) => line.match(COMMAND) ?? [])
    .filter((command) => !PLACEHOLDER.test(command))
    .map((command) =>
      (command.match(/'[^']*'|\S+/gu) ?? []).slice(1).map((word) => word.replace(/^'|'$/gu, '')),
    );
}

/** A folder with documents, ingested or not. */
async function home(ingest?: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  writeTree(folder, {
    ...DOCS,
    'my docs/a.md': '# A\n\nwords\n',
    'copy/b.md': '# B\n\nwords of a copy\n',
    'agent.yaml':
      'harness:\n  knowledge:\n    sources: { manual: { git: ./nowhere } }\n    paths: [manual]\n',
  });
  if (ingest !== undefined) expect((await kb.run(['ingest', ...ingest], { cwd: folder })).code).toBe(0);
  return folder;
}

function overwrite(folder: string): void {
  const path = join(folder, 'indexes/docs.db');
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(4000, 7), 0, 4000, Math.floor(statSync(path).size * 0.4));
  closeSync(file);
}

function makeNewer(folder: string): void {
  const database = new Database(join(folder, 'indexes/docs.db'));
  database.pragma('user_version = 999');
  database.close();
}

/** The index as the first kb would have left it: of the first schema, and knowing where it came from. */
function makeOlder(name: string): (folder: string) => void {
  return (folder) => {
    const path = join(folder, `indexes/${name}.db`);
    const now = new Database(path);
    const meta = now.prepare('SELECT key, value FROM meta').all() as { key: string; value: string }[];
    now.close();
    rmSync(path);
    const old = new Database(path);
    old.pragma(`application_id = ${APPLICATION_ID}`);
    old.exec(MIGRATIONS[0] ?? '');
    old.pragma('user_version = 1');
    for (const { key, value } of meta) old.prepare('INSERT INTO meta VALUES (?, ?)').run(key, value);
    old.close();
  };
}

type Case = readonly [
  name: string,
  ingested: readonly string[] | undefined,
  args: readonly string[],
  spoil?: (folder: string) => void,
];

const CASES: readonly Case[] = [
  ['ingest without an argument', undefined, ['ingest']],
  ['ingest of a folder that is nearly there', undefined, ['ingest', './dcos']],
  ['ingest of one document', undefined, ['ingest', './docs/agent.md']],
  ['a search in a folder that is not ingested', undefined, ['search', 'agent', '-k', './docs']],
  ['a search in a folder with a blank', undefined, ['search', 'agent', '-k', './my docs']],
  ['stats of a folder that is not ingested', undefined, ['stats', '-k', './docs']],
  ['a question to a folder with a blank', undefined, ['ask', 'what', '-k', './my docs']],
  ['a name that is nearly one', ['./docs'], ['search', 'agent', '-k', 'dcos']],
  ['a search that finds nothing', ['./docs'], ['search', 'zyzzyva']],
  ['an unknown ref', ['./docs'], ['read', 'zzzzzz']],
  ['an unknown path to remove', ['./docs'], ['rm', 'nowhere']],
  ['an unknown command', ['./docs'], ['serch', 'x']],
  ['a command with nothing near', ['./docs'], ['zyzzyva']],
  ['an empty question', ['./docs'], ['ask', '']],
  ['reset without force', ['./docs'], ['reset']],
  ['reset of a folder', ['./docs'], ['reset', '--force']],
  ['reset of a folder with a blank and another name', ['./my docs', '--name', 'mine'], ['reset', '--force']],
  [
    'reset of a file whose source is a local folder',
    ['--config', 'agent.yaml', '--source', 'manual=./copy'],
    ['reset', '--force'],
  ],
  [
    'doctor after a change',
    ['./docs'],
    ['doctor'],
    (folder) => writeTree(folder, { 'docs/agent.md': '# New\n' }),
  ],
  ['doctor of a damaged index', ['./docs'], ['doctor'], overwrite],
  ['an older index', ['./docs'], ['list'], makeOlder('docs')],
  ['an older index with another name', ['./docs', '--name', 'mine'], ['list'], makeOlder('mine')],
  [
    'an older index of a file whose source is a local folder',
    ['--config', 'agent.yaml', '--source', 'manual=./copy'],
    ['search', 'words'],
    makeOlder('agent'),
  ],
  ['a newer index', ['./docs'], ['list'], makeNewer],
];

describe('a hint works when it is typed', () => {
  test.concurrent.each(CASES.map(([name, ...rest]) => [name, rest] as const))(
    'after %s',
    async (_, [ingested, args, spoil]) => {
      const folder = await home(ingested);
      spoil?.(folder);
      const first = await kb.run(args, { cwd: folder });
      expect(commandsIn(first), first.stdout + first.stderr).not.toEqual([]);
      for (const command of commandsIn(first)) {
        const ran = await kb.run(command, { cwd: folder });
        expect(ran.code, `kb ${command.join(' ')}: ${ran.stderr}`).toBe(0);
        // `kb reset` tells the next step in turn.
        for (const next of commandsIn(ran)) {
          const after = await kb.run(next, { cwd: folder });
          expect(after.code, `kb ${next.join(' ')}: ${after.stderr}`).toBe(0);
        }
      }
    },
  );
});

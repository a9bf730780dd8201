import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../src/cli/render/errors.ts';
import { nativeFailure } from '../../src/core/native-failure.ts';
import { temporaryFolder, writeTree } from '../support/folders.ts';
import { Command } from './support.ts';

const ANOTHER_NODE = Object.assign(
  new Error(
    "The module '/x/build/Release/better_sqlite3.node'\nwas compiled against a different Node.js version using\n" +
      'NODE_MODULE_VERSION 108. This version of Node.js requires\nNODE_MODULE_VERSION 115. Please try re-compiling.',
  ),
  { code: 'ERR_DLOPEN_FAILED' },
);
const ABSENT = Object.assign(new Error("Cannot find package 'better-sqlite3' imported from /x/kb.js"), {
  code: 'ERR_MODULE_NOT_FOUND',
});

describe('a SQLite module that cannot be loaded', () => {
  test('is told apart from any other error, with the remedy', () => {
    const rebuilt = nativeFailure(ANOTHER_NODE);
    expect(rebuilt?.message).toMatch(
      /built for another version of Node \(ABI 108; this Node .* wants 115\)/u,
    );
    expect(rebuilt?.hint).toContain('npm rebuild better-sqlite3');
    expect(nativeFailure(ABSENT)?.hint).toContain('npm ci');
    expect(exitCodeOf(rebuilt)).toBe(3);
    const other = Object.assign(new Error("Cannot find package 'zod'"), { code: 'ERR_MODULE_NOT_FOUND' });
    for (const error of [other, new Error('x'), 'x', undefined]) expect(nativeFailure(error)).toBeUndefined();
  });

  test.each([
    ['broken', 'no machine code\n', 'npm rebuild better-sqlite3'],
    ['not built', undefined, 'npm rebuild better-sqlite3'],
    ['not there', false, 'npm ci'],
  ] as const)('ends every command with 3 and the command that mends it: %s', async (_, binary, remedy) => {
    const home = temporaryFolder();
    writeTree(home, { 'docs/a.md': '# A\n\nwords\n' });
    await new Command().run(['ingest', './docs'], { cwd: home });
    const broken = new Command(commandWith(binary));
    for (const args of [['search', 'words'], ['ingest', './docs'], ['doctor'], ['ask', 'words']]) {
      const ran = await broken.run(args, { cwd: home });
      expect([ran.code, ran.stdout + ran.stderr], args.join(' ')).toEqual([
        3,
        expect.stringContaining(remedy),
      ]);
    }
  });
});

/** The command with a copy of the module whose machine code is what is given, or is not there; false: without the module. */
function commandWith(binary: string | undefined | false): string {
  const folder = temporaryFolder();
  const main = createRequire(import.meta.url).resolve('better-sqlite3');
  const copy = join(folder, 'node_modules/better-sqlite3');
  cpSync(dirname(main), join(copy, 'lib'), { recursive: true });
  cpSync(join(dirname(main), '../package.json'), join(copy, 'package.json'));
  for (const name of ['bindings', 'file-uri-to-path']) {
    const found = createRequire(main).resolve(`${name}/package.json`);
    cpSync(dirname(found), join(folder, 'node_modules', name), { recursive: true });
  }
  if (binary === false) rmSync(copy, { recursive: true });
  else if (binary !== undefined) {
    mkdirSync(join(copy, 'build/Release'), { recursive: true });
    writeFileSync(join(copy, 'build/Release/better_sqlite3.node'), binary);
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  cpSync(join(import.meta.dirname, '../../dist'), join(folder, 'dist'), { recursive: true });
  return join(folder, 'dist/kb.js');
}

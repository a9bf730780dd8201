import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';

const WHOLE = `(function (exports, require, module, filename) {
  console.log('kept', require('node:path').basename(filename), process.argv.slice(2).join(' '));
})`;

/** A folder laid out like dist/, whose command says which form of it ran. */
async function layOut(): Promise<string> {
  const folder = temporaryFolder();
  await build({
    entryPoints: { kb: join(import.meta.dirname, '../../src/cli/launch.ts') },
    outdir: folder,
    format: 'cjs',
    platform: 'node',
  });
  mkdirSync(join(folder, 'modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  writeFileSync(join(folder, 'modules/package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'modules/main.js'), "console.log('modules', process.argv.slice(2).join(' '));");
  writeFileSync(join(folder, 'main.cjs'), WHOLE);
  const script = new Script(WHOLE, { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
  writeFileSync(join(folder, 'main.cjs.cache'), script.createCachedData());
  return folder;
}

function launch(folder: string): string {
  return execFileSync(process.execPath, [join(folder, 'kb.js'), 'search', 'x'], { encoding: 'utf8' });
}

describe('the launcher', () => {
  it('runs the script whose compiled form was kept, with the arguments of the command line', async () => {
    expect(launch(await layOut())).toBe('kept main.cjs search x\n');
  });

  it('runs the modules when the kept form is cut short, of another script, or not there', async () => {
    const folder = await layOut();
    const kept = readFileSync(join(folder, 'main.cjs.cache'));
    writeFileSync(join(folder, 'main.cjs.cache'), kept.subarray(0, kept.length / 2));
    expect(launch(folder)).toBe('modules search x\n');
    writeFileSync(join(folder, 'main.cjs.cache'), kept);
    writeFileSync(join(folder, 'main.cjs'), `${WHOLE} // edited`);
    expect(launch(folder)).toBe('modules search x\n');
    writeFileSync(join(folder, 'main.cjs.cache'), '');
    expect(launch(folder)).toBe('modules search x\n');
  });
});

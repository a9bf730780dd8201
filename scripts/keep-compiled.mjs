// Writes dist/main.cjs.cache: the command as V8 has compiled it after some reading of kb's own handbook, so that a search
// compiles nothing. What only an ingest or a model needs is left out: a larger cache takes longer to load than it saves.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, Script } from 'node:vm';

const root = join(import.meta.dirname, '..');
const filename = join(root, 'dist/main.cjs');
const script = new Script(readFileSync(filename, 'latin1'), {
  filename,
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});

for (const name of Object.keys(process.env)) if (name.startsWith('KB_')) delete process.env[name];
const home = mkdtempSync(join(tmpdir(), 'kb-build-'));
process.env.KB_HOME = home;
try {
  execFileSync(process.execPath, [join(root, 'dist/kb.js'), 'ingest', join(root, 'docs')], {
    stdio: 'ignore',
  });
  await run(['search', 'where is the index kept']);
  await run(['search', 'how does it find the right sections', '--json']);
  await run(['read', 'search-and-ranking.md']);
  await run(['list']);
  writeFileSync(`${filename}.cache`, script.createCachedData());
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Runs a command line in this process, in an instance of the program of its own. */
async function run(args) {
  process.argv = [process.execPath, filename, ...args];
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(filename), module, filename);
  await module.exports.finished;
  if (process.exitCode) throw new Error(`kb ${args.join(' ')} ended with ${process.exitCode}`);
}

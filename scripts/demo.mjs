// npm run demo: indexes kb's own handbook and asks it a question. No model, no server, no key, no network: the answer is
// an extract. Works in a folder of its own, which is removed again.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './built.mjs';

const root = join(import.meta.dirname, '..');
const command = join(root, 'dist/kb.js');
const question = process.argv.slice(2).join(' ') || 'How do I use a local model with Ollama?';

const home = mkdtempSync(join(tmpdir(), 'kb-demo-'));
let code = 0;
try {
  ensureBuilt();
  code =
    kb(['ingest', join(root, 'docs')], 'kb ingest ./docs') || kb(['ask', question], `kb ask "${question}"`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exitCode = code;

function kb(args, shown) {
  return run(shown, [command, ...args], home);
}

/** Runs Node on a file and shows what it prints; gives its exit code. */
function run(shown, args, cwd) {
  console.log(`$ ${shown}`);
  // Settings of the person's own (a model, another home) are no part of the demo.
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('KB_'));
  const env = { ...Object.fromEntries(environment), KB_HOME: home };
  const { status, error } = spawnSync(process.execPath, args, { cwd, env, stdio: 'inherit' });
  if (error !== undefined) throw error;
  console.log('');
  return status ?? 1;
}

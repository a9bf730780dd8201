import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Builds dist/ where there is none, or something was edited since; `npm ci` has built it before. The tests begin with
 * this: they run the command that is shipped, never an older state of it.
 */
export function ensureBuilt() {
  if (isStale())
    execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' });
}

function isStale() {
  // All of them: a build that failed in the middle has left some of them.
  const results = ['kb.js', 'main.cjs', 'build-helper.cjs', 'modules/index.js', 'modules/package.json'].map(
    (name) => join(root, 'dist', name),
  );
  if (!results.every((file) => existsSync(file))) return true;
  const built = Math.min(...results.map((file) => statSync(file).mtimeMs));
  const edited = [
    'package.json',
    'scripts/build.mjs',
    'scripts/keep-compiled.mjs',
    'scripts/sqlite-addon.cjs',
  ].map((name) => join(root, name));
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return [...edited, ...sources].some((file) => statSync(file).mtimeMs > built);
}

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * Builds dist/ where there is none, or something was edited since; `npm ci` has built it before. Vitest calls this before
 * the tests, which run the command that is shipped, never an older state of it.
 */
export function setup() {
  if (isStale())
    execFileSync(process.execPath, [join(root, 'scripts/build.mjs')], { cwd: root, stdio: 'inherit' });
}

function isStale() {
  const command = join(root, 'dist/kb.js');
  if (!existsSync(command)) return true;
  const built = statSync(command).mtimeMs;
  const edited = ['package.json', 'scripts/build.mjs', 'scripts/keep-compiled.mjs'].map((name) =>
    join(root, name),
  );
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return [...edited, ...sources].some((file) => statSync(file).mtimeMs > built);
}

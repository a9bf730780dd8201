import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from './built.mjs';

/** Vitest calls this once before a group of tests, and what it returns after them. */
export function setup() {
  ensureBuilt();
  return keepTogether();
}

/** Everything temporary of the run is in one folder, which goes away with it: also what a killed process left. */
function keepTogether() {
  const before = process.env.TMPDIR;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kb-tests-')));
  // Some tests are another user for a moment.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true });
  };
}

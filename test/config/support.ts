import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/core/config.ts';
import { isKbError } from '../../src/core/errors.ts';

/** A fresh folder, removed when the test file is done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kb-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Saves `text` as `agent.yaml` in `folder` and answers with its path. */
export function saved(folder: string, text: string | Uint8Array, name = 'agent.yaml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The problems of a file that must not load, without the folder it is in. */
export function problemsOf(folder: string, text: string | Uint8Array): readonly string[] {
  const file = saved(folder, text);
  try {
    loadConfig(file);
  } catch (error) {
    if (isKbError(error, 'config-invalid')) {
      return error.details.problems.map((problem) => problem.replace(`${folder}/`, ''));
    }
    throw error;
  }
  throw new Error('the file loaded');
}

/** Loads a file whose `harness.knowledge` holds one path and these lines of YAML. */
export function loaded(folder: string, lines: string): Config {
  return loadConfig(saved(folder, lines));
}

/** What a function that must fail throws. */
export function failure(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

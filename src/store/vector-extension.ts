import { createRequire } from 'node:module';
import type { IndexFile } from './index-file.ts';

const stateOf = new WeakMap<IndexFile, string | true>();

/**
 * Loads sqlite-vec, which compares vectors inside SQLite, into a connection; once. True, or why it could not be loaded:
 * everything works without it, with the same results, slower.
 */
export function loadVectorExtension(index: IndexFile): string | true {
  let state = stateOf.get(index);
  if (state === undefined) {
    state = tryLoad(index);
    stateOf.set(index, state);
  }
  return state;
}

/** Has this connection go without the extension, as where there is none for the platform. */
export function refuseVectorExtension(index: IndexFile, reason: string): void {
  stateOf.set(index, reason);
}

function tryLoad(index: IndexFile): string | true {
  try {
    const extension = createRequire(import.meta.url)('sqlite-vec') as { getLoadablePath(): string };
    index.database.loadExtension(extension.getLoadablePath());
    return true;
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return reason;
  }
}

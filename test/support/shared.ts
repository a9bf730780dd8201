import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * Collections that are too large for the repository: `KB_SHARED`, or the folder `shared` beside the checkout. Tests
 * that need one are skipped where it is not there.
 */
// biome-ignore lint/style/noProcessEnv: tests are told where things are as any program is
const SHARED = resolve(process.env['KB_SHARED'] ?? join(import.meta.dirname, '../../../shared'));

export function sharedPath(...parts: readonly string[]): string {
  return join(SHARED, ...parts);
}

export function hasShared(...parts: readonly string[]): boolean {
  return existsSync(sharedPath(...parts));
}

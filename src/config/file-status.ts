import { type Stats, statSync } from 'node:fs';

/**
 * Undefined for what is not there, may not be looked at, or cannot be a path at all (below a file, too long, a NUL):
 * Node throws for some of these even when it is told that nothing need be there.
 */
export function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether a folder, or a link to one, is there. */
export function isFolder(path: string): boolean {
  return statusOf(path)?.isDirectory() ?? false;
}

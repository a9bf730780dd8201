import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Freshness } from '../core/document.ts';
import { hashBytes } from './content-hash.ts';
import { locate, type Origin } from './origin.ts';

/** A file that has grown past this since it was indexed need not be read to know that it changed. */
const MAX_BYTES = 64 * 1024 * 1024;

/** A file written this shortly before it was read may be written again within the same tick of the clock, milliseconds. */
const SETTLED_AFTER = 2000;
const MAX_REMEMBERED = 5000;

/** What files held when they were last read: a process that answers many questions reads each file once. */
const remembered = new Map<string, { readonly stamp: string; readonly hash: string }>();

/** Whether a document's file still has the hash that was indexed; one that cannot be read counts as missing. */
export function freshnessOf(origin: Origin, path: string, indexed: string): Freshness {
  const { file, boundary } = locate(origin.config.root, origin.folders, path);
  let found: string | undefined = file;
  let stats = statsOf(file);
  if (stats === undefined) {
    found = findSpelled(boundary, file);
    stats = found === undefined ? undefined : statsOf(found);
  }
  if (found === undefined || stats === undefined) return 'missing';
  if (stats.size > MAX_BYTES) return 'changed';
  try {
    return hashOf(found, stats) === indexed ? 'fresh' : 'changed';
  } catch {
    return 'missing';
  }
}

function hashOf(file: string, stats: Stats): string {
  const stamp = `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
  const before = remembered.get(file);
  if (before?.stamp === stamp) return before.hash;
  const hash = hashBytes(readFileSync(file));
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  if (Date.now() - stats.mtimeMs > SETTLED_AFTER) remembered.set(file, { stamp, hash });
  return hash;
}

/** Undefined for anything but a regular file: reading a pipe would wait for ever. */
function statsOf(file: string): Stats | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats : undefined;
  } catch {
    return undefined;
  }
}

/** Paths are kept composed (NFC); on disk each name of them may be spelled otherwise. */
export function findSpelled(boundary: string, file: string): string | undefined {
  let folder = boundary;
  for (const name of file.slice(boundary.length).split('/').filter(Boolean)) {
    const spelled = namesIn(folder).find((other) => other.normalize('NFC') === name);
    if (spelled === undefined) return undefined;
    folder = join(folder, spelled);
  }
  return folder;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Freshness } from '../core/document.ts';
import { hashBytes } from './content-hash.ts';
import { findDocument } from './documents.ts';
import type { IndexFile } from './index-file.ts';
import { locate, type Origin } from './origin.ts';

/** A file that has grown past this since it was indexed need not be read to know that it changed. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Whether a document's file still is what was indexed, by content hash; one that cannot be read counts as missing. */
export function freshnessOf(index: IndexFile, origin: Origin, path: string): Freshness {
  const indexed = findDocument(index, path)?.hash;
  const { file, boundary } = locate(origin.config.root, origin.folders, path);
  const found = sizeOf(file) === undefined ? findSpelled(boundary, file) : file;
  const size = found === undefined ? undefined : sizeOf(found);
  if (found === undefined || size === undefined) return 'missing';
  if (size > MAX_BYTES) return 'changed';
  try {
    return hashBytes(readFileSync(found)) === indexed ? 'fresh' : 'changed';
  } catch {
    return 'missing';
  }
}

/** Undefined for anything but a regular file: reading a pipe would wait for ever. */
function sizeOf(file: string): number | undefined {
  try {
    const stats = statSync(file);
    return stats.isFile() ? stats.size : undefined;
  } catch {
    return undefined;
  }
}

/** Paths are kept composed (NFC); on disk each name of them may be spelled otherwise. */
function findSpelled(boundary: string, file: string): string | undefined {
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

import { readFileSync } from 'node:fs';
import type { Freshness } from '../core/document.ts';
import { hashBytes } from './content-hash.ts';
import { findDocument } from './documents.ts';
import type { IndexFile } from './index-file.ts';
import { locate, type Origin } from './origin.ts';

/** Whether a document's file still is what was indexed, by content hash. */
export function freshnessOf(index: IndexFile, origin: Origin, path: string): Freshness {
  const indexed = findDocument(index, path)?.hash;
  // Paths are kept composed (NFC); some file systems hand names out decomposed.
  for (const spelling of [path, path.normalize('NFD')]) {
    try {
      const { file } = locate(origin.config.root, origin.folders, spelling);
      return hashBytes(readFileSync(file)) === indexed ? 'fresh' : 'changed';
    } catch {
      // not there in this spelling, or not readable: tried again, then told as missing
    }
  }
  return 'missing';
}

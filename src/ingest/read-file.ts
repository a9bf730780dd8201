import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeBytes } from '../markdown/decode-bytes.ts';
import { hashBytes } from '../store/content-hash.ts';
import { isInside, reasonOf } from './paths.ts';

/** Larger files are data, not documentation, and would not fit the parse budget. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;

export type ReadBytes =
  | { readonly status: 'read'; readonly bytes: Buffer; readonly hash: string }
  | { readonly status: 'failed'; readonly reason: string };

/** Bytes and content hash of a file. Never throws: one bad file must not stop the others. */
export function readBytes(file: string): ReadBytes {
  try {
    const stats = statSync(file);
    // Reading a pipe would wait for ever.
    if (!stats.isFile()) return { status: 'failed', reason: 'not a regular file' };
    const { size } = stats;
    if (size > MAX_FILE_BYTES) {
      return { status: 'failed', reason: `${size} bytes; the limit is ${MAX_FILE_BYTES}` };
    }
    const bytes = readFileSync(file);
    return { status: 'read', bytes, hash: hashBytes(bytes) };
  } catch (error) {
    return { status: 'failed', reason: `cannot be read: ${reasonOf(error)}` };
  }
}

/**
 * Reads files that a document includes, never outside its source. Remembers the hash of each, so that a change
 * of a partial is a change of the documents that hold it; a partial that is missing has the hash ''.
 */
export class IncludeReader {
  readonly #folder: string;
  readonly #boundary: string;
  /** Without a prototype: an include may have any name, `__proto__` too. */
  readonly hashes: Record<string, string> = Object.create(null) as Record<string, string>;

  constructor(file: string, boundary: string) {
    this.#folder = dirname(file);
    this.#boundary = boundary;
  }

  read(target: string): string | undefined {
    const found = readInclude(this.#folder, this.#boundary, target);
    this.hashes[target] = found?.hash ?? '';
    return found === undefined ? undefined : decodeBytes(found.bytes).text;
  }

  /** Whether the files a document was built from still are what they were. */
  static unchanged(file: string, boundary: string, hashes: Readonly<Record<string, string>>): boolean {
    return Object.entries(hashes).every(
      ([target, hash]) => (readInclude(dirname(file), boundary, target)?.hash ?? '') === hash,
    );
  }
}

/** Hidden folders hold settings and credentials; GitBook alone keeps words in one. */
const HIDDEN = /(?:^|\/)\.(?!\.?(?:\/|$)|gitbook\/)/u;

/** A target that begins with a slash is relative to the nearest folder above that has it, the source's own at last. */
function readInclude(
  folder: string,
  boundary: string,
  target: string,
): { bytes: Buffer; hash: string } | undefined {
  if (HIDDEN.test(target)) return undefined;
  if (!target.startsWith('/')) return readInside(join(folder, target), boundary);
  for (let above = folder; ; above = dirname(above)) {
    const found = readInside(join(above, target), boundary);
    if (found !== undefined) return found;
    if (above === boundary || above === dirname(above) || !isInside(boundary, realFolder(above)))
      return undefined;
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function readInside(file: string, boundary: string): { bytes: Buffer; hash: string } | undefined {
  try {
    if (!isInside(boundary, realpathSync(file))) return undefined;
  } catch {
    return undefined; // not there: said by the parser as a warning of the including document
  }
  const read = readBytes(file);
  return read.status === 'read' ? read : undefined;
}

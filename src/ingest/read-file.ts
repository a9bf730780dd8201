import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeBytes } from '../markdown/decode-bytes.ts';
import { hashBytes } from '../store/content-hash.ts';
import type { Dependency } from '../store/documents.ts';
import { isInside, reasonOf, wayTo } from './paths.ts';
import type { FoundFile } from './walk.ts';

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
 * Reads files that a document includes, never outside its source. Remembers each with its hash, so that a change of a
 * partial is a change of the documents that hold it; a partial that is missing has the hash ''.
 */
export class IncludeReader {
  readonly #document: FoundFile;
  /** Without a prototype: an include may have any name, `__proto__` too. */
  readonly found: Record<string, Dependency> = Object.create(null) as Record<string, Dependency>;

  constructor(document: FoundFile) {
    this.#document = document;
  }

  read(target: string): string | undefined {
    const found = readInclude(this.#document, target);
    const path = found === undefined ? undefined : this.#pathOf(found.real);
    this.found[target] = { hash: found?.hash ?? '', ...(path === undefined ? {} : { path }) };
    return found === undefined ? undefined : decodeBytes(found.bytes).text;
  }

  /** What the included file is called if it is a document: as this one is, from the same source. */
  #pathOf(real: string): string | undefined {
    const { path, file, boundary } = this.#document;
    const own = wayTo(boundary, file).normalize('NFC');
    return path.endsWith(own)
      ? path.slice(0, path.length - own.length) + wayTo(boundary, real).normalize('NFC')
      : undefined;
  }

  /** Whether the files a document was built from still are what they were. */
  static unchanged(document: FoundFile, depends: Readonly<Record<string, Dependency>>): boolean {
    return Object.entries(depends).every(
      ([target, { hash }]) => (readInclude(document, target)?.hash ?? '') === hash,
    );
  }
}

/** Hidden folders hold settings and credentials; GitBook alone keeps words in one. */
const HIDDEN = /(?:^|\/)\.(?!\.?(?:\/|$)|gitbook\/)/u;

/** A target that begins with a slash is relative to the nearest folder above that has it, the source's own at last. */
function readInclude({ file, boundary }: FoundFile, target: string): Included | undefined {
  const folder = dirname(file);
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

interface Included {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly real: string;
}

function readInside(file: string, boundary: string): Included | undefined {
  let real: string;
  try {
    real = realpathSync(file);
  } catch {
    return undefined; // not there: said by the parser as a warning of the including document
  }
  if (!isInside(boundary, real)) return undefined;
  const read = readBytes(real);
  return read.status === 'read' ? { ...read, real } : undefined;
}

import { lstatSync, readdirSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** Whether `path` is `folder` or below it; both absolute and real. */
export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The way from a folder to a file in it, with forward slashes. */
export function wayTo(folder: string, file: string): string {
  return relative(folder, file).split(sep).join('/');
}

/** The short form of a file-system error: its code where it has one. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Names in a folder, sorted; `odd` are those that are no UTF-8, as people can read them, folders with a slash (`caf\xe9.md`): Node knows a
 * path only as text, so they cannot be opened.
 */
export function namesIn(folder: string): { readonly names: string[]; readonly odd: readonly string[] } {
  const names: string[] = [];
  const odd: string[] = [];
  for (const bytes of readdirSync(folder, { encoding: 'buffer' })) {
    const name = bytes.toString('utf8');
    if (!name.includes('\ufffd') || Buffer.from(name, 'utf8').equals(bytes)) names.push(name);
    else odd.push(readable(bytes) + (isFolder(folder, bytes) ? '/' : ''));
  }
  return { names: names.sort(byName), odd: odd.sort() };
}

/** Of two spellings of a name in Unicode the composed one comes first: it is the one that documents are called by. */
function byName(one: string, other: string): number {
  const [left, right] = [one.normalize('NFC'), other.normalize('NFC')];
  if (left !== right) return left < right ? -1 : 1;
  return one === left ? -1 : 1;
}

function isFolder(folder: string, name: Buffer): boolean {
  return (
    lstatSync(Buffer.concat([Buffer.from(folder + sep), name]), { throwIfNoEntry: false })?.isDirectory() ===
    true
  );
}

function readable(bytes: Buffer): string {
  return [...bytes]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`))
    .join('');
}

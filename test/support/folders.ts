import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** A fresh folder (its real path), removed when the test file is done. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kb-test-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a file of {@link writeTree} holds; `{ link }` makes a symbolic link. */
export type Entry = string | Uint8Array | { readonly link: string };

/** Writes files below a folder, with the folders they need. */
export function writeTree(folder: string, files: Readonly<Record<string, Entry>>): string {
  for (const [path, entry] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    if (typeof entry === 'string' || entry instanceof Uint8Array) writeFileSync(file, entry);
    else symlinkSync(entry.link, file);
  }
  return folder;
}

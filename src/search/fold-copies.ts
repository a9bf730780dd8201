import type { StoredChunk, StoredSection } from '../store/sections.ts';
import type { Retrieved } from './retrieve.ts';
import { compareVersions } from './versions.ts';

export interface Found {
  readonly retrieved: Retrieved;
  readonly section: StoredSection;
  readonly chunk: StoredChunk;
}

/**
 * Each text once, where its best copy stands, with that one's score. Shown is the best copy or, where it is one page in
 * several versions, that of the newest version found.
 */
export function foldCopies(found: readonly Found[]): Found[] {
  const groups = new Map<string, Found[]>();
  for (const one of found) {
    const group = groups.get(one.section.hash);
    if (group === undefined) groups.set(one.section.hash, [one]);
    else group.push(one);
  }
  return [...groups.values()].map((group) => {
    const [best, ...others] = group as [Found, ...Found[]];
    const shown = others.reduce(
      (newest, other) => (compareVersions(newest.section.path, other.section.path) > 0 ? other : newest),
      best,
    );
    return shown === best ? best : { retrieved: best.retrieved, section: shown.section, chunk: shown.chunk };
  });
}

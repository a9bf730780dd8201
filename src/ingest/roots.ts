import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Config } from '../core/config.ts';
import { findSpelled } from '../store/freshness.ts';
import { locate } from '../store/origin.ts';
import { isInside, reasonOf } from './paths.ts';
import type { WalkRoot } from './walk.ts';

export interface Roots {
  readonly found: readonly WalkRoot[];
  /** Configured paths that are not there, or can't be read, with the reason. */
  readonly missing: readonly { readonly path: string; readonly reason: string }[];
}

/** Where each configured path is on disk; `folders` says where a path's first folder comes from. */
export function resolveRoots(config: Config, folders: ReadonlyMap<string, string>): Roots {
  const found: WalkRoot[] = [];
  const missing: { path: string; reason: string }[] = [];
  for (const path of config.knowledge.paths) {
    const clean = path
      .normalize('NFC')
      .replace(/^(?:\.\/)+/u, '')
      .replace(/\/+$/u, '');
    const location = locate(config.root, folders, clean);
    try {
      const boundary = realpathSync(location.boundary);
      // The way to the source may go through links; what lies below the real boundary is told by comparing paths.
      const isBelow = isInside(location.boundary, location.file);
      const wanted = isBelow ? join(boundary, relative(location.boundary, location.file)) : location.file;
      const file = existsSync(wanted) ? wanted : (findSpelled(boundary, wanted) ?? wanted);
      const isFolder = statSync(file).isDirectory();
      accessSync(file, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK);
      found.push({ path: clean === '.' ? '' : clean, file, boundary });
    } catch (error) {
      missing.push({ path: clean, reason: reasonOf(error) });
    }
  }
  return { found, missing };
}

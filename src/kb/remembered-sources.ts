import { existsSync } from 'node:fs';
import { isFolder } from '../config/file-status.ts';
import type { Config } from '../core/config.ts';
import type { Origin } from '../store/origin.ts';
import { givenFolders } from './next-command.ts';
import { recallOrigin } from './recall.ts';

export interface Sources {
  /** Local folders in place of sources, by name; absolute. */
  readonly local: ReadonlyMap<string, string>;
  /** What a person should know of folders that were not given this time. */
  readonly notes: readonly string[];
}

/**
 * The folders given with `--source`, now or, where none is given now, when the index was built. One that is gone since
 * is not used, and a note says so.
 */
export function rememberSources(
  config: Config,
  indexPath: string,
  given: ReadonlyMap<string, string>,
): Sources {
  const local = new Map(given);
  const notes: string[] = [];
  const origin = originOf(indexPath);
  if (origin === undefined || origin.config.file !== config.file) return { local, notes };
  for (const [name, folder] of givenFolders(origin)) {
    if (given.has(name) || !isUsed(config, name)) continue;
    const flag = `--source ${name}=FOLDER`;
    if (!isFolder(folder)) {
      notes.push(
        `source ${name} was taken from ${folder}, which is not there any more; ${flag} names another folder`,
      );
      continue;
    }
    local.set(name, folder);
    notes.push(`source ${name} is taken from ${folder}, as before; ${flag} names another folder`);
  }
  return { local, notes };
}

function isUsed({ knowledge }: Config, name: string): boolean {
  return (
    Object.hasOwn(knowledge.sources, name) || knowledge.paths.some((path) => path.split('/')[0] === name)
  );
}

/** Undefined where there is no index to ask; what is wrong with one that is there is told by the ingest itself. */
function originOf(indexPath: string): Origin | undefined {
  if (!existsSync(indexPath)) return undefined;
  try {
    return recallOrigin(indexPath);
  } catch {
    return undefined;
  }
}

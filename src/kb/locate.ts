import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { knowledgeBaseName } from '../config/name.ts';
import type { Environment } from '../config/overrides.ts';
import {
  findWorkspace,
  indexFile,
  isBuilt,
  resolveKnowledgeBase,
  type Workspace,
} from '../config/workspace.ts';

export interface Where {
  /** Name, folder or YAML file of the knowledge base; the one ingested last when absent. */
  readonly kb?: string | undefined;
  /** Path of a knowledge-base file. */
  readonly config?: string | undefined;
  /** Folder that relative words are relative to; the process's own when absent. */
  readonly cwd?: string | undefined;
  readonly environment?: Environment | undefined;
}

export interface Located {
  readonly workspace: Workspace;
  /** Absent when nothing was named and nothing has been ingested. */
  readonly name: string | undefined;
  /** Absolute path of the index file, whether or not it is there. */
  readonly indexPath: string | undefined;
  /** Other knowledge bases that were left aside because none was named. */
  readonly others: readonly string[];
}

/** Finds the index that is meant. Throws knowledge-base-unknown or config-missing for a name that means nothing. */
export function locateKb(where: Where): Located {
  const workspace = findWorkspace(where.cwd ?? process.cwd(), where.environment ?? {});
  const word = where.config ?? where.kb;
  if (word === undefined) return latest(workspace);
  const name = nameOf(word, workspace, where.config !== undefined);
  return { workspace, name, indexPath: indexFile(workspace, name), others: [] };
}

function nameOf(word: string, workspace: Workspace, isFile: boolean): string {
  const isPlainName = !isFile && !/[/\\]/u.test(word);
  if (isPlainName && isBuilt(workspace, word)) return word;
  const meant = resolveKnowledgeBase(isFile ? asPath(word) : word, workspace);
  if (meant.kind === 'index') return meant.name;
  return knowledgeBaseName(meant.kind === 'config' ? meant.file : meant.folder);
}

/** `--config agent.yaml` means the file here, never one of that name in `corpora/`. */
export function asPath(word: string): string {
  return /[/\\]/u.test(word) ? word : `./${word}`;
}

/** The index written last: what a person who has just ingested means. */
function latest(workspace: Workspace): Located {
  const found = indexes(workspace.indexesDir).sort(
    (a, b) => b.modified - a.modified || (a.name < b.name ? -1 : 1),
  );
  const [first, ...rest] = found;
  return {
    workspace,
    name: first?.name,
    indexPath: first?.path,
    others: rest.map((other) => other.name),
  };
}

function indexes(folder: string): { name: string; path: string; modified: number }[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return []; // no folder: nothing was ingested here yet
  }
  return names
    .filter((file) => file.endsWith('.db'))
    .map((file) => ({
      name: file.slice(0, -'.db'.length),
      path: join(folder, file),
      modified: statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }));
}

import { join, relative, resolve } from 'node:path';
import { knowledgeBaseName } from '../config/name.ts';
import type { Config } from '../core/config.ts';
import type { Origin } from '../store/origin.ts';
import type { Where } from './locate.ts';

/** Where a person types, and where knowledge bases are described. Both absolute. */
export interface Place {
  readonly cwd: string;
  readonly corporaDir: string;
}

/** The command that brings the index of a knowledge base up to date. */
export function ingestCommand({ config }: Pick<Origin, 'config'>, place: Place): string {
  return `kb ingest ${wordFor(config, place)}`;
}

/** The command that builds the index anew once it has been deleted, and with it what it remembered. */
export function rebuildCommand(origin: Pick<Origin, 'config' | 'folders'>, place: Place): string {
  const sources = givenFolders(origin).map(
    ([name, folder]) => `--source ${quoted(`${name}=${shown(folder, place.cwd)}`)}`,
  );
  return [ingestCommand(origin, place), ...sources].join(' ');
}

/** The folders that were given with `--source` instead of being cloned beside the YAML file. */
export function givenFolders(
  origin: Pick<Origin, 'config' | 'folders'>,
): readonly (readonly [string, string])[] {
  return [...origin.folders].filter(([name, folder]) => folder !== join(origin.config.root, name));
}

/** The command that ingests what these words named. */
export function ingestCommandFor({ kb, config }: Pick<Where, 'kb' | 'config'>): string {
  if (config !== undefined) return `kb ingest --config ${quoted(config)}`;
  return kb === undefined ? 'kb ingest ./FOLDER' : `kb ingest ${quoted(kb)}`;
}

function wordFor({ file, root, name }: Config, { cwd, corporaDir }: Place): string {
  const named = (own: string): string => (own === name ? '' : ` --name ${name}`);
  if (file === undefined) return quoted(shown(root, cwd)) + named(knowledgeBaseName(root));
  const own = knowledgeBaseName(file);
  const isListed = resolve(corporaDir, `${own}.yaml`) === file;
  return (isListed ? own : `--config ${quoted(shown(file, cwd))}`) + named(own);
}

/** A path as a person would type it: from here where it is below, whole where it is not. */
function shown(path: string, cwd: string): string {
  const below = relative(cwd, path);
  if (below === '') return '.';
  return below.startsWith('..') ? path : `./${below}`;
}

/** A word of a shell command. */
function quoted(word: string): string {
  return /^[\w./=@:+-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { KbError } from '../core/errors.ts';
import { isFolder, statusOf } from './file-status.ts';
import { knowledgeBaseName } from './name.ts';
import { nearest } from './nearest.ts';
import type { Environment } from './overrides.ts';

/** Where knowledge bases are described and kept. All paths absolute. */
export interface Workspace {
  /** Folder that relative words of the command line are relative to. */
  readonly start: string;
  readonly root: string;
  readonly corporaDir: string;
  readonly indexesDir: string;
}

/**
 * The workspace of a folder: `KB_HOME` when set, else the nearest folder from `start` upwards with a YAML file in
 * `corpora/` or with an `indexes/` folder, else `start` itself. Creates nothing.
 */
export function findWorkspace(start: string, environment: Environment): Workspace {
  const from = resolve(start);
  const home = environment['KB_HOME'];
  const root =
    home === undefined || home === '' ? (ancestorWithKnowledge(from) ?? from) : resolve(from, home);
  return { start: from, root, corporaDir: join(root, 'corpora'), indexesDir: join(root, 'indexes') };
}

function ancestorWithKnowledge(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (yamlFiles(join(folder, 'corpora')).length > 0 || isFolder(join(folder, 'indexes'))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Names of the files of a folder; empty when it is absent or may not be read. */
function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function yamlFiles(folder: string): readonly string[] {
  return filesOf(folder).filter((file) => isYaml(file) && !file.startsWith('.'));
}

function isYaml(file: string): boolean {
  return ['.yaml', '.yml'].includes(extname(file).toLowerCase());
}

function isFile(path: string): boolean {
  return statusOf(path)?.isFile() ?? false;
}

/** Path of the index of a knowledge base, whether or not it has been built. */
export function indexFile(workspace: Workspace, name: string): string {
  return join(workspace.indexesDir, `${name}.db`);
}

/** Whether a knowledge base of exactly this name has been built. */
export function isBuilt(workspace: Workspace, name: string): boolean {
  return isFile(indexFile(workspace, name));
}

/** Names of the knowledge bases that can be ingested (a YAML file in `corpora/`) or asked (an index), sorted. */
export function listKnowledgeBases(workspace: Workspace): readonly string[] {
  const described = yamlFiles(workspace.corporaDir).map((file) => basename(file, extname(file)));
  const built = filesOf(workspace.indexesDir)
    .filter((file) => file.endsWith('.db'))
    .map((file) => file.slice(0, -'.db'.length));
  return [...new Set([...described, ...built])].sort();
}

/** What a word of the command line means. `index`: built earlier from a folder; its configuration is in the index. */
export type KnowledgeBase =
  | { readonly kind: 'config'; readonly file: string }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'index'; readonly name: string; readonly file: string };

/**
 * Finds the knowledge base a person means: `openvox-docs` (`corpora/openvox-docs.yaml`), the path of a YAML file, an
 * existing folder, or the name of an index. A bare name means `corpora/` first; `./name` always means the path.
 * Throws knowledge-base-unknown, or config-missing for the path of a YAML file that is not there.
 */
export function resolveKnowledgeBase(word: string, workspace: Workspace): KnowledgeBase {
  if (word.trim() === '' || word.includes('\0')) throw unknown(word, workspace);
  const isName = !/[/\\]/u.test(word) && word !== '.' && word !== '..';
  if (isName) {
    const file = [`${word}.yaml`, `${word}.yml`, ...(isYaml(word) ? [word] : [])]
      .map((candidate) => join(workspace.corporaDir, candidate))
      .find(isFile);
    if (file !== undefined) return { kind: 'config', file };
  }
  const path = resolve(workspace.start, word);
  if (isFolder(path)) return { kind: 'folder', folder: path };
  if (isYaml(word)) {
    if (isFile(path)) return { kind: 'config', file: path };
    throw new KbError('config-missing', `no knowledge-base file ${word}`, { file: path }, { hint: hint() });
  }
  const index = indexFile(workspace, knowledgeBaseName(word));
  if (isName && isFile(index)) return { kind: 'index', name: knowledgeBaseName(word), file: index };
  throw isName ? unknown(word, workspace) : noFolder(word, path, workspace);
}

/** A path that is no folder: what it is instead, and the folder beside it that was probably meant. */
function noFolder(word: string, path: string, workspace: Workspace): KbError<'knowledge-base-unknown'> {
  const what = isFile(path)
    ? `${word} is a file: name its folder, or list it under paths in a YAML file`
    : `there is no folder ${word}`;
  const folders = filesOf(dirname(path)).filter(
    (name) => !name.startsWith('.') && isFolder(join(dirname(path), name)),
  );
  const near = isFile(path) ? undefined : nearest(basename(path), folders);
  const meant =
    near === undefined
      ? undefined
      : `${word.slice(0, word.replace(/[/\\]+$/u, '').search(/[^/\\]*$/u))}${near}`;
  return new KbError(
    'knowledge-base-unknown',
    meant === undefined ? what : `${what}; did you mean ${meant}?`,
    { name: word, known: listKnowledgeBases(workspace) },
    { hint: isFile(path) ? `kb ingest ${dirname(word)}` : `kb ingest ${meant ?? './FOLDER'}` },
  );
}

function unknown(word: string, workspace: Workspace): KbError<'knowledge-base-unknown'> {
  const known = listKnowledgeBases(workspace);
  const near = nearest(word, known);
  const guess = near === undefined ? '' : `; did you mean ${near}?`;
  const list = known.length === 0 ? 'there are none yet' : `known: ${known.join(', ')}`;
  return new KbError(
    'knowledge-base-unknown',
    `no knowledge base and no folder "${word}" (${list})${guess}`,
    { name: word, known },
    { hint: near === undefined ? hint() : `kb ingest ${near}; with other commands: -k ${near}` },
  );
}

function hint(): string {
  return 'index a folder with kb ingest ./FOLDER, or describe it in corpora/NAME.yaml and run kb ingest NAME';
}

import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { isInside, namesIn, reasonOf, wayTo } from './paths.ts';

/** A file to index: where it is, what it is called, and the folder that nothing may be read outside of. */
export interface FoundFile {
  /** Relative to the knowledge-base file, forward slashes. */
  readonly path: string;
  readonly file: string;
  /** Real path of the source (or root) folder. */
  readonly boundary: string;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
  /** True when it could not be looked at: what was indexed below it must then not be taken for deleted. */
  readonly unreadable: boolean;
}

export interface WalkRoot {
  readonly path: string;
  readonly file: string;
  readonly boundary: string;
  /** Real path, where it is known: to find it out the file system is asked about each folder above. */
  readonly real?: string;
}

export interface Walked {
  readonly files: readonly FoundFile[];
  readonly skipped: readonly SkippedFile[];
}

/** What files of documentation are called. */
export const TEXT_ENDINGS = ['.md', '.markdown', '.mdx', '.txt', '.text'] as const;
const EXTENSION = /\.(?:md|markdown|mdx|txt|text)$/iu;
const IGNORE_FILES = ['.gitignore', '.ignore', '.kbignore'];
/** Written for coding agents, not for readers: instructions have no place among evidence. */
const HUGO_FILE = /^(?:(?:hugo|config)\.(?:toml|ya?ml|json)|config)$/iu;
const AGENT_FILE = /^(?:AGENTS|CLAUDE|GEMINI|SKILL)\.md$/iu;
const SKIPPED_FOLDERS = new Set(['node_modules']);
/** The one folder nobody expects to be read, so that leaving it out needs no word. */
const UNTOLD = '.git';

interface Walk {
  readonly exclude: Ignore;
  readonly files: FoundFile[];
  readonly skipped: SkippedFile[];
  readonly links: { readonly root: WalkRoot; readonly rules: readonly Rules[] }[];
  /** Real paths of files and folders taken, so that none is taken twice. */
  readonly taken: Set<string>;
  /** Paths of the files taken. */
  readonly named: Set<string>;
}

/** The lines of one ignore file and the folder they are relative to. */
interface Rules {
  readonly folder: string;
  readonly matcher: Ignore;
}

/**
 * Finds the files below the roots. Symbolic links are looked at last: one that leaves its source or dangles is
 * skipped, one that leads to a file already found is skipped too, so that nothing is indexed twice.
 */
export function walk(roots: readonly WalkRoot[], exclude: readonly string[]): Walked {
  const state: Walk = {
    exclude: matcherOf([...exclude]),
    files: [],
    skipped: [],
    links: [],
    taken: new Set(),
    named: new Set(),
  };
  for (const root of roots) visitRoot(state, root);
  for (let next = state.links.shift(); next !== undefined; next = state.links.shift()) {
    followLink(state, next.root, next.rules);
  }
  const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
  return { files: state.files.sort(byPath), skipped: state.skipped.sort(byPath) };
}

function visitRoot(state: Walk, root: WalkRoot): void {
  const stats = lstatSync(root.file);
  if (stats.isSymbolicLink()) state.links.push({ root, rules: [] });
  else if (stats.isDirectory()) visitFolder(state, root, rulesAbove(root));
  else takeFile(state, root);
}

function visitFolder(state: Walk, folder: WalkRoot, above: readonly Rules[]): void {
  const real = takeOnce(state, folder);
  if (real === undefined) return;
  let names: string[];
  try {
    const found = namesIn(folder.file);
    names = found.names;
    for (const odd of found.odd.filter((name) => name.endsWith('/') || EXTENSION.test(name)))
      skip(state, joinPath(folder.path, odd), 'its name is not UTF-8: rename it to have it indexed');
  } catch (error) {
    state.skipped.push({
      path: folder.path,
      reason: `folder cannot be read: ${reasonOf(error)}`,
      unreadable: true,
    });
    return;
  }
  const rules = [...above, ...rulesIn(folder.file, names)];
  for (const name of names) {
    if (name === UNTOLD) continue;
    const entry = {
      path: joinPath(folder.path, name),
      file: join(folder.file, name),
      real: join(real, name),
    };
    visitEntry(state, { ...entry, boundary: folder.boundary }, rules);
  }
}

function visitEntry(state: Walk, entry: WalkRoot, rules: readonly Rules[]): void {
  let stats: ReturnType<typeof lstatSync>;
  try {
    stats = lstatSync(entry.file);
  } catch (error) {
    skip(state, entry.path, `cannot be read: ${reasonOf(error)}`, true);
    return;
  }
  const isFolder = stats.isDirectory();
  const reason = reasonToSkip(state, entry, isFolder, rules);
  if (reason !== undefined) {
    // A folder is told as a whole: what it holds is not looked at.
    if (isFolder) skip(state, `${entry.path}/`, reason);
    else if (EXTENSION.test(entry.path)) skip(state, entry.path, reason);
    return;
  }
  if (stats.isSymbolicLink()) state.links.push({ root: withoutReal(entry), rules });
  else if (isFolder) visitFolder(state, entry, rules);
  else if (EXTENSION.test(entry.path)) visitDocument(state, entry, stats.isFile());
}

/** Of a link only its target has one. */
function withoutReal({ path, file, boundary }: WalkRoot): WalkRoot {
  return { path, file, boundary };
}

function visitDocument(state: Walk, entry: WalkRoot, isRegular: boolean): void {
  if (!isRegular) skip(state, entry.path, 'not a regular file');
  else if (AGENT_FILE.test(basename(entry.path))) {
    skip(state, entry.path, 'instructions for coding agents; name the file under paths to index it');
  } else takeFile(state, entry);
}

function takeFile(state: Walk, file: WalkRoot): void {
  if (takeOnce(state, file) === undefined) return;
  if (state.named.has(file.path)) {
    skip(state, diskPath(file), 'another file has the same name in another Unicode spelling');
    return;
  }
  state.named.add(file.path);
  state.files.push(withoutReal(file));
}

/** Overlapping roots and hard-to-see duplicates end here: a real path, which is given back, is visited once. */
function takeOnce(state: Walk, entry: WalkRoot): string | undefined {
  let { real } = entry;
  try {
    real ??= realpathSync(entry.file);
  } catch (error) {
    skip(state, entry.path, `cannot be read: ${reasonOf(error)}`, true);
    return undefined;
  }
  if (state.taken.has(real)) return undefined;
  state.taken.add(real);
  return real;
}

function followLink(state: Walk, link: WalkRoot, rules: readonly Rules[]): void {
  const mayMatter = EXTENSION.test(link.path);
  let real: string;
  let isFolder: boolean;
  try {
    real = realpathSync(link.file);
    isFolder = statSync(real).isDirectory();
  } catch (error) {
    if (mayMatter) skip(state, link.path, `symbolic link leads nowhere: ${reasonOf(error)}`);
    return;
  }
  if (!isFolder && !mayMatter) return;
  if (!isInside(link.boundary, real)) {
    skip(state, link.path, 'symbolic link leaves its source');
  } else if (state.taken.has(real)) {
    const target = wayTo(link.boundary, real);
    skip(
      state,
      link.path,
      `symbolic link to ${target === '' ? 'its own source' : target}, which is indexed itself`,
    );
  } else if (isFolder) visitFolder(state, { ...link, file: real, real }, rules);
  else visitDocument(state, { ...link, file: real, real }, statSync(real).isFile());
}

function skip(state: Walk, path: string, reason: string, unreadable = false): void {
  state.skipped.push({ path, reason, unreadable });
}

function reasonToSkip(
  state: Walk,
  entry: WalkRoot,
  isFolder: boolean,
  rules: readonly Rules[],
): string | undefined {
  const name = basename(entry.file);
  if (name.startsWith('.')) return 'hidden';
  if (isFolder && SKIPPED_FOLDERS.has(name)) return 'packages of others';
  if (isFolder && name === 'archetypes' && isHugoSite(dirname(entry.file)))
    return 'models for new pages of a Hugo site; name the folder as a path to have it indexed';
  return isExcluded(state, entry, isFolder, rules) ? 'excluded' : undefined;
}

/** A folder with pages in `content` and a configuration file of Hugo beside it. */
function isHugoSite(folder: string): boolean {
  const names = readdirSync(folder);
  return names.includes('content') && names.some((name) => HUGO_FILE.test(name));
}

function isExcluded(state: Walk, entry: WalkRoot, isFolder: boolean, rules: readonly Rules[]): boolean {
  const suffix = isFolder ? '/' : '';
  if (state.exclude.ignores(entry.path + suffix)) return true;
  let ignored = false;
  for (const rule of rules) {
    const below = wayTo(rule.folder, entry.file);
    // A followed link may stand outside the folder of a rule: that rule then says nothing about it.
    if (below.startsWith('..') || below === '') continue;
    const verdict = rule.matcher.test(below + suffix);
    // As for git: the rules of a deeper folder have the last word.
    if (verdict.ignored || verdict.unignored) ignored = verdict.ignored;
  }
  return ignored;
}

/** In the case that is written: `Build/` says nothing about `build/`. */
function matcherOf(patterns: string | string[]): Ignore {
  return ignore({ ignorecase: false }).add(patterns);
}

function rulesIn(folder: string, names: readonly string[]): Rules[] {
  return IGNORE_FILES.filter((name) => names.includes(name)).flatMap((name) => {
    try {
      return [{ folder, matcher: matcherOf(readFileSync(join(folder, name), 'utf8')) }];
    } catch {
      return []; // a folder of that name, or one we may not read: it then excludes nothing
    }
  });
}

/** Ignore files between the boundary and a root apply to it too, as they do for git. */
function rulesAbove(root: WalkRoot): Rules[] {
  const rules: Rules[] = [];
  let folder = root.boundary;
  for (const part of relative(root.boundary, root.file).split(sep)) {
    if (part === '' || part === '..') break;
    rules.push(...rulesIn(folder, readdirSync(folder)));
    folder = join(folder, part);
  }
  return rules;
}

/** The path of a file with its names as they are spelled on disk. */
export function diskPath({ path, file, boundary }: FoundFile): string {
  const below = wayTo(boundary, file);
  const own = below.normalize('NFC');
  return path.endsWith(own) ? path.slice(0, path.length - own.length) + below : path;
}

function joinPath(folder: string, name: string): string {
  // One name, one path: file systems and archives differ in how they spell é.
  const composed = name.normalize('NFC');
  return folder === '' || folder === '.' ? composed : `${folder}/${composed}`;
}

import { posix } from 'node:path';

/** What is wrong with an entry of `paths`; undefined when it is a file or folder below the YAML file's own folder. */
export function folderPathProblem(path: string): string | undefined {
  if (path.trim() === '') return 'must not be empty: use . for the whole folder';
  if (path.includes('\0')) return 'must not hold a NUL character';
  if (path.startsWith('/') || /^[A-Za-z]:[/\\]/u.test(path) || path.startsWith('\\')) {
    return 'must be relative to the YAML file, not an absolute path';
  }
  if (path === '~' || path.startsWith('~/')) return 'must be relative to the YAML file; ~ is not expanded';
  const normal = posix.normalize(path);
  if (normal === '..' || normal.startsWith('../')) {
    return 'must stay inside the folder of the YAML file, without ..; give a local copy with --source name=DIR';
  }
  return undefined;
}

/** One spelling for one place: no `./`, no doubled or trailing `/`. */
export function normalizePath(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

/** What is wrong with the name of a source, which is also the name of a folder beside the YAML file. */
export function sourceNameProblem(name: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the purpose
  if (name === '' || name.length > 100 || /[/\\:\u0000-\u001f\u007f]/u.test(name) || name === '__proto__') {
    return 'is not the name of a single folder (no /, \\, : or control characters, at most 100 long)';
  }
  // A dot would also make `.`, `..`, `.git` and the folders kb clones into.
  if (name.startsWith('.') || name.startsWith('-'))
    return 'is a source name, which must not begin with . or -';
  return undefined;
}

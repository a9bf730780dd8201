const EXTENSION = /(?:\.html?)?\.(?:md|mdx|markdown|mdown|mkdn?|txt|text)$|\.html?$/iu;
const INDEX_NAMES = ['index', '_index', 'readme'];

/** Finds the document a link of a page leads to, as site generators map files to addresses. */
export class LinkResolver {
  /** By path without extension, lower-cased; the first document of a name counts. */
  readonly #byStem = new Map<string, string>();
  /** Documents by the last part of their address, for links from the root of a site whose root is not known. */
  readonly #byName = new Map<string, Addressed[]>();
  readonly #fromRoot = new Map<string, string | undefined>();
  readonly #paths: ReadonlySet<string>;

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    for (const path of paths) {
      const stem = stemOf(path);
      if (!this.#byStem.has(stem)) this.#byStem.set(stem, path);
      const parts = stem.split('/');
      this.#name({ path, parts });
      if (INDEX_NAMES.includes(parts.at(-1) ?? '')) this.#name({ path, parts: parts.slice(0, -1) });
    }
  }

  #name(addressed: Addressed): void {
    const name = addressed.parts.at(-1) ?? '';
    const known = this.#byName.get(name);
    if (known === undefined) this.#byName.set(name, [addressed]);
    else known.push(addressed);
  }

  /** Path of the document that `target` (without fragment) names on page `from`; undefined when none does. */
  resolve(from: string, target: string): string | undefined {
    const address = decodePath(target.replace(/\?.*$/u, ''));
    if (address === '') return from;
    if (address.startsWith('/')) {
      if (!this.#fromRoot.has(address)) this.#fromRoot.set(address, this.#resolveFromRoot(address));
      return this.#fromRoot.get(address);
    }
    const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : '';
    // Sites with addresses like `page/` resolve links one level deeper than the files stand.
    return this.#at(join(folder, address)) ?? this.#at(join(from.replace(EXTENSION, ''), address));
  }

  #at(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    if (this.#paths.has(path)) return path;
    const stem = stemOf(path);
    const own = this.#byStem.get(stem);
    if (own !== undefined) return own;
    for (const name of INDEX_NAMES) {
      const index = this.#byStem.get(stem === '' ? name : `${stem}/${name}`);
      if (index !== undefined) return index;
    }
    return undefined;
  }

  /** The site's root is some folder of the source: the document whose path shares most of the address's end. */
  #resolveFromRoot(address: string): string | undefined {
    const wanted = join('', address.slice(1));
    if (wanted === undefined) return undefined;
    const exact = this.#at(wanted);
    if (exact !== undefined) return exact;
    const parts = stemOf(wanted).split('/');
    const found = (this.#byName.get(parts.at(-1) ?? '') ?? [])
      .map(({ path, parts: own }) => ({ path, shared: sharedEnd(own, parts) }))
      .filter(({ path, shared }) => shared > 1 || parts.length === 1 || standsIn(path, parts.slice(0, -1)));
    const best = Math.max(0, ...found.map(({ shared }) => shared));
    const nearest = found.filter(({ shared }) => shared === best);
    return nearest.length === 1 ? nearest[0]?.path : undefined;
  }
}

interface Addressed {
  readonly path: string;
  readonly parts: readonly string[];
}

/** Whether a folder of the path is named after a part of an address: `_guides_v2` (a Jekyll collection) after `guides`. */
function standsIn(path: string, parts: readonly string[]): boolean {
  const folders = path.toLowerCase().split('/').slice(0, -1);
  return parts.some((part) =>
    folders.some((folder) => folder === part || folder.replace(/^_/u, '').split('_')[0] === part),
  );
}

function sharedEnd(own: readonly string[], parts: readonly string[]): number {
  let shared = 0;
  while (shared < parts.length && shared < own.length && own.at(-1 - shared) === parts.at(-1 - shared))
    shared += 1;
  return shared;
}

function stemOf(path: string): string {
  return path.normalize('NFC').replace(EXTENSION, '').replace(/\/$/u, '').toLowerCase();
}

/** Undefined when the address leaves the root. */
function join(folder: string, address: string): string | undefined {
  const parts: string[] = folder === '' ? [] : folder.split('/');
  for (const part of address.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

function decodePath(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

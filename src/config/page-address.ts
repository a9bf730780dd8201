import type { Json } from '../core/chat.ts';

export interface SitePage {
  /** Relative to the folder that holds the site's pages. */
  readonly path: string;
  readonly metadata: Readonly<Record<string, Json>>;
}

/** Where a page is, below the site's base. */
export interface Address {
  /** Not encoded. */
  readonly parts: readonly string[];
  /** `page` gets the site's ending, `folder` a slash, `exact` neither. */
  readonly kind: 'page' | 'folder' | 'exact';
  /** Written in front matter as counted from the root of the host's site. */
  readonly fromRoot?: boolean;
}

const EXTENSION = /(?:\.html?)?\.(?:md|mdx|markdown|mdown|mkdn?|txt|text)$/iu;

/** Whether front matter says that the page is not published. */
export function isUnpublished({ metadata }: SitePage): boolean {
  const build = metadata['build'] ?? metadata['_build'];
  const render =
    typeof build === 'object' && build !== null && 'render' in build ? build['render'] : undefined;
  return (
    ['draft', 'headless'].some((key) => metadata[key] === true) ||
    ['published', 'publish', 'render'].some((key) => metadata[key] === false) ||
    render === 'never' ||
    render === false
  );
}

/** A path without its extension, in parts. */
export function partsOf(path: string): string[] {
  return path.replace(EXTENSION, '').split('/');
}

/** A text or number of front matter; addresses of other hosts are none. */
export function written(page: SitePage, key: string): string | undefined {
  const value = page.metadata[key];
  const text = (typeof value === 'number' ? String(value) : value) ?? '';
  if (typeof text !== 'string' || /^\s*(?:[a-z][a-z\d+.-]*:|\/\/)/iu.test(text)) return undefined;
  return text.trim() || undefined;
}

/** An address as front matter writes it. */
export function writtenAddress(text: string): Address {
  const parts = text
    .split('/')
    .map(decodePart)
    .filter((part) => part !== '' && part !== '.');
  const kind = text.endsWith('/') ? 'folder' : 'exact';
  const last = parts.at(-1);
  if (last === undefined || !/^index\.html?$/u.test(last)) return { parts, kind };
  return { parts: parts.slice(0, -1), kind: 'folder' };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

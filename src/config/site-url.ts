import type { Json } from '../core/chat.ts';
import type { PageEnding, SiteConfig } from '../core/config.ts';
import { GENERATORS, type Generator } from './generators.ts';
import type { Address } from './page-address.ts';
import { encodeFragment, encodePath } from './url-parts.ts';

/** A {@link SiteConfig} ready to run. */
export interface CompiledSite {
  readonly site: SiteConfig;
  readonly generator: Generator;
  readonly ending: PageEnding;
  /** Configured paths: where the site does not say which folder holds its pages, it is looked for here. */
  readonly paths: readonly string[];
}

export function compileSites(
  sites: readonly SiteConfig[],
  paths: readonly string[],
): readonly CompiledSite[] {
  return sites.map((site) => {
    const generator = GENERATORS[site.generator];
    return { site, generator, ending: site.ending ?? generator.ending, paths: paths.map(trim) };
  });
}

/**
 * The page of a site that shows a document's section; undefined where the document is not in the site, or has no page
 * of its own (drafts, partials). Front matter is not trusted: no address leads out of the site's base.
 */
export function siteUrl(
  path: string,
  metadata: Readonly<Record<string, Json>>,
  anchor: string | undefined,
  { site, generator, ending, paths }: CompiledSite,
): string | undefined {
  const root = site.path === undefined ? pagesFolder(path, paths, generator) : trim(site.path);
  const below = belowFolder(path, root);
  if (below === undefined) return undefined;
  const address = generator.address({ path: below, metadata });
  if (address === undefined) return undefined;
  const pagePath = formatAddress(inside(address, site.baseUrl), ending, generator);
  const spaces = generator.spaces ?? '%20';
  const href = site.baseUrl + (generator.hash ?? '') + encodePath(pagePath).replaceAll('%20', spaces);
  if (anchor === undefined || anchor === '') return href;
  return href + (generator.anchor ?? '#') + encodeFragment(anchor).replaceAll('%20', spaces);
}

/** An address from the site's root may name the base's own folders again: `/docs/a/` for a base that ends in `/docs/`. */
function inside(address: Address, baseUrl: string): Address {
  if (address.fromRoot !== true) return address;
  const base = new URL(baseUrl).pathname.split('/').filter((part) => part !== '');
  const repeats = base.every((part, index) => address.parts[index] === decode(part));
  return repeats ? { ...address, parts: address.parts.slice(base.length) } : address;
}

function formatAddress({ parts, kind }: Address, ending: PageEnding, generator: Generator): string {
  const path = parts.join('/');
  if (path === '' || kind === 'exact') return path;
  if (kind === 'folder') return path + (generator.folderSlash === false ? '' : '/');
  return path + { slash: '/', html: '.html', none: '' }[ending];
}

/** The generator's usual folder in the configured path or directly below it, else the path itself. */
function pagesFolder(path: string, paths: readonly string[], { folders }: Generator): string {
  const holding = paths.filter((folder) => belowFolder(path, folder) !== undefined);
  const [longest = ''] = holding.sort((one, other) => other.length - one.length);
  const configured = longest === path ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : longest;
  for (const folder of folders) {
    const at = `/${configured}/`.lastIndexOf(`/${folder}/`);
    if (at !== -1) return configured.slice(0, at + folder.length);
  }
  for (const folder of folders) {
    const below = configured === '' ? folder : `${configured}/${folder}`;
    if (path.startsWith(`${below}/`)) return below;
  }
  return configured;
}

/** A path relative to a folder; undefined when it is not in it. A document named itself is in its folder. */
function belowFolder(path: string, folder: string): string | undefined {
  if (folder === '') return path;
  if (path === folder) return path.slice(path.lastIndexOf('/') + 1);
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

function trim(path: string): string {
  const clean = path.replace(/^(?:\.\/)+/u, '').replace(/\/+$/u, '');
  return clean === '.' ? '' : clean.normalize('NFC');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

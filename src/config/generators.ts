import { slug as githubSlug } from 'github-slugger';
import type { PageEnding, SiteGenerator } from '../core/config.ts';
import { jekyllAddress } from './jekyll-address.ts';
import {
  type Address,
  isUnpublished,
  partsOf,
  type SitePage,
  written,
  writtenAddress,
} from './page-address.ts';

export interface Generator {
  /** Usual folders of pages, the deepest first; none where the site's root holds them. */
  readonly folders: readonly string[];
  readonly ending: PageEnding;
  /** Undefined for a file that has no page of its own. */
  readonly address: (page: SitePage) => Address | undefined;
  /** False where a folder's own page is reached without a slash at the end. */
  readonly folderSlash?: boolean;
  /** How a blank is written. */
  readonly spaces?: string;
  /** Stands between base and path. */
  readonly hash?: string;
  /** Stands between page and anchor. */
  readonly anchor?: string;
}

interface Plain {
  /** File names, in small letters, that are their folder's own page. */
  readonly index: readonly string[];
  /** A folder's or file's name in addresses. */
  readonly name?: (name: string) => string;
  /** Key of front matter with a whole address, below the site's base, or below its root: that of all its folders. */
  readonly whole?: { readonly key: string; readonly below: 'base' | 'root' };
  /** Key whose value takes the place of the last part. */
  readonly last?: string;
  /** Names of files and folders that are no pages. */
  readonly hidden?: RegExp;
  /** Pages with a language before their extension (`page.fr.md`) are below a folder of that name. */
  readonly languages?: 'all' | 'but english';
}

/** Each known generator; a new one is one more entry. */
export const GENERATORS: Readonly<Record<SiteGenerator, Generator>> = {
  docsify: {
    ...{ folders: ['docs'], ending: 'none', hash: '#/', anchor: '?id=' },
    address: plain({ index: ['readme'], hidden: /^_/u }),
  },
  docfx: { folders: ['docs', 'articles'], ending: 'html', address: plain({ index: ['index'] }) },
  docusaurus: { folders: ['docs'], ending: 'none', address: docusaurusAddress },
  eleventy: {
    ...{ folders: [], ending: 'slash' },
    address: plain({ index: ['index'], whole: { key: 'permalink', below: 'root' }, hidden: /^_/u }),
  },
  gitbook: {
    ...{ folders: [], ending: 'none', folderSlash: false },
    address: plain({ index: ['readme'], hidden: /^SUMMARY\.md$/u }),
  },
  github: { folders: [], ending: 'none', address: ({ path }) => ({ parts: path.split('/'), kind: 'exact' }) },
  'github-wiki': { folders: [], ending: 'none', address: wikiAddress },
  hugo: {
    ...{ folders: ['content'], ending: 'slash' },
    address: plain({
      index: ['_index', 'index'],
      name: hugoName,
      whole: { key: 'url', below: 'root' },
      last: 'slug',
      hidden: /^_(?!index\.)/u,
      languages: 'but english',
    }),
  },
  jekyll: { folders: [], ending: 'html', address: jekyllAddress },
  mdbook: {
    ...{ folders: ['src'], ending: 'html' },
    address: plain({ index: ['readme', 'index'], hidden: /^SUMMARY\.md$/u }),
  },
  mintlify: {
    ...{ folders: [], ending: 'none', folderSlash: false },
    address: plain({ index: ['index'], hidden: /^(?:snippets|_snippets)$/u }),
  },
  mkdocs: { folders: ['docs'], ending: 'slash', address: plain({ index: ['index', 'readme'] }) },
  nextra: {
    ...{ folders: ['content', 'pages'], ending: 'none', folderSlash: false },
    address: plain({ index: ['index'], hidden: /^_/u }),
  },
  obsidian: {
    ...{ folders: [], ending: 'none', spaces: '+' },
    address: plain({ index: [], whole: { key: 'permalink', below: 'base' } }),
  },
  quartz: {
    ...{ folders: ['content'], ending: 'none' },
    address: plain({ index: ['index'], name: quartzName, whole: { key: 'permalink', below: 'base' } }),
  },
  sphinx: {
    ...{ folders: ['docs/source', 'doc/source', 'docs', 'doc', 'source'], ending: 'html' },
    address: plain({ index: ['index'], hidden: /^_/u }),
  },
  starlight: {
    ...{ folders: ['src/content/docs'], ending: 'slash' },
    address: plain({
      index: ['index'],
      name: (name) => githubSlug(name),
      whole: { key: 'slug', below: 'base' },
      hidden: /^_/u,
    }),
  },
  vitepress: {
    ...{ folders: ['docs'], ending: 'html' },
    address: plain({ index: ['index'], hidden: /^\[.*\]/u }),
  },
  vuepress: {
    ...{ folders: ['docs'], ending: 'html' },
    address: plain({ index: ['index', 'readme'], whole: { key: 'permalink', below: 'base' } }),
  },
  zola: {
    ...{ folders: ['content'], ending: 'slash' },
    address: plain({
      index: ['_index', 'index'],
      name: zolaName,
      whole: { key: 'path', below: 'root' },
      last: 'slug',
      languages: 'all',
    }),
  },
};

function plain(rule: Plain): Generator['address'] {
  return (page) => {
    const { whole, hidden } = rule;
    if (
      isUnpublished(page) ||
      (hidden !== undefined && page.path.split('/').some((part) => hidden.test(part)))
    )
      return undefined;
    const address = whole === undefined ? undefined : written(page, whole.key);
    if (address !== undefined) return { ...writtenAddress(address), fromRoot: whole?.below === 'root' };
    return fileAddress(page, rule);
  };
}

function fileAddress(page: SitePage, { index, name = asItIs, last, languages }: Plain): Address {
  const parts = partsOf(page.path);
  const language = languages === undefined ? undefined : cutLanguage(parts);
  const isDefault = language === undefined || (languages === 'but english' && language === 'en');
  const prefix = isDefault ? [] : [language];
  const file = parts.pop() ?? '';
  const own = last === undefined ? undefined : written(page, last)?.slice(0, MAX_NAME);
  if (!index.includes(file.toLowerCase())) {
    return { parts: [...prefix, ...parts.map(name), name(own ?? file)], kind: 'page' };
  }
  if (own !== undefined && file !== '_index') parts.splice(-1, 1, own);
  return { parts: [...prefix, ...parts.map(name)], kind: 'folder' };
}

function asItIs(name: string): string {
  return name;
}

const MAX_NAME = 500;

/** Those that documentation is written in; any two letters could be the end of a name (`vue.js.md`). */
const LANGUAGE =
  /\.(?<code>(?:ar|bn|cs|da|de|el|en|es|fa|fi|fr|he|hi|hu|id|it|ja|ko|nl|no|pl|pt|ro|ru|sv|th|tr|uk|ur|vi|zh)(?:-[A-Za-z]{2,4})?)$/u;

/** Takes the language off the file's name. */
function cutLanguage(parts: string[]): string | undefined {
  const file = parts.at(-1) ?? '';
  const code = LANGUAGE.exec(file)?.groups?.['code'];
  if (code !== undefined) parts[parts.length - 1] = file.slice(0, -code.length - 1);
  return code?.toLowerCase();
}

/** Numbers before names give the order only, unless they are a date or a version. */
function docusaurusName(name: string): string {
  if (/^(?:(?:\d{2}|\d{4})[-_.]\d{2}|\d+[-_.]\d)/u.test(name)) return name;
  return /^\d+\s*[-_.]+\s*(?<name>[^-_.\s].*)$/u.exec(name)?.groups?.['name'] ?? name;
}

function docusaurusAddress(page: SitePage): Address | undefined {
  if (isUnpublished(page) || page.path.split('/').some((part) => part.startsWith('_'))) return undefined;
  const parts = partsOf(page.path).map(docusaurusName);
  const file = parts.pop() ?? '';
  const slug = written(page, 'slug');
  if (slug?.startsWith('/') === true) return writtenAddress(slug);
  if (slug !== undefined) return { parts: [...parts, ...writtenAddress(slug).parts], kind: 'page' };
  const isIndex = ['index', 'readme', parts.at(-1)?.toLowerCase()].includes(file.toLowerCase());
  if (isIndex) return { parts, kind: 'folder' };
  return { parts: [...parts, written(page, 'id') ?? file], kind: 'page' };
}

/** A wiki has no folders. */
function wikiAddress({ path }: SitePage): Address | undefined {
  const file = partsOf(path).at(-1) ?? '';
  if (file.startsWith('_')) return undefined;
  return file === 'Home'
    ? { parts: [], kind: 'folder' }
    : { parts: [file.replaceAll(' ', '-')], kind: 'page' };
}

function hugoName(name: string): string {
  return name
    .replace(/[^\p{L}\p{M}\p{Nd}\s._#+~@-]/gu, '')
    .trim()
    .replace(/\s+/gu, ' ')
    .replace(/ ?(?<hyphens>-+) ?| /gu, (_, hyphens: string | undefined) => hyphens ?? '-')
    .toLowerCase();
}

function quartzName(name: string): string {
  return name.replace(/\s/gu, '-').replaceAll('&', '-and-').replaceAll('%', '-percent').replace(/[?#]/gu, '');
}

/** Dates before names are no part of the address. */
function zolaName(name: string): string {
  const bare = name.replace(/^\d{4}-\d{2}-\d{2}(?:T[\d:.Z+-]+)?[-_]\s?/u, '') || name;
  return bare
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
}

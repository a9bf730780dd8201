import type { Json } from '../core/chat.ts';
import {
  type Address,
  isUnpublished,
  partsOf,
  type SitePage,
  written,
  writtenAddress,
} from './page-address.ts';

const POST = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})-(?<name>.+)$/u;
/** Folders of Jekyll's own; any other with an underscore is a collection. */
const MACHINERY = new Set(['_includes', '_layouts', '_data', '_sass', '_drafts', '_plugins', '_site']);
/** Named styles of posts. */
const STYLES: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  none: '/:categories/:title:output_ext',
};

interface JekyllFile {
  /** Folders as they are on disk. */
  readonly folders: readonly string[];
  /** Without extension. */
  readonly file: string;
}

/** Pages keep their path, collections lose their underscore, posts are filed by category and date. */
export function jekyllAddress(page: SitePage): Address | undefined {
  const folders = partsOf(page.path);
  const file = folders.pop() ?? '';
  const isHidden = file.startsWith('_') || folders.some((folder) => MACHINERY.has(folder));
  if (isHidden || isUnpublished(page)) return undefined;
  if (folders.includes('_posts')) return postAddress(page, { folders, file });
  const permalink = written(page, 'permalink');
  if (permalink !== undefined && STYLES[permalink] === undefined) {
    return pageAddress(page, { folders, file }, permalink);
  }
  const shown = folders.map(withoutUnderscore);
  if (['index', 'readme'].includes(file.toLowerCase())) return { parts: shown, kind: 'folder' };
  return { parts: [...shown, file], kind: permalink === 'pretty' ? 'folder' : 'page' };
}

function postAddress(page: SitePage, { folders, file }: JekyllFile): Address | undefined {
  const post = POST.exec(file)?.groups;
  if (post === undefined) return undefined;
  const permalink = written(page, 'permalink') ?? 'date';
  const categories = folders.slice(0, folders.lastIndexOf('_posts')).map(withoutUnderscore);
  return fill(STYLES[permalink] ?? permalink, {
    ...datesOf(post),
    ...namesOf(page, post['name'] ?? file, categories),
  });
}

/** `:path` of a collection's page is the path within the collection. */
function pageAddress(page: SitePage, { folders, file }: JekyllFile, permalink: string): Address | undefined {
  const at = folders.findIndex((folder) => folder.startsWith('_'));
  return fill(permalink, {
    path: [...folders.slice(at + 1), file].join('/'),
    collection: withoutUnderscore(folders[at] ?? ''),
    basename: file,
    name: file,
    ...namesOf(page, file, []),
  });
}

function withoutUnderscore(folder: string): string {
  return folder.replace(/^_/u, '');
}

type Values = Readonly<Record<string, string>>;

/** Undefined when a placeholder has no value known here. */
function fill(template: string, values: Values): Address | undefined {
  let isKnown = true;
  const filled = template.replace(/:(?<key>[a-z_]+)/gu, (_, key: string) => {
    if (key === 'output_ext') return '.html';
    const value = values[key];
    isKnown &&= value !== undefined;
    return value ?? '';
  });
  return isKnown ? { ...writtenAddress(filled), fromRoot: true } : undefined;
}

function datesOf({ year = '', month = '', day = '' }: Readonly<Record<string, string>>): Values {
  return {
    ...{ year, short_year: year.slice(2), month: month.padStart(2, '0'), i_month: String(Number(month)) },
    ...{ day: day.padStart(2, '0'), i_day: String(Number(day)) },
  };
}

function namesOf(page: SitePage, name: string, folders: readonly string[]): Values {
  const { categories, category } = page.metadata;
  const all = [...folders, ...listOf(categories), ...listOf(category, 'whole')].map((text) => slugify(text));
  const slug = slugify(written(page, 'slug') ?? name, 'cased');
  return { title: slug, slug: slug.toLowerCase(), categories: [...new Set(all)].join('/') };
}

/** A text is a list with blanks between its items, unless it is one item. */
function listOf(value: Json | undefined, text: 'items' | 'whole' = 'items'): string[] {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  if (typeof value !== 'string' || value.trim() === '') return [];
  return text === 'whole' ? [value] : value.trim().split(/\s+/u);
}

function slugify(text: string, letters: 'cased' | 'small' = 'small'): string {
  const slug = text.replace(/[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu, '-').replace(/^-|-$/gu, '');
  return letters === 'cased' ? slug : slug.toLowerCase();
}

import { createHash } from 'node:crypto';
import { slug as githubSlug } from 'github-slugger';
import type { AnchorRule } from '../core/config.ts';
import type { ParsedHeading } from './parsed.ts';
import { railsSlugger } from './rails-slugs.ts';
import { CountNumbering, FreeNumbering, type Numbering, PythonNumbering } from './slug-numbering.ts';

/** Gives one page's headings, in page order, their ids, the one of the site first; none for a heading without. */
export interface Slugger {
  readonly anchors: (heading: ParsedHeading) => readonly string[];
  /** Tells of an id written out on a heading. */
  readonly reserve: (id: string) => void;
}

interface Rule {
  /** The slug before it is numbered; `page` is the file's name without extension. */
  readonly slug: (heading: ParsedHeading, page: string) => string;
  readonly numbering: () => Numbering;
  /** Taken where the slug is empty; '' for no id at all. */
  readonly empty?: string;
}

/** Every rule but those of their own kind; a new generator is one more line. */
const RULES: Readonly<Record<Exclude<AnchorRule, 'rails'>, Rule>> = {
  github: { slug: ({ rendered }) => githubSlug(rendered), numbering: () => new FreeNumbering() },
  kramdown: { slug: kramdownSlug, numbering: () => new CountNumbering() },
  mkdocs: { slug: ({ rendered }) => pythonSlug(rendered), numbering: () => new PythonNumbering() },
  pymdownx: { slug: ({ rendered }) => unicodeSlug(rendered), numbering: () => new PythonNumbering() },
  vitepress: { slug: ({ rendered }) => vitepressSlug(rendered), numbering: () => new FreeNumbering() },
  mdbook: { slug: ({ rendered }) => mdbookSlug(rendered), numbering: () => new CountNumbering() },
  hugo: {
    slug: ({ source }) => hugoSlug(source),
    numbering: () => new FreeNumbering(),
    empty: 'heading',
  },
  blackfriday: { slug: ({ source }) => blackfridaySlug(source), numbering: () => new FreeNumbering() },
  docfx: {
    slug: ({ rendered }) => docfxSlug(rendered),
    numbering: () => new FreeNumbering(),
    empty: 'section',
  },
  nodedoc: {
    slug: ({ source }, page) => nodeSlug(`${page}_${source}`),
    numbering: () => new CountNumbering('_'),
  },
  zola: { slug: ({ rendered }) => zolaSlug(rendered), numbering: () => new FreeNumbering() },
  myst: { slug: ({ rendered }) => docutilsId(rendered), numbering: () => new DocutilsNumbering() },
  gitbook: { slug: ({ rendered }) => gitbookSlug(rendered), numbering: () => new FreeNumbering() },
  slate: { slug: ({ rendered }) => slateSlug(rendered), numbering: () => new CountNumbering('-', 2) },
  devsite: {
    slug: ({ rendered }) => pythonSlug(rendered).replaceAll('-', '_'),
    numbering: () => new FreeNumbering('_'),
  },
  obsidian: { slug: ({ text }) => obsidianName(text), numbering: () => new CountNumbering(' ') },
};

/** `path` is the page's: some generators put its name into every id. */
export function createSlugger(rule: AnchorRule, path: string): Slugger {
  if (rule === 'rails') return railsSlugger();
  const { slug, numbering, empty = '' } = RULES[rule];
  const name = path.split('/').at(-1) ?? path;
  const page = name.replace(/\.[^.]+$/u, '');
  const numbers = numbering();
  return {
    anchors: (heading) => {
      const id = numbers.next(slug(heading, page) || empty);
      return id === '' ? [] : [id];
    },
    reserve: (id) => numbers.reserve(id),
  };
}

const NOT_WORD = /[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- \t]/gu;

/** Kramdown with GFM input (Jekyll's default): hyphens it reads as a dash are in no id. */
function kramdownSlug({ rendered, typographic }: ParsedHeading): string {
  return (typographic ?? rendered).toLowerCase().replace(NOT_WORD, '').replace(/[ \t]/gu, '-');
}

/** Python-Markdown's toc: other letters than ASCII are lost. */
function pythonSlug(text: string): string {
  const ascii = text.normalize('NFKD').replace(/[^\p{ASCII}]/gu, '');
  return ascii
    .replace(/[^\w\s-]/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/gu, '-');
}

/** pymdownx.slugs: letters of every script, every blank a hyphen. */
function unicodeSlug(text: string): string {
  return text
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

function vitepressSlug(text: string): string {
  return text
    .replace(/:[\w+-]+:/gu, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/gu, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/gu, '-')
    .replace(/^-+|-+$/gu, '')
    .replace(/^(?=\d)/u, '_')
    .toLowerCase();
}

/** Only ASCII capitals change. */
function mdbookSlug(text: string): string {
  return text
    .trim()
    .replace(/[^\p{Alphabetic}\p{N}_\-\s]/gu, '')
    .replace(/\s/gu, '-')
    .replace(/[A-Z]/gu, (letter) => letter.toLowerCase());
}

/** Made from the source of the line, the addresses of its links included. */
function hugoSlug(source: string): string {
  return lastLine(source)
    .replace(/[^\p{L}\p{Nd}_\- ]/gu, '')
    .replaceAll(' ', '-')
    .toLowerCase();
}

function blackfridaySlug(source: string): string {
  return lastLine(source)
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/gu, '')
    .toLowerCase();
}

function lastLine(source: string): string {
  return source.slice(source.lastIndexOf('\n') + 1).trim();
}

/** Markdig's GitHub ids, as docfx and Microsoft Learn use them. */
function docfxSlug(text: string): string {
  return text
    .trim()
    .replace(/[^\p{L}\p{Nd}_\- ]/gu, '')
    .replaceAll(' ', '-')
    .toLowerCase();
}

/** Node's documentation until 2021: file and heading, everything but letters and digits an underscore. */
function nodeSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '_')
    .replace(/^_+|_+$/u, '')
    .replace(/^(?=[^a-z])/u, '_');
}

/** Letters that have an ASCII form; other scripts are lost. */
function zolaSlug(text: string): string {
  return smallLatin(text)
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
}

/** The id docutils gives a section. */
export function docutilsId(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{ASCII}]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^[-0-9]+|-+$/gu, '');
}

/** Where a name is taken or empty, docutils counts: `id1`, `id2`. */
class DocutilsNumbering implements Numbering {
  readonly #used = new Set<string>(['']);
  #count = 0;

  next(slug: string): string {
    let id = slug;
    while (this.#used.has(id)) {
      this.#count += 1;
      id = `id${this.#count}`;
    }
    this.#used.add(id);
    return id;
  }

  reserve(id: string): void {
    this.#used.add(id);
  }
}

/** Rails' `parameterize`, underscores kept; a heading of which nothing is left goes by its hash. */
function slateSlug(text: string): string {
  const slug = smallLatin(text)
    .replace(/[^a-z0-9_-]+/gu, '-')
    .replace(/-{2,}/gu, '-')
    .replace(/^-|-$/gu, '');
  return slug === '' && text !== '' ? createHash('sha1').update(text).digest('hex').slice(0, 10) : slug;
}

/** Small Latin letters that decomposition leaves as they are. */
const LATIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ŋ: 'ng', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ŧ: 't' },
};

/** In small letters, those with marks as the letters alone, ligatures as two. */
function smallLatin(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, (letter) => LATIN[letter] ?? letter);
}

function gitbookSlug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/\s+/gu, '-')
    .replace(/[^\p{L}\p{M}\p{N}._~-]/gu, '')
    .replace(/-{2,}/gu, '-')
    .replace(/^-|-$/gu, '')
    .replace(/^(?=\d)/u, 'id-');
}

/** The heading itself, without the marks that have a meaning in a wikilink. */
function obsidianName(text: string): string {
  return text
    .replace(/[#|^[\]:%\\]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}

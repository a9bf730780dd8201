import type { Json } from './chat.ts';
import type { DocPath, Ref } from './ref.ts';

/** 1-based, both ends included, as an editor shows them. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** One Markdown file as it stands in the index. */
export interface Document {
  readonly path: DocPath;
  readonly title: string;
  /** SHA-256 (hex) of the bytes on disk, line ends normalised to LF: decides whether ingest may skip the file. */
  readonly hash: string;
  /** Front matter, as data. Never text to index, never code to run. */
  readonly metadata: Readonly<Record<string, Json>>;
  readonly sectionCount: number;
}

/** A heading and everything up to the next heading of any depth; or the text before the first heading. */
export interface Section {
  readonly ref: Ref;
  readonly path: DocPath;
  /** Title of the document. */
  readonly title: string;
  /** Headings from the document's top down, this section's own heading last; empty for text before the first heading. */
  readonly headings: readonly string[];
  /** Explicit ids first, then the site's slug. Every one of them finds the section; the first is used in links. */
  readonly anchors: readonly string[];
  readonly lines: LineRange;
  /** Place among the sections of its document, from 0. */
  readonly position: number;
  /** SHA-256 (hex, first 16 characters) of `markdown`: a saved citation can be re-checked with it. */
  readonly hash: string;
  /** The section's source, byte for byte, so a quotation can be checked. */
  readonly markdown: string;
}

/** Names from the document's title down to the section; a title that the first heading repeats is named once. */
export function headingPath({ title, headings }: Pick<Section, 'title' | 'headings'>): readonly string[] {
  const names = headings.filter((name) => name.trim() !== '');
  const [first] = names;
  const isRepeated = title.trim() === '' || (first !== undefined && plainName(first) === plainName(title));
  return isRepeated ? names : [title, ...names];
}

function plainName(name: string): string {
  return name.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** What is indexed and embedded: a section, or a piece of one that is too long. */
export interface Chunk {
  /** The words a reader of the site would see: no front matter, no template machinery. */
  readonly text: string;
  readonly lines: LineRange;
}

/** Whether the file still is what was indexed. */
export type Freshness = 'fresh' | 'changed' | 'missing';

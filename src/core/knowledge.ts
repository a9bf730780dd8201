import type { Section } from './document.ts';
import type { DocPath, Ref } from './ref.ts';
import type { DocumentScope } from './scope.ts';
import type { SearchQuery, SearchResult } from './search.ts';

/** A section opened by address, with what is around it. */
export interface OpenedSection {
  readonly section: Section;
  readonly url?: string;
  readonly previous?: Ref;
  readonly next?: Ref;
}

export type SectionLookup =
  /** One section for a ref or `path#anchor`; all sections of the document for a bare path. */
  | { readonly status: 'found'; readonly sections: readonly OpenedSection[] }
  /** `nearest` names refs or `path#anchor` addresses that do exist, best first. */
  | { readonly status: 'unknown'; readonly nearest: readonly string[] }
  | { readonly status: 'index_not_built' | 'index_empty' };

export interface OutlineEntry {
  readonly ref: Ref;
  readonly path: DocPath;
  readonly title: string;
  readonly headings: readonly string[];
  readonly anchor?: string;
  readonly url?: string;
}

export interface OutlineQuery extends DocumentScope {
  /** With a query the best matching sections first; without one, document order. */
  readonly query?: string;
  readonly limit: number;
  readonly offset?: number;
}

export interface Outline {
  readonly status: 'ok' | 'index_not_built' | 'index_empty';
  readonly tier: string;
  /** All entries there are, of which `entries` may be a part. */
  readonly total: number;
  readonly entries: readonly OutlineEntry[];
}

/** All that tools and the agent may know of an index: reading only. */
export interface Knowledge {
  search(query: SearchQuery): Promise<SearchResult>;
  open(address: string): SectionLookup;
  outline(query: OutlineQuery): Promise<Outline>;
}

import { compileCitationRules } from '../config/citation-url.ts';
import type { Config } from '../core/config.ts';
import type { Knowledge, Outline, OutlineQuery, SectionLookup } from '../core/knowledge.ts';
import type { SearchQuery, SearchResult } from '../core/search.ts';
import { guarded, type IndexFile } from '../store/index-file.ts';
import type { Origin } from '../store/origin.ts';
import { openSection } from './open-section.ts';
import { outline } from './outline.ts';
import { type SearchContext, search } from './search.ts';
import { tierLine } from './tier.ts';

/** Knowledge out of an index file; without one, every question is answered with `index_not_built`. */
export class IndexKnowledge implements Knowledge {
  readonly #context: SearchContext | undefined;

  constructor(
    open: { readonly index: IndexFile; readonly origin: Origin; readonly config: Config } | undefined,
  ) {
    this.#context =
      open === undefined
        ? undefined
        : { ...open, citationRules: compileCitationRules(open.config.knowledge.citations) };
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const context = this.#context;
    if (context === undefined) return { status: 'index_not_built', tier: tierLine(undefined), hits: [] };
    return guarded(context.index.path, () => search(context, query));
  }

  open(address: string): SectionLookup {
    const context = this.#context;
    if (context === undefined) return { status: 'index_not_built' };
    return guarded(context.index.path, () => openSection(context, address));
  }

  async outline(query: OutlineQuery): Promise<Outline> {
    const context = this.#context;
    if (context === undefined)
      return { status: 'index_not_built', tier: tierLine(undefined), total: 0, entries: [] };
    return guarded(context.index.path, () => outline(context, query));
  }
}

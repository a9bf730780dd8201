import type { Config } from '../core/config.ts';
import type { Embedder } from '../core/embedder.ts';
import type { Knowledge, Outline, OutlineQuery, SectionLookup } from '../core/knowledge.ts';
import type { SearchQuery, SearchResult } from '../core/search.ts';
import { guarded } from '../store/failure.ts';
import type { IndexFile } from '../store/index-file.ts';
import type { Origin } from '../store/origin.ts';
import { openSection } from './open-section.ts';
import { outline } from './outline.ts';
import { PageLinks } from './page-links.ts';
import { QueryEmbedder } from './query-vector.ts';
import { prepareTier } from './retrieve.ts';
import { type SearchContext, search } from './search.ts';
import { type ActiveTier, standingTierLine } from './tier.ts';

export interface OpenedIndex {
  readonly index: IndexFile;
  readonly origin: Origin;
  readonly config: Config;
  /** Makes the embedder of the settings when a query needs it; absent where none is configured. */
  readonly createEmbedder?: (() => Promise<Embedder>) | undefined;
}

/** Knowledge out of an index file; without one, every question is answered with `index_not_built`. */
export class IndexKnowledge implements Knowledge {
  readonly #context: SearchContext | undefined;
  readonly #embedder: QueryEmbedder | undefined;

  constructor(open: OpenedIndex | undefined) {
    this.#context =
      open === undefined ? undefined : { ...open, links: new PageLinks(open.index, open.config) };
    this.#embedder = open?.createEmbedder === undefined ? undefined : new QueryEmbedder(open.createEmbedder);
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const context = this.#context;
    if (context === undefined) {
      return { status: 'index_not_built', tier: standingTierLine(undefined, undefined), hits: [] };
    }
    const active = await this.#prepare(context, query);
    return guarded(context.index.path, () => search(context, query, active));
  }

  open(address: string): SectionLookup {
    const context = this.#context;
    if (context === undefined) return { status: 'index_not_built' };
    return guarded(context.index.path, () => openSection(context, address));
  }

  async outline(query: OutlineQuery): Promise<Outline> {
    const context = this.#context;
    if (context === undefined) {
      return {
        status: 'index_not_built',
        tier: standingTierLine(undefined, undefined),
        total: 0,
        entries: [],
      };
    }
    const active =
      query.query === undefined ? undefined : await this.#prepare(context, { text: query.query });
    return guarded(context.index.path, () => outline(context, query, active));
  }

  #prepare(context: SearchContext, { text, tier, signal }: SearchQuery): Promise<ActiveTier> {
    const wanted = { text, tier, signal: signal ?? new AbortController().signal };
    return prepareTier(context.index, context.config, wanted, this.#embedder);
  }
}

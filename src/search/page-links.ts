import { type CompiledCitationRule, citationUrl, compileCitationRules } from '../config/citation-url.ts';
import { type CompiledSite, compileSites, siteUrl } from '../config/site-url.ts';
import type { Json } from '../core/chat.ts';
import type { Config } from '../core/config.ts';
import { documentMetadata } from '../store/documents.ts';
import type { IndexFile } from '../store/index-file.ts';

type Metadata = Readonly<Record<string, Json>>;

/** Finds the published page that shows a section: by the citation rules, then by what is known of the sites. */
export class PageLinks {
  readonly #index: IndexFile;
  readonly #rules: readonly CompiledCitationRule[];
  readonly #sites: readonly CompiledSite[];

  constructor(index: IndexFile, { knowledge }: Config) {
    this.#index = index;
    this.#rules = compileCitationRules(knowledge.citations);
    this.#sites = compileSites(knowledge.sites ?? [], knowledge.paths);
  }

  /** Undefined where no rule and no site has a page for the document. */
  urlOf(path: string, anchor: string | undefined): string | undefined {
    const url = citationUrl(path, anchor, this.#rules);
    if (url !== undefined || this.#sites.length === 0) return url;
    const metadata: Metadata = documentMetadata(this.#index, path);
    for (const site of this.#sites) {
      const found = siteUrl(path, metadata, anchor, site);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

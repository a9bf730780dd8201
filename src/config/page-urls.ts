import type { Json } from '../core/chat.ts';
import type { Config } from '../core/config.ts';
import { type CompiledCitationRule, citationUrl, compileCitationRules } from './citation-url.ts';
import { type CompiledSite, compileSites, siteUrl } from './site-url.ts';

/** The published page that shows a section: by the citation rules, then by what is known of the sites. */
export class PageUrls {
  readonly #rules: readonly CompiledCitationRule[];
  readonly #sites: readonly CompiledSite[];

  constructor({ knowledge }: Config) {
    this.#rules = compileCitationRules(knowledge.citations);
    this.#sites = compileSites(knowledge.sites ?? [], knowledge.paths);
  }

  /** Undefined where no rule and no site has a page for the document; `metadata` is its front matter. */
  urlOf(
    path: string,
    anchor: string | undefined,
    metadata: () => Readonly<Record<string, Json>>,
  ): string | undefined {
    const url = citationUrl(path, anchor, this.#rules);
    if (url !== undefined || this.#sites.length === 0) return url;
    const known = metadata();
    for (const site of this.#sites) {
      const found = siteUrl(path, known, anchor, site);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

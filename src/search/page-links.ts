import { PageUrls } from '../config/page-urls.ts';
import type { Config } from '../core/config.ts';
import { isAscii } from '../core/words.ts';
import { documentMetadata, spelledPath } from '../store/documents.ts';
import type { IndexFile } from '../store/index-file.ts';

/** Finds the published page that shows a section of an index. */
export class PageLinks {
  readonly #index: IndexFile;
  readonly #urls: PageUrls;

  constructor(index: IndexFile, config: Config) {
    this.#index = index;
    this.#urls = new PageUrls(config);
  }

  /** Undefined where no rule and no site has a page for the document. */
  urlOf(path: string, anchor: string | undefined): string | undefined {
    const metadata = (): ReturnType<typeof documentMetadata> => documentMetadata(this.#index, path);
    const spelled = isAscii(path) ? path : spelledPath(this.#index, path);
    const url = this.#urls.urlOf(spelled, anchor, metadata);
    return url ?? (spelled === path ? undefined : this.#urls.urlOf(path, anchor, metadata));
  }
}

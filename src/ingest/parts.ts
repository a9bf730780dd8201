import { PageUrls } from '../config/page-urls.ts';
import type { Config } from '../core/config.ts';
import { allDocuments, documentDependencies, documentMetadata } from '../store/documents.ts';
import type { IndexFile } from '../store/index-file.ts';

/** Stored as the note of a document that is a part of others. */
export const PART_NOTE = 'part of other pages: found where they show it';

/** `_part.md`, or a file in a folder that generators keep parts in. */
const PART_NAME = /(?:^|\/)(?:_[^/]+$|_?(?:common|includes?|partials?|shared|snippets)\/)/u;

export interface PartPlan {
  /** Documents that searches must not find any more. */
  readonly hide: readonly string[];
  /** Documents that are parts no longer. */
  readonly show: readonly string[];
}

/**
 * Parts are documents that others include, named as generators name them, without a page of their own:
 * their words are found in the pages that show them, which can be cited. They can still be read and listed.
 */
export function planParts(index: IndexFile, config: Config): PartPlan {
  const urls = new PageUrls(config);
  const mayBePart = (path: string): boolean =>
    PART_NAME.test(path) && urls.urlOf(path, undefined, () => documentMetadata(index, path)) === undefined;
  const shown = new Set<string>();
  for (const [path, depends] of documentDependencies(index)) {
    // What only parts include, in a circle even, is shown by no page.
    if (mayBePart(path)) continue;
    for (const dependency of Object.values(depends)) {
      if (dependency.path !== undefined) shown.add(dependency.path);
    }
  }
  const isPart = (path: string): boolean => shown.has(path) && mayBePart(path);
  const documents = allDocuments(index).filter(({ status }) => status === 'indexed');
  const of = (hidden: boolean): string[] =>
    documents
      .filter(({ path, note }) => (note === PART_NOTE) === hidden && isPart(path) !== hidden)
      .map(({ path }) => path);
  return { hide: of(false), show: of(true) };
}

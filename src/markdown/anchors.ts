import type { AnchorRule } from '../core/config.ts';
import type { ParsedDocument, ParsedHeading } from './parsed.ts';
import { createSlugger } from './slug-rules.ts';

/**
 * Anchors of every section of a document, the one to link with first: ids written on or for its heading, the heading's
 * slug by the site's rule, ids in its body, slugs of headings in its quotes, lists and includes. Repeated slugs are
 * numbered over all headings of the page in page order, as generators do. One list for each section, possibly empty.
 */
export function assignAnchors(document: ParsedDocument, rule: AnchorRule): readonly (readonly string[])[] {
  const slugger = createSlugger(rule);
  const own: string[][] = document.sections.map(() => []);
  const nested: string[][] = document.sections.map(() => []);
  for (const heading of document.headings) {
    const slug = heading.replacesSlug ? '' : slugger(heading);
    const anchors = slug === '' ? heading.explicit : [...heading.explicit, slug];
    const list = heading.section === undefined ? nested[sectionAt(document, heading)] : own[heading.section];
    for (const anchor of anchors) list?.push(anchor);
  }
  return document.sections.map((section, index) => [
    ...new Set([...(own[index] ?? []), ...section.explicitAnchors, ...(nested[index] ?? [])]),
  ]);
}

function sectionAt(document: ParsedDocument, heading: ParsedHeading): number {
  const { sections } = document;
  let low = 0;
  let high = sections.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sections[middle]?.lines.first ?? 0) <= heading.line) low = middle;
    else high = middle - 1;
  }
  return low;
}

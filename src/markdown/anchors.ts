import type { AnchorRule } from '../core/config.ts';
import type { ParsedDocument, ParsedHeading } from './parsed.ts';
import { createSlugger } from './slug-rules.ts';

/**
 * Anchors of every section of a document: its explicit ids, then the slug of its heading by the site's rule, then those
 * of headings that stand in its quotes, lists and includes. Repeated slugs are numbered over all headings of the page in
 * page order, as generators do. One list for each section, possibly empty.
 */
export function assignAnchors(document: ParsedDocument, rule: AnchorRule): readonly (readonly string[])[] {
  const slugger = createSlugger(rule);
  const anchors = document.sections.map((section) => new Set(section.explicitAnchors));
  const nested: { section: number; slug: string }[] = [];
  for (const heading of document.headings) {
    if (heading.replacesSlug) continue;
    const slug = slugger(heading);
    if (slug === '') continue;
    if (heading.section === undefined) nested.push({ section: sectionAt(document, heading), slug });
    else anchors[heading.section]?.add(slug);
  }
  for (const { section, slug } of nested) anchors[section]?.add(slug);
  return anchors.map((list) => [...list]);
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

import type { AnchorRule } from '../core/config.ts';
import type { Outline, ParsedHeading } from './parsed.ts';
import { createSlugger } from './slug-rules.ts';

/** One list for each section, possibly empty. */
export type SectionAnchors = readonly (readonly string[])[];

/**
 * Anchors of every section of a document, the one to link with first: ids written on or for its heading, the heading's
 * slug by the site's rule, ids in its body, slugs of headings in its quotes, lists and includes; last the id that the
 * page has on GitHub, where no other section goes by it.
 */
export function assignAnchors(document: Outline, rule: AnchorRule): SectionAnchors {
  const own = siteAnchors(document, rule);
  return rule === 'github' ? own : withOthers(own, siteAnchors(document, 'github'));
}

/** Each section's own anchors, then those others of it by which no section goes. */
export function withOthers(own: SectionAnchors, others: SectionAnchors): SectionAnchors {
  const taken = new Set(own.flat());
  return others.map((alternatives, index) => {
    const added = alternatives.filter((anchor) => !taken.has(anchor));
    return added.length === 0 ? (own[index] ?? []) : [...(own[index] ?? []), ...added];
  });
}

/** Those of the site alone. Repeated slugs are numbered over all headings of the page in page order. */
export function siteAnchors(document: Outline, rule: AnchorRule): SectionAnchors {
  const slugger = createSlugger(rule, document.path);
  const own: (readonly string[])[][] = document.sections.map(() => []);
  const nested: (readonly string[])[][] = document.sections.map(() => []);
  for (const heading of document.headings) {
    if (heading.replacesSlug) for (const id of heading.explicit) slugger.reserve(id);
    const slugs = heading.replacesSlug ? [] : slugger.anchors(heading);
    const list = heading.section === undefined ? nested[sectionAt(document, heading)] : own[heading.section];
    list?.push(heading.explicit, slugs);
  }
  return document.sections.map((section, index) => {
    const lists = [...(own[index] ?? []), section.explicitAnchors, ...(nested[index] ?? [])];
    return [...new Set(lists.flat())];
  });
}

function sectionAt(document: Outline, heading: ParsedHeading): number {
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

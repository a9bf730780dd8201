import type { Answer, Citation } from '../core/answer.ts';
import { headingPath } from '../core/document.ts';

/** `Title > Heading`, the place of a citation in words. */
export function citationLabel(citation: Pick<Citation, 'title' | 'headings'>): string {
  return headingPath(citation).join(' > ');
}

/** `docs/a.md#anchor, lines 3-9`. */
export function citationPlace(citation: Pick<Citation, 'path' | 'anchor' | 'lines'>): string {
  const { path, anchor, lines } = citation;
  return `${path}${anchor === undefined ? '' : `#${anchor}`}, lines ${lines.first}-${lines.last}`;
}

/** The numbered sources of an answer as Markdown; empty without citations. Titles and paths are data and escaped. */
export function renderSources(citations: readonly Citation[]): string {
  if (citations.length === 0) return '';
  const lines = citations.map((citation) => {
    const label = escapeMarkdown(citationLabel(citation));
    const url = citation.url;
    const link = url !== undefined && /^https?:\/\/[^\s<>]+$/iu.test(url) ? `[${label}](<${url}>)` : label;
    return `${citation.marker}. ${link} - ${escapeMarkdown(citationPlace(citation))} (#${citation.ref})`;
  });
  return ['Sources:', '', ...lines].join('\n');
}

/** What the check found wrong, as Markdown; empty when nothing was. */
export function renderFindings(answer: Pick<Answer, 'unsupported' | 'removed'>): string {
  const unsupported = answer.unsupported.map(
    ({ kind, text, refs }) =>
      `- unsupported ${kind}: ${escapeMarkdown(text)} (not in ${refs.map((ref) => `#${ref}`).join(', ')})`,
  );
  const removed = answer.removed.map(
    ({ text, reason }) => `- citation removed: ${escapeMarkdown(text)} (${reason})`,
  );
  const lines = [...unsupported, ...removed];
  return lines.length === 0 ? '' : ['Check:', '', ...lines].join('\n');
}

function escapeMarkdown(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_[\]<>#|!]/gu, '\\$&');
}

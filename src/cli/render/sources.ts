import type { Answer, Citation, Outcome, RemovedCitation } from '../../core/answer.ts';
import { formatAnswerText } from './markdown.ts';
import { fenced } from './markdown-inline.ts';
import { headingPathOf, locationOf } from './place.ts';
import { link, oneLine, safeUrl, stylesOf, type Terminal } from './terminal.ts';
import { widthOf } from './width.ts';

const REMOVED: Readonly<Record<RemovedCitation['reason'], string>> = {
  'not-shown': 'names a section the model was not shown',
  unknown: 'names no section there is',
  malformed: 'is not a citation',
};

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  answered: 'answered',
  'not-found': 'not found in this knowledge base',
  'out-of-budget': 'out of budget, the answer may be incomplete',
  refused: 'the model refused to answer',
  aborted: 'stopped before the answer was complete',
};

/**
 * The whole answer: text, numbered sources, reports, outcome and tier line last. Laid out for a person on a
 * terminal; Markdown in a pipe. Without a line end after the last line.
 */
export function renderAnswer(answer: Answer, terminal: Terminal): string {
  return joined([renderAnswerBody(answer, terminal), renderAfterAnswer(answer, terminal)]);
}

/** The answer's text; its markers open their sources. */
export function renderAnswerBody(answer: Answer, terminal: Terminal): string {
  const citations = new Map(answer.citations.map((citation) => [citation.marker, citation.url]));
  return formatAnswerText(answer.markdown.trim(), terminal, { citations });
}

/** What stands below the text: for surfaces that have already shown it while it was written. */
export function renderAfterAnswer(answer: Answer, terminal: Terminal): string {
  return joined([
    renderSources(answer.citations, terminal),
    renderReports(answer, terminal),
    `${outcomeLine(answer)}\n${oneLine(answer.tier)}`,
  ]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Numbered sources: lines that name file, ref and URL on a terminal, a Markdown list with links in a pipe. */
export function renderSources(citations: readonly Citation[], terminal: Terminal): string {
  if (citations.length === 0) return '';
  if (!terminal.isTty) return ['## Sources', '', ...citations.map(sourceItem)].join('\n');
  return [
    stylesOf(terminal).bold('Sources'),
    ...citations.map((citation) => sourceLines(citation, terminal)),
  ].join('\n');
}

function sourceItem(citation: Citation): string {
  const name = escapeMarkdown(headingPathOf(citation));
  const url = citation.url === undefined ? undefined : safeUrl(citation.url);
  const target = url?.replaceAll('<', '%3C').replaceAll('>', '%3E');
  const source = target === undefined ? name : `[${name}](${/[()]/u.test(target) ? `<${target}>` : target})`;
  return `- [${citation.marker}] ${source} — ${fenced(locationOf(citation))} (#${oneLine(citation.ref)})`;
}

/** One line where it fits, otherwise the place and the URL below the name. */
function sourceLines(citation: Citation, terminal: Terminal): string {
  const url = citation.url === undefined ? undefined : safeUrl(citation.url);
  const marker = `[${citation.marker}] `;
  const name = headingPathOf(citation);
  const place = `${locationOf(citation)}  (#${oneLine(citation.ref)})`;
  const head = marker + link(terminal, name, url);
  const shownUrl = url === undefined ? [] : [link(terminal, url, url)];
  const placeShown = stylesOf(terminal).dim(place);
  const indent = `\n${' '.repeat(marker.length)}`;
  if (widthOf(`${marker}${name} — ${place}`) > terminal.columns)
    return [head, placeShown, ...shownUrl].join(indent);
  const line = `${head} — ${placeShown}`;
  if (url === undefined) return line;
  const fits = widthOf(`${marker}${name} — ${place}  ${url}`) <= terminal.columns;
  return `${line}${fits ? '  ' : indent}${link(terminal, url, url)}`;
}

/** What the checks after the answer found, one thing a line; empty when there is nothing to say. */
export function renderReports(answer: Answer, terminal: Terminal): string {
  const { total, uncited } = answer.sentences;
  const reports = [
    ...answer.removed.map(({ text, reason }) => `citation removed: ${quoted(text)} ${REMOVED[reason]}`),
    ...answer.unsupported.map(
      ({ kind, text, refs, sentence }) =>
        `unsupported ${kind}: ${quoted(text)} is not in ${refs.map((ref) => `#${ref}`).join(', ') || 'any source'}: ${quoted(sentence)}`,
    ),
    ...(uncited === 0 ? [] : [`${uncited} of ${total} sentences carry no citation`]),
    ...answer.warnings,
  ].map(oneLine);
  if (!terminal.isTty) return reports.map((report) => `- ${escapeMarkdown(report)}`).join('\n');
  const sign = stylesOf(terminal).yellow('!');
  return reports.map((report) => `${sign} ${report}`).join('\n');
}

function quoted(text: string): string {
  return `"${oneLine(text)}"`;
}

/** How the question ended and what it cost, in the manner of the tier line. */
export function outcomeLine({ outcome, mode, model, spend, ms }: Answer): string {
  const facts = [
    `mode=${mode}`,
    ...(model === undefined ? [] : [`model=${oneLine(model)}`]),
    ...(spend.turns === 0 ? [] : [`turns=${spend.turns}`]),
    ...(spend.toolCalls === 0 ? [] : [`tool_calls=${spend.toolCalls}`]),
    ...(spend.tokens === 0 ? [] : [`tokens=${spend.tokens}`]),
    `seconds=${Number((ms / 1000).toFixed(ms < 1000 ? 2 : 1))}`,
  ];
  return `outcome: ${OUTCOMES[outcome]} - ${facts.join(' ')}`;
}

/** Text that stays text in Markdown, inside a link too. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<~&]/gu, '\\$&');
}

import type { ImageReference, Link, LinkReference, PhrasingContent, Root, RootContent } from 'mdast';
import { stripControls } from '../../core/text.ts';
import { textOfHtml } from './markup.ts';
import { type Mark, type Span, span, textOf } from './spans.ts';
import { oneLine, safeUrl, type Terminal } from './terminal.ts';

/** What inline text is rendered with. */
export interface InlineContext {
  readonly terminal: Terminal;
  /** Link targets by normalised label. */
  readonly definitions: ReadonlyMap<string, string>;
  /** URLs of the citation markers `[1]`, `[2]`, … of an answer; undefined for other text, where `[1]` is text. */
  readonly citations: ReadonlyMap<number, string | undefined> | undefined;
}

interface Look {
  readonly marks: readonly Mark[];
  readonly url?: string | undefined;
}

const MARKER = /\[(\d{1,4})\]/gu;

/** Text that reads as an address itself, so a reader would expect it to be the target. */
const LOOKS_LIKE_URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+$/iu;

/** Inline Markdown as spans; where the terminal has no styles, the signs of code and emphasis stay. */
export function inline(
  nodes: readonly PhrasingContent[],
  context: InlineContext,
  look: Look = { marks: [] },
): Span[] {
  return nodes.flatMap((node) => inlineNode(node, context, look));
}

function inlineNode(node: PhrasingContent, context: InlineContext, look: Look): Span[] {
  switch (node.type) {
    case 'text':
      return textSpans(node.value, context, look);
    case 'emphasis':
      return marked(node.children, '*', 'italic', { context, look });
    case 'strong':
      return marked(node.children, '**', 'bold', { context, look });
    case 'delete':
      return marked(node.children, '~~', 'strike', { context, look });
    case 'inlineCode':
      return [codeSpan(node.value, context, look)];
    case 'break':
      return [span('\n')];
    case 'link':
      return linkSpans(node, node.url, context, look);
    case 'linkReference':
      return referenceSpans(node, context, look);
    case 'image':
      return [span(altOf(node.alt), [...look.marks, 'dim'], look.url ?? safeUrl(node.url))];
    case 'imageReference':
      return [imageSpan(node, context, look)];
    case 'footnoteReference':
      return [span(`[^${oneLine(node.label ?? node.identifier)}]`, [...look.marks, 'dim'])];
    case 'html':
      return [span(stripControls(textOfHtml(node.value)), look.marks, look.url)];
    default:
      return [];
  }
}

/** Soft line ends are blanks; only a `break` ends a line. */
function clean(text: string): string {
  return stripControls(text).replace(/[\n\t\u2028\u2029]/gu, ' ');
}

function textSpans(value: string, context: InlineContext, look: Look): Span[] {
  const text = clean(value);
  if (context.citations === undefined) return [span(text, look.marks, look.url)];
  const spans: Span[] = [];
  let at = 0;
  for (const found of text.matchAll(MARKER)) {
    const number = Number(found[1]);
    if (!context.citations.has(number)) continue;
    spans.push(span(text.slice(at, found.index), look.marks, look.url));
    // A marker opens its own source, whatever link the model put around it.
    spans.push(span(found[0], look.marks, context.citations.get(number)));
    at = found.index + found[0].length;
  }
  return [...spans, span(text.slice(at), look.marks, look.url)].filter((part) => part.text !== '');
}

function codeSpan(value: string, context: InlineContext, look: Look): Span {
  const text = clean(value);
  const shown = context.terminal.colour ? text : fenced(text);
  return span(shown, [...look.marks, 'code'], look.url);
}

/** A code span holding exactly this text. */
export function fenced(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/gu), (run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

function marked(
  children: readonly PhrasingContent[],
  sign: string,
  mark: Mark,
  { context, look }: { readonly context: InlineContext; readonly look: Look },
): Span[] {
  const inner = { ...look, marks: [...look.marks.filter((known) => known !== mark), mark] };
  const spans = inline(children, context, inner);
  if (context.terminal.colour) return spans;
  return [span(sign, inner.marks, look.url), ...spans, span(sign, inner.marks, look.url)];
}

/** The text, and the target after it where a click would not show it. */
function linkSpans(
  node: Pick<Link | LinkReference, 'children'>,
  target: string,
  context: InlineContext,
  look: Look,
): Span[] {
  const url = safeUrl(target);
  const label = inline(node.children, context, { marks: look.marks });
  const shown = textOf(label).trim();
  const number = Number(shown);
  if (/^\d{1,4}$/u.test(shown) && context.citations?.has(number) === true) {
    return [span(`[${number}]`, look.marks, context.citations.get(number)), aside(target, look)];
  }
  const linked = inline(node.children, context, { marks: [...look.marks, 'underline'], url });
  if (shown === '') return [span(url ?? oneLine(target), look.marks, url)];
  const opens = url !== undefined && context.terminal.links;
  const tellsTarget = sameTarget(shown, target) || (opens && !LOOKS_LIKE_URL.test(shown));
  if (url === undefined) return [...label, ...(isPath(target) ? [aside(target, look)] : [])];
  return tellsTarget ? linked : [...linked, aside(url, look)];
}

function sameTarget(shown: string, target: string): boolean {
  const bare = (text: string) => text.replace(/^(?:mailto:|https?:\/\/)/iu, '').replace(/\/$/u, '');
  return bare(shown) === bare(target);
}

/** A relative path says where to look; a place on the same page or a scheme that is not opened says nothing. */
function isPath(target: string): boolean {
  return target !== '' && !target.startsWith('#') && !/^[a-z][a-z0-9+.-]*:/iu.test(target);
}

function aside(target: string, look: Look): Span {
  return span(` (${oneLine(target).replaceAll(' ', '%20')})`, [...look.marks, 'dim']);
}

/** In an answer `[1]` is a citation even where the model defined a link of that name. */
function referenceSpans(node: LinkReference, context: InlineContext, look: Look): Span[] {
  const target = context.definitions.get(node.identifier);
  const isMarker = /^\d+$/u.test(node.identifier) && context.citations?.has(Number(node.identifier)) === true;
  if (target !== undefined && !isMarker) return linkSpans(node, target, context, look);
  const label = inline(node.children, context, look);
  const marker = isMarker ? textSpans(`[${node.identifier}]`, context, look) : [];
  if (node.referenceType !== 'full' && isMarker) return marker;
  return [span('[', look.marks), ...label, span(']', look.marks), ...marker];
}

function imageSpan(node: ImageReference, context: InlineContext, look: Look): Span {
  const target = context.definitions.get(node.identifier);
  const url = target === undefined ? undefined : safeUrl(target);
  return span(altOf(node.alt), [...look.marks, 'dim'], look.url ?? url);
}

function altOf(alt: string | null | undefined): string {
  return oneLine(alt ?? '') || '(image)';
}

/** Link targets of the whole document by label; the first definition of a label counts. */
export function definitionsOf(root: Root): Map<string, string> {
  const definitions = new Map<string, string>();
  for (const definition of nodesOf(root, 'definition')) {
    if (!definitions.has(definition.identifier)) definitions.set(definition.identifier, definition.url);
  }
  return definitions;
}

/** Nodes of one type anywhere outside inline text. */
export function nodesOf<Type extends RootContent['type']>(
  root: Root,
  type: Type,
): Extract<RootContent, { type: Type }>[] {
  const found: Extract<RootContent, { type: Type }>[] = [];
  const waiting: RootContent[] = root.children.toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isOf(node, type)) found.push(node);
    if (!('children' in node) || node.type === 'paragraph') continue;
    for (const child of node.children.toReversed()) waiting.push(child);
  }
  return found;
}

function isOf<Type extends RootContent['type']>(
  node: RootContent,
  type: Type,
): node is Extract<RootContent, { type: Type }> {
  return node.type === type;
}

import * as z from 'zod';
import type { Section } from '../core/document.ts';
import type { Knowledge, OpenedSection } from '../core/knowledge.ts';
import { parseAddress, type Ref } from '../core/ref.ts';
import { stripControls } from '../core/text.ts';
import { cutText } from './cut.ts';
import { fence } from './fence.ts';
import { wants } from './knowledge-search.ts';
import { outlineReply } from './outline-reply.ts';
import type { ToolOptions, ToolReply } from './reply.ts';
import { isKnown, sectionLabel } from './search-reply.ts';
import { defineTool, type Tool, ToolInputError } from './tool.ts';

/** One section, whole, page by page. */
export function knowledgeRead(knowledge: Knowledge, options: ToolOptions): Tool {
  const tokens = options.maxOutputTokens ?? options.maxInjectedTokens;
  return defineTool({
    name: 'knowledge_read',
    description:
      'Gives one section of the knowledge base word for word, with the refs of the sections before and after it. ' +
      'Long sections come in pages: pass the next offset to go on.',
    input: z.strictObject({
      ref: z
        .string({ error: wants('text: a ref such as abc234, or path#anchor') })
        .describe('a ref from a result, such as abc234, or path#anchor'),
      offset: z
        .int({ error: wants('a whole number, the next_offset of the page before') })
        .min(0, 'must be 0 or more')
        .optional()
        .describe('character to start at; 0 when absent'),
    }),
    run: async ({ ref, offset }) => {
      const opened = find(knowledge, ref);
      if (opened.length > 1) {
        const path = opened[0]?.section.path ?? ref;
        return outlineReply(knowledge, {
          path,
          tokens,
          note: 'a whole document: read one of its sections by ref',
        });
      }
      const [one] = opened;
      if (one === undefined) throw new ToolInputError(`"${ref.slice(0, 200)}" holds no section`);
      return page(knowledge, one, { offset: offset ?? 0, tokens });
    },
  });
}

function find(knowledge: Knowledge, address: string): readonly OpenedSection[] {
  const text = plainAddress(address);
  const found = knowledge.open(text);
  if (found.status === 'found') return found.sections;
  if (found.status !== 'unknown') return statusProblem(found.status);
  const nearest = found.nearest.slice(0, 5).join(', ');
  const advice =
    nearest === '' ? 'take a ref from knowledge_search or knowledge_enumerate' : `nearest: ${nearest}`;
  throw new ToolInputError(`no section "${stripControls(text).slice(0, 200)}"; ${advice}`);
}

function statusProblem(status: string): never {
  throw new ToolInputError(`nothing can be read: ${status}`);
}

/** `(#ABC234)`, `[#abc234]`, `#abc234` and quoted forms are what small models copy; a path keeps its case. */
function plainAddress(address: string): string {
  const trimmed = address.trim().replace(/^["'`]+|["'`]+$/gu, '');
  const inner = trimmed.replace(/^[([【]\s*(.*?)\s*[)\]】]$/u, '$1');
  const lower = inner.replace(/^#\s*/u, '').toLowerCase();
  return parseAddress(lower)?.kind === 'ref' ? lower : inner;
}

interface PageOptions {
  readonly offset: number;
  readonly tokens: number;
}

function page(knowledge: Knowledge, opened: OpenedSection, { offset, tokens }: PageOptions): ToolReply {
  const { section } = opened;
  const total = section.markdown.length;
  if (offset > 0 && offset >= total) {
    throw new ToolInputError(`offset ${offset} is past the end: #${section.ref} has ${total} characters`);
  }
  const start = offset - (isInsidePair(section.markdown, offset) ? 1 : 0);
  const content = cutText(section.markdown.slice(start), Math.max(1, tokens));
  const end = start + content.length;
  const neighbours = [
    neighbour(knowledge, 'previous', opened.previous),
    neighbour(knowledge, 'next', opened.next),
  ];
  const fields: [string, string][] = [
    ['section', sectionLabel(section)],
    ['path', section.path],
    ...(opened.url === undefined ? [] : [['url', opened.url] as [string, string]]),
    ['lines', `${section.lines.first}-${section.lines.last}`],
    ...(start === 0 && end === total
      ? []
      : [['characters', `${start}-${end} of ${total}`] as [string, string]]),
    ...(end < total ? [['next_offset', String(end)] as [string, string]] : []),
    ...neighbours.flat(),
  ];
  const part = { title: `section: cite it as (#${section.ref})`, fields, content };
  return {
    text: fence([['status', 'ok']], [part], (ref) => isKnown(knowledge, ref)),
    refs: [section.ref],
    shown: [{ ref: section.ref, text: content }],
    data: pageData(opened, { content, start, end, total }),
    shrink: (fewer) => page(knowledge, opened, { offset: start, tokens: Math.min(fewer, tokens) }),
  };
}

function neighbour(knowledge: Knowledge, name: string, ref: Ref | undefined): [string, string][] {
  if (ref === undefined) return [];
  const found = knowledge.open(ref);
  const section: Section | undefined = found.status === 'found' ? found.sections[0]?.section : undefined;
  return [[name, section === undefined ? `#${ref}` : `#${ref} ${sectionLabel(section)}`]];
}

function isInsidePair(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff;
}

function pageData(
  { section, url, previous, next }: OpenedSection,
  page: { readonly content: string; readonly start: number; readonly end: number; readonly total: number },
): ToolReply['data'] {
  return {
    status: 'ok',
    ref: section.ref,
    section: sectionLabel(section),
    path: section.path,
    url: url ?? null,
    lines: { first: section.lines.first, last: section.lines.last },
    content: stripControls(page.content),
    offset: page.start,
    total: page.total,
    ...(page.end < page.total ? { next_offset: page.end } : {}),
    ...(previous === undefined ? {} : { previous }),
    ...(next === undefined ? {} : { next }),
  };
}

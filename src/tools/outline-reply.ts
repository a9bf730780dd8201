import type { Knowledge, Outline, OutlineEntry } from '../core/knowledge.ts';
import { type DocumentScope, scopeOf } from '../core/scope.ts';
import { estimateTokens } from '../core/text.ts';
import { fence } from './fence.ts';
import type { ToolReply } from './reply.ts';
import { isKnown, sectionLabel } from './search-reply.ts';

/** Headings one reply may name, whatever their length. */
const ENTRY_LIMIT = 200;

export interface OutlineInput extends DocumentScope {
  readonly query?: string;
  /** Tokens (estimated) of the list. */
  readonly tokens: number;
  readonly note?: string;
}

/** A table of contents: headings with refs, no content, so nothing in it can be cited yet. */
export async function outlineReply(knowledge: Knowledge, input: OutlineInput): Promise<ToolReply> {
  const outline = await knowledge.outline({
    limit: ENTRY_LIMIT,
    ...(input.query === undefined ? {} : { query: input.query }),
    ...scopeOf(input),
  });
  return framed(knowledge, outline, input);
}

function framed(knowledge: Knowledge, outline: Outline, input: OutlineInput): ToolReply {
  const entries = within(outline.entries, input.tokens);
  const note = noteOf(outline, entries.length, input.note);
  const head: [string, string][] = [
    ['tier', outline.tier.replace(/^tier: /u, '')],
    ['status', outline.status],
  ];
  if (note !== '') head.push(['note', note]);
  const parts = groups(entries).map(({ path, lines }) => ({
    title: 'document',
    fields: [['path', path], ...lines] as [string, string][],
  }));
  return {
    text: fence(head, parts, (ref) => isKnown(knowledge, ref)),
    refs: [],
    shown: [],
    tier: outline.tier,
    data: {
      tier: outline.tier,
      status: outline.status,
      ...(note === '' ? {} : { note }),
      total: outline.total,
      results: entries.map((entry) => ({
        ref: entry.ref,
        section: sectionLabel(entry),
        path: entry.path,
        url: entry.url ?? null,
      })),
    },
    shrink: (tokens) => framed(knowledge, outline, { ...input, tokens: Math.min(tokens, input.tokens) }),
  };
}

function noteOf(outline: Outline, listed: number, first?: string): string {
  const notes = first === undefined ? [] : [first];
  if (outline.status === 'ok' && outline.total === 0) notes.push('no heading matches');
  if (listed < outline.total) {
    notes.push(`${listed} of ${outline.total} headings; narrow the list with path or query`);
  }
  if (listed > 0) notes.push('headings only: read or search a section before citing it');
  return notes.join('; ');
}

function within(entries: readonly OutlineEntry[], tokens: number): readonly OutlineEntry[] {
  let room = tokens;
  const end = entries.findIndex((entry) => {
    room -= estimateTokens(`#${entry.ref}: ${sectionLabel(entry)}\n${entry.path}`);
    return room < 0;
  });
  return end === -1 ? entries : entries.slice(0, Math.max(1, end));
}

/** Neighbouring entries of one document under its path, said once. */
function groups(
  entries: readonly OutlineEntry[],
): readonly { readonly path: string; readonly lines: [string, string][] }[] {
  const found: { path: string; lines: [string, string][] }[] = [];
  for (const entry of entries) {
    const line: [string, string] = [`#${entry.ref}`, sectionLabel(entry)];
    const last = found.at(-1);
    if (last?.path === entry.path) last.lines.push(line);
    else found.push({ path: entry.path, lines: [line] });
  }
  return found;
}

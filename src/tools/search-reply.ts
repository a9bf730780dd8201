import { headingPath } from '../core/document.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Ref } from '../core/ref.ts';
import { type DocumentScope, scopeOf } from '../core/scope.ts';
import type { Hit, SearchResult } from '../core/search.ts';
import { estimateTokens, stripControls } from '../core/text.ts';
import { cutText } from './cut.ts';
import { fence } from './fence.ts';
import type { ToolOptions, ToolReply } from './reply.ts';

export const TOP_K_CEILING = 20;

const NAMED_COPIES = 3;

export interface SearchInput extends DocumentScope {
  readonly query: string;
  readonly topK?: number;
}

/** Searches and frames what was found for a model. */
export async function searchReply(
  knowledge: Knowledge,
  options: ToolOptions,
  input: SearchInput,
): Promise<ToolReply> {
  const result = await knowledge.search({
    text: input.query,
    topK: Math.min(input.topK ?? options.topK, TOP_K_CEILING),
    maxTokens: options.maxInjectedTokens,
    ...scopeOf(input),
  });
  return framed(knowledge, result, options.maxInjectedTokens);
}

function framed(knowledge: Knowledge, result: SearchResult, tokens: number): ToolReply {
  const hits = within(result.hits, tokens);
  const note = noteOf(result, hits.length);
  const head: [string, string][] = [
    ['tier', result.tier.replace(/^tier: /u, '')],
    ['status', result.status],
  ];
  if (note !== '') head.push(['note', note]);
  const parts = hits.map((hit, index) => ({
    title: `result ${index + 1} of ${hits.length}: cite it as (#${hit.ref})`,
    fields: fieldsOf(hit),
    content: hit.content,
  }));
  return {
    text: fence(head, parts, (ref) => isKnown(knowledge, ref)),
    refs: hits.map((hit) => hit.ref),
    shown: hits.map((hit) => ({ ref: hit.ref, text: hit.content })),
    tier: result.tier,
    data: {
      tier: result.tier,
      status: result.status,
      ...(note === '' ? {} : { note }),
      results: hits.map((hit) => ({
        ref: hit.ref,
        section: sectionLabel(hit),
        path: hit.path,
        url: hit.url ?? null,
        lines: { first: hit.lines.first, last: hit.lines.last },
        content: stripControls(hit.content),
        ...(hit.cut ? { cut: true } : {}),
        ...(hit.alsoAt === undefined ? {} : { also_at: hit.alsoAt.places.map(({ path }) => path) }),
      })),
    },
    shrink: (fewer) => framed(knowledge, result, fewer),
  };
}

export function isKnown(knowledge: Knowledge, ref: Ref): boolean {
  return knowledge.open(ref).status === 'found';
}

/** `Title > Heading > Subheading`; a title that its first heading repeats is said once. */
export function sectionLabel(section: {
  readonly title: string;
  readonly headings: readonly string[];
}): string {
  return headingPath(section).join(' > ');
}

function fieldsOf(hit: Hit): [string, string][] {
  const fields: [string, string][] = [
    ['section', sectionLabel(hit)],
    ['path', hit.path],
  ];
  if (hit.url !== undefined) fields.push(['url', hit.url]);
  fields.push(['lines', `${hit.lines.first}-${hit.lines.last}`]);
  if (hit.alsoAt !== undefined) fields.push(['also at', alsoText(hit.alsoAt)]);
  if (hit.cut) fields.push(['cut', 'true, only a part is below']);
  return fields;
}

/** Paths alone: only the place that is shown can be cited. */
function alsoText({ count, places }: NonNullable<Hit['alsoAt']>): string {
  const named = places.slice(0, NAMED_COPIES).map(({ path }) => path);
  const more = count - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Hits from the top while there is room; the one that no longer fits whole is cut, later ones are left out. */
function within(hits: readonly Hit[], tokens: number): readonly Hit[] {
  const kept: Hit[] = [];
  let room = tokens;
  for (const hit of hits) {
    const content = cutText(hit.content, room);
    if (content.trim() === '' && hit.content.trim() !== '') break;
    kept.push(content === hit.content ? hit : { ...hit, content, cut: true });
    room -= estimateTokens(content);
    if (content !== hit.content) break;
  }
  return kept;
}

function noteOf(result: SearchResult, kept: number): string {
  const notes = result.note === undefined ? [] : [result.note];
  const left = result.hits.length - kept;
  if (left > 0) notes.push(`${left} more results were left out for room; ask more narrowly`);
  if (result.status === 'ok' && result.hits.length === 0) notes.push('nothing was found; try other words');
  const stale = result.hits.slice(0, kept).filter((hit) => hit.freshness !== 'fresh');
  if (stale.length > 0) {
    const list = stale.map((hit) => `#${hit.ref} ${hit.freshness}`).join(', ');
    notes.push(`files that are no longer as they were indexed: ${list}`);
  }
  return notes.join('; ');
}

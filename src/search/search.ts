import type { Config } from '../core/config.ts';
import { type DocumentScope, describeScope, scopeOf } from '../core/scope.ts';
import type { Explanation, Hit, SearchQuery, SearchResult, Tier } from '../core/search.ts';
import { estimateTokens } from '../core/text.ts';
import { copiesOf } from '../store/copies.ts';
import { documentsUnder } from '../store/documents.ts';
import { freshnessOf } from '../store/freshness.ts';
import type { IndexFile } from '../store/index-file.ts';
import { countChunks } from '../store/lexical.ts';
import type { Origin } from '../store/origin.ts';
import { chunksById, sectionsById } from '../store/sections.ts';
import { type Content, cutSection, shareTokens } from './content.ts';
import { type Found, foldCopies } from './fold-copies.ts';
import type { PageLinks } from './page-links.ts';
import { analyse, type Query, termWeights } from './query.ts';
import { type RetrievalRequest, type Retrieved, retrieve, settleTier } from './retrieve.ts';
import { makeSnippet } from './snippet.ts';
import { type ActiveTier, tierLine } from './tier.ts';

/** An open index and what it takes to present its sections. */
export interface SearchContext {
  readonly index: IndexFile;
  readonly origin: Origin;
  /** The settings in force now; the origin's are those of the last ingest. */
  readonly config: Config;
  readonly links: PageLinks;
}

/** Places of the same text that a hit names. */
const NAMED_COPIES = 5;
/** So many times the sections wanted are looked through at most for different ones. */
const MAX_DEEPER = 16;

/** Sections for a query, best first. Any text is a valid query; one without a known word finds nothing and says so. */
export function search(context: SearchContext, wanted: SearchQuery, prepared: ActiveTier): SearchResult {
  const { index, config } = context;
  return index.snapshot(() => {
    const active = settleTier(index, prepared);
    const tier = tierLine(active, wanted.fusion);
    if (countChunks(index) === 0) return { status: 'index_empty', tier, hits: [] };
    const query = analyse(index, wanted.text);
    const scope = scopeOf(wanted);
    const limit = Math.max(1, Math.trunc(wanted.topK ?? config.knowledge.topK) || 1);
    const isApart = wanted.copies === 'apart';
    const found = gather(index, active, { query, limit, scope, fusion: wanted.fusion }, isApart);
    const contents = contentsOf(found, config, wanted.maxTokens ?? config.knowledge.maxInjectedTokens);
    const hits = found.map((one, position) => toHit(context, query, one, contents[position]));
    const shown = isApart ? hits : withCopies(context, hits, scope);
    const note = joined([tierNote(active, wanted.tier), noteOf(context, query, hits.length, scope)]);
    return {
      status: 'ok',
      tier,
      ...(note === undefined ? {} : { note }),
      hits: shown,
      ...(wanted.explain === true ? { explanation: explain(index, query, found) } : {}),
    };
  });
}

/**
 * The best sections; where several have the same text, so many more that there are as many different ones as wanted. What
 * a deeper look adds comes after: it may order what is further down in another way.
 */
function gather(index: IndexFile, active: ActiveTier, request: RetrievalRequest, isApart: boolean): Found[] {
  const { limit } = request;
  const all = load(index, retrieve(index, active, request));
  if (isApart) return all;
  const known = new Set(all.map((one) => one.section.id));
  let folded = foldCopies(all);
  for (let depth = limit; all.length >= depth && depth < limit * MAX_DEEPER && folded.length < limit; ) {
    depth *= 2;
    const deeper = retrieve(index, active, { ...request, limit: depth });
    all.push(
      ...load(
        index,
        deeper.filter((one) => !known.has(one.sectionId)),
      ),
    );
    for (const { section } of all) known.add(section.id);
    folded = foldCopies(all);
  }
  return folded.slice(0, limit);
}

/** Names where else the texts of hits stand, within the scope. */
function withCopies(context: SearchContext, hits: readonly Hit[], scope: DocumentScope): Hit[] {
  const hashes = hits.map((hit) => hit.hash);
  const copies = copiesOf(context.index, hashes, scope, NAMED_COPIES + 1);
  return hits.map((hit) => {
    const found = copies.get(hit.hash);
    if (found === undefined || found.count < 2) return hit;
    const others = found.places.filter((place) => place.ref !== hit.ref).slice(0, NAMED_COPIES);
    const places = others.map((place) => {
      const url = context.links.urlOf(place.path, place.anchor);
      return url === undefined ? place : { ...place, url };
    });
    return { ...hit, alsoAt: { count: found.count - 1, places } };
  });
}

function load(index: IndexFile, retrieved: readonly Retrieved[]): Found[] {
  const chunks = chunksById(
    index,
    retrieved.map((one) => one.chunkId),
  );
  const sections = new Map(
    sectionsById(
      index,
      retrieved.map((one) => one.sectionId),
    ).map((section) => [section.id, section]),
  );
  return retrieved.flatMap((one, position) => {
    const section = sections.get(one.sectionId);
    const chunk = chunks[position];
    return section === undefined || chunk === undefined ? [] : [{ retrieved: one, section, chunk }];
  });
}

function contentsOf(found: readonly Found[], config: Config, maxTokens: number): Content[] {
  const whole = config.knowledge.expandToSection;
  const needs = found.map(({ section, chunk }) => estimateTokens(whole ? section.markdown : chunk.text));
  const shares = shareTokens(needs, maxTokens);
  return found.map(({ section, chunk }, position) => {
    const share = shares[position] ?? 0;
    if (!whole && (needs[position] ?? 0) <= share) return { text: chunk.text, cut: false };
    return cutSection(section, chunk, share);
  });
}

function toHit(context: SearchContext, query: Query, found: Found, content: Content | undefined): Hit {
  const { section, chunk, retrieved } = found;
  const anchor = section.anchors[0];
  const url = context.links.urlOf(section.path, anchor);
  return {
    ref: section.ref,
    path: section.path,
    title: section.title,
    headings: section.headings,
    ...(anchor === undefined ? {} : { anchor }),
    ...(url === undefined ? {} : { url }),
    lines: section.lines,
    hash: section.hash,
    score: retrieved.score,
    evidence: retrieved.evidence,
    freshness: freshnessOf(context.origin, section.path, section.documentHash),
    content: content?.text ?? '',
    cut: content?.cut ?? false,
    // Made when asked for: models are given the content, and only people read this.
    get snippet(): string {
      return makeSnippet(chunk.text, query.terms);
    },
  };
}

/** Why vectors that were asked for took no part, where the tier line alone does not say it. */
function tierNote(active: ActiveTier, wanted: Tier | undefined): string | undefined {
  if (active.kind !== 'unconfigured' || wanted === undefined || wanted === 'lexical') return undefined;
  return (
    `the ${wanted} tier was asked for, but this knowledge base has no vectors: the words alone answered; ` +
    'an embeddings block in the knowledge-base file and kb ingest make them'
  );
}

function joined(notes: readonly (string | undefined)[]): string | undefined {
  const said = notes.filter((note) => note !== undefined);
  return said.length === 0 ? undefined : said.join('; ');
}

function noteOf(
  context: SearchContext,
  query: Query,
  hits: number,
  scope: DocumentScope,
): string | undefined {
  const within = describeScope(scope);
  if (within !== '' && documentsUnder(context.index, scope).length === 0) {
    return `no document is${within}; list shows the documents there are`;
  }
  if (hits > 0 && query.terms.length === 0) return undefined;
  if (query.terms.length === 0 && query.unknown.length === 0) return 'the query has no words to search for';
  if (query.terms.length === 0) return `no section holds ${someOf(query.unknown)}`;
  if (hits === 0) return `nothing found${within}`;
  const notes = query.replaced.map(({ word, by }) => `"${word}" was read as "${by}"`);
  if (query.leftOut !== undefined)
    notes.push(`a long query: its ${query.leftOut} commonest words are left out`);
  return notes.length > 0 ? notes.join('; ') : undefined;
}

const NAMED_WORDS = 10;

function someOf(words: readonly string[]): string {
  const more = words.length - NAMED_WORDS;
  const named = words.slice(0, NAMED_WORDS).map((word) => [...word.slice(0, 80)].slice(0, 40).join(''));
  return named.join(', ') + (more > 0 ? ` and ${more} words more` : '');
}

function explain(index: IndexFile, query: Query, found: readonly Found[]): Explanation {
  return {
    kept: query.terms,
    dropped: query.dropped,
    replaced: query.replaced,
    unknown: query.unknown,
    weights: termWeights(index, query),
    parts: found.map(({ retrieved, section }) => ({
      ref: section.ref,
      words: retrieved.lexical?.words ?? 0,
      written: retrieved.lexical?.written ?? 0,
      phrase: retrieved.lexical?.phrase ?? 0,
      near: retrieved.lexical?.near ?? 0,
      page: retrieved.lexical?.page ?? 0,
      feedback: retrieved.lexical?.feedback ?? 0,
    })),
  };
}

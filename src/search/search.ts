import { type CompiledCitationRule, citationUrl } from '../config/citation-url.ts';
import type { Config } from '../core/config.ts';
import type { Explanation, Hit, SearchQuery, SearchResult } from '../core/search.ts';
import { estimateTokens } from '../core/text.ts';
import { documentsUnder } from '../store/documents.ts';
import { freshnessOf } from '../store/freshness.ts';
import type { IndexFile } from '../store/index-file.ts';
import { countChunks } from '../store/lexical.ts';
import type { Origin } from '../store/origin.ts';
import { chunksById, type StoredChunk, type StoredSection, sectionById } from '../store/sections.ts';
import { type Content, cutSection, shareTokens } from './content.ts';
import { analyse, type Query, termWeights } from './query.ts';
import { type RankedSection, rankSections } from './rank.ts';
import { makeSnippet } from './snippet.ts';
import { tierLine } from './tier.ts';

/** An open index and what it takes to present its sections. */
export interface SearchContext {
  readonly index: IndexFile;
  readonly origin: Origin;
  /** The settings in force now; the origin's are those of the last ingest. */
  readonly config: Config;
  readonly citationRules: readonly CompiledCitationRule[];
}

interface Found {
  readonly ranked: RankedSection;
  readonly section: StoredSection;
  readonly chunk: StoredChunk;
}

/** Sections for a query, best first. Any text is a valid query; one without a known word finds nothing and says so. */
export function search(context: SearchContext, wanted: SearchQuery): SearchResult {
  const { index, config } = context;
  const tier = tierLine(config);
  return index.snapshot(() => {
    if (countChunks(index) === 0) return { status: 'index_empty', tier, hits: [] };
    const query = analyse(index, wanted.text);
    const path = wanted.path ?? '';
    const ranked = rankSections(index, query, wanted.topK ?? config.knowledge.topK, path);
    const found = load(index, ranked);
    const contents = contentsOf(found, config, wanted.maxTokens ?? config.knowledge.maxInjectedTokens);
    const hits = found.map((one, position) =>
      toHit(context, query, one, { position, content: contents[position] }),
    );
    const note = noteOf(context, query, hits.length, path);
    return {
      status: 'ok',
      tier,
      ...(note === undefined ? {} : { note }),
      hits,
      ...(wanted.explain === true ? { explanation: explain(index, query, found) } : {}),
    };
  });
}

function load(index: IndexFile, ranked: readonly RankedSection[]): Found[] {
  const chunks = chunksById(
    index,
    ranked.map((one) => one.chunkId),
  );
  return ranked.flatMap((one, position) => {
    const section = sectionById(index, one.sectionId);
    const chunk = chunks[position];
    return section === undefined || chunk === undefined ? [] : [{ ranked: one, section, chunk }];
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

function toHit(
  context: SearchContext,
  query: Query,
  found: Found,
  placed: { readonly position: number; readonly content: Content | undefined },
): Hit {
  const { section, chunk, ranked } = found;
  const anchor = section.anchors[0];
  const url = citationUrl(section.path, anchor, context.citationRules);
  return {
    ref: section.ref,
    path: section.path,
    title: section.title,
    headings: section.headings,
    ...(anchor === undefined ? {} : { anchor }),
    ...(url === undefined ? {} : { url }),
    lines: section.lines,
    hash: section.hash,
    score: ranked.score,
    evidence: [{ retriever: 'lexical', rank: placed.position + 1, score: ranked.score }],
    freshness: freshnessOf(context.index, context.origin, section.path),
    content: placed.content?.text ?? '',
    cut: placed.content?.cut ?? false,
    snippet: makeSnippet(chunk.text, query.terms),
  };
}

function noteOf(context: SearchContext, query: Query, hits: number, path: string): string | undefined {
  if (path !== '' && documentsUnder(context.index, path).length === 0) {
    return `no document is at or below "${path}"; list shows the paths there are`;
  }
  if (query.terms.length === 0 && query.unknown.length === 0) return 'the query has no words to search for';
  if (query.terms.length === 0) return `no section holds ${query.unknown.join(', ')}`;
  if (hits === 0) return path === '' ? 'nothing found' : `nothing found below "${path}"`;
  const corrections = query.replaced.map(({ word, by }) => `"${word}" was read as "${by}"`);
  return corrections.length > 0 ? corrections.join('; ') : undefined;
}

function explain(index: IndexFile, query: Query, found: readonly Found[]): Explanation {
  return {
    kept: query.terms,
    dropped: query.dropped,
    replaced: query.replaced,
    unknown: query.unknown,
    weights: termWeights(index, query),
    parts: found.map(({ ranked, section }) => ({
      ref: section.ref,
      words: ranked.words,
      phrase: ranked.phrase,
      near: ranked.near,
      page: ranked.page,
      feedback: ranked.feedback,
    })),
  };
}

import type { DocumentScope } from '../../core/scope.ts';
import type { Fusion, Hit, SearchResult, Tier } from '../../core/search.ts';
import { ingestCommandFor } from '../../kb/next-command.ts';
import { contentStems } from '../../search/query.ts';
import { type CommonOptions, type Context, printJson } from '../context.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { renderHits } from '../render/hits.ts';
import { parseChoice, parseWhere, parseWhole } from '../values.ts';
import { withKb } from '../with-kb.ts';

export interface SearchOptions extends CommonOptions {
  readonly topK?: string;
  readonly path?: string;
  readonly where?: readonly string[];
  readonly maxInjectedTokens?: string;
  readonly explain?: boolean;
  readonly tier?: string;
  readonly fusion?: string;
}

/** More than this is a job for list or bench. */
const MAX_RESULTS = 100;
const TIERS: readonly Tier[] = ['lexical', 'vector', 'hybrid'];
const FUSIONS: readonly Fusion[] = ['rrf', 'minmax'];

export async function searchCommand(
  context: Context,
  text: string,
  options: SearchOptions,
): Promise<ExitCode> {
  return withKb(context, options, async (kb) => {
    const result = await kb.search({
      text,
      ...(options.topK === undefined
        ? {}
        : { topK: parseWhole('--top-k', options.topK, { min: 1, max: MAX_RESULTS }) }),
      ...scopeIn(options),
      ...(options.maxInjectedTokens === undefined
        ? {}
        : {
            maxTokens: parseWhole('--max-injected-tokens', options.maxInjectedTokens, {
              min: 1,
              max: 1_000_000,
            }),
          }),
      explain: options.explain === true,
      signal: context.signal,
      ...(options.tier === undefined ? {} : { tier: parseChoice('--tier', options.tier, TIERS) }),
      ...(options.fusion === undefined ? {} : { fusion: parseChoice('--fusion', options.fusion, FUSIONS) }),
    });
    if (options.json === true) printJson(context, toJson(text, kb.located.name, result));
    else
      context.print(
        renderHits(result, context.stdout, {
          stems: contentStems(text),
          ...nextCommands(kb.located.name, options),
        }),
      );
    if (result.status !== 'ok') return EXIT.index;
    return result.hits.length > 0 ? EXIT.answered : EXIT.notFound;
  });
}

function scopeIn({ path, where }: SearchOptions): DocumentScope {
  return {
    ...(path === undefined ? {} : { path }),
    ...(where === undefined ? {} : { where: parseWhere(where) }),
  };
}

/** What is advised where nothing was found; for the knowledge base that was asked. */
function nextCommands(name: string | undefined, options: SearchOptions): { ingest: string; list: string } {
  const isNamed = options.kb !== undefined || options.config !== undefined;
  return {
    ingest: !isNamed && name !== undefined ? `kb ingest ${name}` : ingestCommandFor(options),
    list: name === undefined ? 'kb list' : `kb list -k ${name}`,
  };
}

function toJson(query: string, knowledgeBase: string | undefined, result: SearchResult): object {
  return {
    knowledge_base: knowledgeBase ?? null,
    query,
    tier: result.tier,
    status: result.status,
    ...(result.note === undefined ? {} : { note: result.note }),
    results: result.hits.map((hit) => ({
      ref: hit.ref,
      path: hit.path,
      title: hit.title,
      headings: hit.headings,
      anchor: hit.anchor ?? null,
      url: hit.url ?? null,
      lines: hit.lines,
      score: hit.score,
      evidence: hit.evidence,
      freshness: hit.freshness,
      hash: hit.hash,
      snippet: hit.snippet,
      content: hit.content,
      cut: hit.cut,
      ...(hit.alsoAt === undefined ? {} : { also_at: alsoJson(hit.alsoAt) }),
    })),
    ...(result.explanation === undefined ? {} : { explanation: result.explanation }),
  };
}

function alsoJson({ count, places }: NonNullable<Hit['alsoAt']>): object {
  return {
    count,
    places: places.map(({ ref, path, anchor, url }) => ({
      ref,
      path,
      anchor: anchor ?? null,
      url: url ?? null,
    })),
  };
}

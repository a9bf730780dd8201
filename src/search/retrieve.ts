import type { Config } from '../core/config.ts';
import { identityDifference, showIdentity } from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';
import type { Evidence, Fusion, Tier } from '../core/search.ts';
import { pinnedIdentity } from '../store/embeddings.ts';
import type { IndexFile } from '../store/index-file.ts';
import { fuse } from './fuse.ts';
import type { Query } from './query.ts';
import type { QueryEmbedder, QueryVector } from './query-vector.ts';
import { type RankedSection, rankSections } from './rank.ts';
import type { ActiveTier } from './tier.ts';
import { nearestSections } from './vector.ts';

/** Sections each retriever puts into the fusion. */
const FUSION_DEPTH = 50;

export interface Retrieved {
  readonly sectionId: number;
  /** The chunk that speaks for the section: the lexical one where both found it, since its words can be shown. */
  readonly chunkId: number;
  readonly score: number;
  readonly evidence: readonly Evidence[];
  /** How the lexical score came about; absent where only the vectors found it. */
  readonly lexical?: RankedSection;
}

export interface RetrievalRequest {
  readonly query: Query;
  readonly limit: number;
  readonly path: string;
  readonly fusion?: Fusion | undefined;
}

/**
 * Which retrievers will answer, with the query's vector where they need one. Asking for the vector is the one step
 * that leaves the process, so it comes before the index is looked at. Throws `embedder-changed` where the index
 * holds vectors that those of the settings cannot be compared with.
 */
export async function prepareTier(
  index: IndexFile,
  config: Config,
  wanted: { readonly text: string; readonly tier?: Tier | undefined; readonly signal: AbortSignal },
  embedder: QueryEmbedder | undefined,
): Promise<ActiveTier> {
  const tier = wanted.tier ?? 'hybrid';
  if (config.knowledge.embeddings === undefined || embedder === undefined) return { kind: 'unconfigured' };
  if (tier === 'lexical') return { kind: 'lexical' };
  const pinned = pinnedIdentity(index);
  if (pinned === undefined)
    return { kind: 'degraded', tier, reason: 'the index holds no vectors; kb ingest makes them' };
  const vector = await embedQuery(embedder, wanted.text, wanted.signal);
  if (vector.status === 'unavailable') return { kind: 'degraded', tier, reason: vector.reason };
  const { recipe } = await embedder.embedder();
  const difference = identityDifference(pinned, { ...recipe, dimensions: vector.vector.length });
  if (difference !== undefined) {
    throw new KbError(
      'embedder-changed',
      difference,
      { indexed: showIdentity(pinned), configured: showIdentity(recipe) },
      { hint: 'kb ingest --reindex embeds everything anew; --tier lexical goes without' },
    );
  }
  return { kind: 'vectors', tier, vector: vector.vector, identity: pinned };
}

/** A query without a character in it has no vector, and finds nothing lexically either. */
async function embedQuery(embedder: QueryEmbedder, text: string, signal: AbortSignal): Promise<QueryVector> {
  return embedder.embed(text.trim() === '' ? ' ' : text, signal);
}

/** Sections for a query by the retrievers of the tier, best first; `path` limits each of them before it ranks. */
export function retrieve(index: IndexFile, active: ActiveTier, request: RetrievalRequest): Retrieved[] {
  const { query, limit, path } = request;
  if (active.kind !== 'vectors') return rankSections(index, query, limit, path).map(fromLexical);
  const depth = Math.max(FUSION_DEPTH, limit);
  const near = nearestSections(index, active.vector, depth, path);
  const vector = new Map(near.map((one, at) => [one.sectionId, { ...one, rank: at + 1 }]));
  const ranked = active.tier === 'vector' ? [] : rankSections(index, query, depth, path);
  const lexical = new Map(ranked.map((one, at) => [one.sectionId, { one, rank: at + 1 }]));
  const lists = [
    ranked.map((one) => ({ key: one.sectionId, score: one.score })),
    near.map((one) => ({ key: one.sectionId, score: one.likeness })),
  ].filter((list) => list.length > 0);
  return fuse(lists, request.fusion ?? 'rrf')
    .slice(0, limit)
    .map(({ key, score }): Retrieved => {
      const words = lexical.get(key);
      const meaning = vector.get(key);
      return {
        sectionId: key,
        chunkId: words?.one.chunkId ?? meaning?.chunkId ?? 0,
        score,
        evidence: [
          ...(words === undefined
            ? []
            : [{ retriever: 'lexical' as const, rank: words.rank, score: words.one.score }]),
          ...(meaning === undefined
            ? []
            : [{ retriever: 'vector' as const, rank: meaning.rank, score: meaning.likeness }]),
        ],
        ...(words === undefined ? {} : { lexical: words.one }),
      };
    });
}

function fromLexical(one: RankedSection, at: number): Retrieved {
  return {
    sectionId: one.sectionId,
    chunkId: one.chunkId,
    score: one.score,
    evidence: [{ retriever: 'lexical', rank: at + 1, score: one.score }],
    lexical: one,
  };
}

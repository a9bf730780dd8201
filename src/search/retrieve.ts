import { ingestNamed } from '../core/advice.ts';
import type { Config } from '../core/config.ts';
import {
  type EmbedderIdentity,
  type EmbedderRecipe,
  identityDifference,
  isEmbeddable,
  showIdentity,
} from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';
import type { DocumentScope } from '../core/scope.ts';
import type { Evidence, Fusion, Tier } from '../core/search.ts';
import { pinnedIdentity } from '../store/embeddings.ts';
import type { IndexFile } from '../store/index-file.ts';
import { placesOf } from '../store/sections.ts';
import { fuse, type ScoredList, type WeighedList } from './fuse.ts';
import type { Query } from './query.ts';
import type { QueryEmbedder } from './query-vector.ts';
import { rankSections } from './rank.ts';
import type { RankedSection } from './ranked-section.ts';
import { type ActiveTier, NO_VECTORS } from './tier.ts';
import { type NearSection, nearestSections } from './vector.ts';

/** Sections each retriever puts into the fusion. */
const FUSION_DEPTH = 50;
/**
 * How much the words count beside the vectors: whoever names a setting or an error wants the section that has it, and
 * small embedding models know no names (docs/decisions/vector-tier.md).
 */
const WORDS_WEIGHT = 3;

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
  readonly scope: DocumentScope;
  readonly fusion?: Fusion | undefined;
}

/**
 * Which retrievers will answer, with the query's vector where they need one. Asking for the vector is the one step
 * that leaves the process, so it comes before the index is looked at, and nothing is asked where the answer would be
 * of no use. Throws `embedder-changed` where the index holds vectors that those of the settings cannot be compared with.
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
  if (pinned === undefined) return { kind: 'degraded', tier, reason: NO_VECTORS };
  const recipe = await embedder.recipe();
  if (recipe !== undefined) refuseDifference(index, pinned, recipe);
  // Without a character there is nothing to be near to.
  if (!isEmbeddable(wanted.text)) return { kind: 'vectors', tier, vector: undefined, identity: pinned };
  const vector = await embedder.embed(wanted.text, wanted.signal);
  if (vector.status === 'unavailable') return { kind: 'degraded', tier, reason: vector.reason };
  const answered = { ...pinned, dimensions: vector.vector.length };
  refuseDifference(index, pinned, answered);
  return { kind: 'vectors', tier, vector: vector.vector, identity: pinned };
}

/**
 * The tier again, now that the index is read from one state: another process may have exchanged the vectors while the
 * query's was waited for.
 */
export function settleTier(index: IndexFile, active: ActiveTier): ActiveTier {
  if (active.kind !== 'vectors') return active;
  const pinned = pinnedIdentity(index);
  if (pinned === undefined) return { kind: 'degraded', tier: active.tier, reason: NO_VECTORS };
  refuseDifference(index, pinned, active.identity);
  return active;
}

function refuseDifference(index: IndexFile, pinned: EmbedderIdentity, now: EmbedderRecipe): void {
  const difference = identityDifference(pinned, now);
  if (difference === undefined) return;
  throw new KbError(
    'embedder-changed',
    difference,
    { indexed: showIdentity(pinned), configured: showIdentity(now) },
    {
      hint: `embed everything anew: ${ingestNamed(index.path)} --reindex; or search without vectors: --tier lexical`,
    },
  );
}

/** Sections for a query by the retrievers of the tier, best first; the scope limits each of them before it ranks. */
export function retrieve(index: IndexFile, active: ActiveTier, request: RetrievalRequest): Retrieved[] {
  const { query, limit, scope } = request;
  if (active.kind !== 'vectors') return rankSections(index, query, limit, scope).map(fromLexical);
  const depth = Math.max(FUSION_DEPTH, limit);
  const found = active.vector === undefined ? [] : nearestSections(index, active.vector, depth, scope);
  const ranked = active.tier === 'vector' ? [] : rankSections(index, query, depth, scope);
  const places = placesOf(
    index,
    [...found, ...ranked].map((one) => one.sectionId),
  );
  const placeOf = (key: number): number => places.get(key) ?? 0;
  const near = found.toSorted(
    (a, b) => b.likeness - a.likeness || placeOf(a.sectionId) - placeOf(b.sectionId),
  );
  const vector = new Map(near.map((one, at) => [one.sectionId, { ...one, rank: at + 1 }]));
  const lexical = new Map(ranked.map((one, at) => [one.sectionId, { one, rank: at + 1 }]));
  return fused(ranked, near, request.fusion ?? 'rrf', placeOf)
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

/**
 * The best of each list are fused; the others come after, fused too, for those who ask for more. So the first results are
 * the same however many are wanted. Words end where nothing holds them, but something is nearest to any query, whether it
 * means anything or not: of the vectors only what stands out among the nearest takes part.
 */
function fused(
  ranked: readonly RankedSection[],
  near: readonly NearSection[],
  fusion: Fusion,
  placeOf: (key: number) => number,
): { key: number; score: number }[] {
  const words = ranked.map((one) => ({ key: one.sectionId, score: one.score }));
  const nearest = near.map((one) => ({ key: one.sectionId, score: one.likeness }));
  const meaning = fusion === 'rrf' && words.length > 0 ? standingOut(nearest) : nearest;
  const first = fuse(weighed(words.slice(0, FUSION_DEPTH), meaning.slice(0, FUSION_DEPTH)), fusion, placeOf);
  const taken = new Set(first.map((one) => one.key));
  const isLeft = ({ key }: { readonly key: number }) => !taken.has(key);
  const rest = fuse(weighed(words.filter(isLeft), nearest.filter(isLeft)), fusion, placeOf);
  return [...first, ...rest.map(({ key }) => ({ key, score: 0 }))];
}

/** Those nearer than halfway between the best and the last of the fusion's depth. */
function standingOut(list: ScoredList): ScoredList {
  const best = list[0]?.score ?? 0;
  const last = list[Math.min(FUSION_DEPTH, list.length) - 1]?.score ?? 0;
  return list.filter((one) => one.score >= (best + last) / 2);
}

/** Where only one retriever found anything, it decides alone. */
function weighed(words: ScoredList, meaning: ScoredList): WeighedList[] {
  return [
    { list: words, weight: WORDS_WEIGHT },
    { list: meaning, weight: 1 },
  ].filter(({ list }) => list.length > 0);
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

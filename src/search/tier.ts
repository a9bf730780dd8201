import type { Config } from '../core/config.ts';
import { type EmbedderIdentity, showIdentity } from '../core/embedder.ts';
import type { Fusion, Tier } from '../core/search.ts';

/** Why vectors cannot take part where there are none. */
export const NO_VECTORS = 'the index holds no vectors; kb ingest makes them';

/** Which retrievers answer a query, as it turned out. */
export type ActiveTier =
  | { readonly kind: 'unconfigured' }
  /** Asked for, although there are vectors. */
  | { readonly kind: 'lexical' }
  | {
      readonly kind: 'vectors';
      readonly tier: Exclude<Tier, 'lexical'>;
      /** Undefined for a query with nothing in it, which is near to nothing. */
      readonly vector: Float32Array | undefined;
      readonly identity: EmbedderIdentity;
    }
  | { readonly kind: 'degraded'; readonly tier: Exclude<Tier, 'lexical'>; readonly reason: string };

/** The one line every surface that searches prints. */
export function tierLine(active: ActiveTier, fusion: Fusion = 'rrf'): string {
  switch (active.kind) {
    case 'unconfigured':
      return 'tier: lexical (FTS5) - no embeddings configured';
    case 'lexical':
      return 'tier: lexical (FTS5) - as asked';
    case 'vectors':
      return vectorLine(active.tier, active.identity, fusion);
    case 'degraded':
      return `tier: ${active.tier} -> DEGRADED to lexical (embeddings unreachable: ${active.reason})`;
  }
}

function vectorLine(tier: Exclude<Tier, 'lexical'>, identity: EmbedderIdentity, fusion: Fusion): string {
  if (tier === 'vector') return `tier: vector - ${showIdentity(identity)}`;
  return `tier: hybrid (FTS5 + vectors, ${fusion === 'rrf' ? 'RRF' : 'min-max'}) - ${showIdentity(identity)}`;
}

/** The line for a surface that does not search: what a search would try. */
export function standingTierLine(config: Config | undefined, pinned: EmbedderIdentity | undefined): string {
  if (config?.knowledge.embeddings === undefined) return tierLine({ kind: 'unconfigured' });
  if (pinned !== undefined) return vectorLine('hybrid', pinned, 'rrf');
  return tierLine({ kind: 'degraded', tier: 'hybrid', reason: NO_VECTORS });
}

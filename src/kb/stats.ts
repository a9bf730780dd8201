import { statSync } from 'node:fs';
import type { Config } from '../core/config.ts';
import type { Freshness } from '../core/document.ts';
import { standingTierLine } from '../search/tier.ts';
import { allDocuments } from '../store/documents.ts';
import { countEmbeddings, type EmbeddingCounts, pinnedIdentity } from '../store/embeddings.ts';
import { freshnessOf } from '../store/freshness.ts';
import type { IndexFile } from '../store/index-file.ts';
import { countHoldings, type Holdings } from '../store/maintenance.ts';
import { type Origin, summariseAnchors } from '../store/origin.ts';

export interface Stats extends Holdings {
  readonly knowledgeBase: string;
  readonly index: string;
  /** Bytes on disk, with the write-ahead log. */
  readonly bytes: number;
  /** Documents that were seen but hold no words, or could not be parsed. */
  readonly empty: number;
  readonly failed: number;
  /** Documents by what became of their file since. */
  readonly freshness: Readonly<Record<Freshness, number>>;
  /** Only with embeddings configured. */
  readonly embeddings?: EmbeddingCounts;
  readonly anchorRule: string;
  /** ISO 8601, UTC. */
  readonly ingestedAt: string;
  readonly tier: string;
}

export function statsOf(index: IndexFile, origin: Origin, config: Config): Stats {
  const documents = allDocuments(index);
  const freshness = { fresh: 0, changed: 0, missing: 0 };
  for (const document of documents) freshness[freshnessOf(origin, document.path, document.hash)] += 1;
  return {
    knowledgeBase: config.name,
    index: index.path,
    bytes: sizeOf(index.path) + sizeOf(`${index.path}-wal`),
    ...countHoldings(index),
    empty: documents.filter((document) => document.status === 'empty').length,
    failed: documents.filter((document) => document.status === 'failed').length,
    freshness,
    ...(config.knowledge.embeddings === undefined ? {} : { embeddings: countEmbeddings(index) }),
    anchorRule: summariseAnchors(origin.anchors),
    ingestedAt: origin.ingestedAt,
    tier: standingTierLine(config, pinnedIdentity(index)),
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

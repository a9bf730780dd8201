/** A section with its best chunk and how its score came about: the parts add up to it. */
export interface RankedSection {
  readonly sectionId: number;
  readonly chunkId: number;
  /** Sorts as the path and the place in its document do. */
  readonly order: number;
  readonly score: number;
  /** By all forms of the query's words. */
  readonly words: number;
  /** By the words just as the query has them. */
  readonly written: number;
  readonly phrase: number;
  readonly near: number;
  readonly page: number;
  /** From words borrowed of the best sections; 0 for the first ten. */
  readonly feedback: number;
}

/** How many sections are wanted, and which may come. */
export interface RankScope {
  readonly limit: number;
  /** The chunks that may come, by id: 1; undefined for all. */
  readonly isWanted: Uint8Array | undefined;
}

/** Best first; equal ones in the order of paths and pages, which does not depend on when they were ingested. */
export function byScore(a: RankedSection, b: RankedSection): number {
  return b.score - a.score || a.order - b.order;
}

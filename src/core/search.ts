import type { Freshness, LineRange } from './document.ts';
import type { DocPath, Ref } from './ref.ts';
import type { DocumentScope } from './scope.ts';

/** Which retrievers answer a query. `hybrid` fuses the other two. */
export type Tier = 'lexical' | 'vector' | 'hybrid';
/** How the lists of several retrievers become one: by ranks, or by scores stretched to 0 … 1. */
export type Fusion = 'rrf' | 'minmax';
export type Retriever = 'lexical' | 'vector';

/** Where one retriever put a section; kept so that a ranking can be explained. */
export interface Evidence {
  readonly retriever: Retriever;
  /** From 1. */
  readonly rank: number;
  /** In the retriever's own scale: never compare across retrievers. */
  readonly score: number;
}

/** Another place where the same text stands. */
export interface CopyPlace {
  readonly ref: Ref;
  readonly path: DocPath;
  readonly anchor?: string;
  readonly url?: string;
}

export interface Hit {
  readonly ref: Ref;
  readonly path: DocPath;
  readonly title: string;
  readonly headings: readonly string[];
  /** Absent where the section has none, e.g. text before the first heading. */
  readonly anchor?: string;
  /** Where a person can open the section; absent when no citation pattern matches. */
  readonly url?: string;
  /** Lines of the section in its file. */
  readonly lines: LineRange;
  /** Hash of the section's source, see {@link Section.hash}. */
  readonly hash: string;
  readonly score: number;
  readonly evidence: readonly Evidence[];
  readonly freshness: Freshness;
  /** The section (or its best chunk), possibly cut to the token limit. */
  readonly content: string;
  /** True when `content` was cut; the rest is had with read. */
  readonly cut: boolean;
  /** A line or two around the words that matched, for people. */
  readonly snippet: string;
  /** The text stands elsewhere too (versions, translations, copies): in how many other places, and some of them. */
  readonly alsoAt?: { readonly count: number; readonly places: readonly CopyPlace[] };
}

export interface SearchQuery extends DocumentScope {
  /** Any text at all. */
  readonly text: string;
  /** Sections wanted, 1 to 20 for models; people and measurements may ask for more. */
  readonly topK?: number;
  /** The best there is when absent. */
  readonly tier?: Tier;
  /** Reciprocal Rank Fusion when absent. */
  readonly fusion?: Fusion;
  /** Ends waiting for the query's vector. */
  readonly signal?: AbortSignal;
  /** Tokens (estimated) all contents together may hold. */
  readonly maxTokens?: number;
  readonly explain?: boolean;
  /** Whether the same text in several places is one hit, as when absent, or one hit a place, as measurements want it. */
  readonly copies?: 'together' | 'apart';
}

/** What became of the query's words; filled when asked for. */
export interface Explanation {
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
  readonly replaced: readonly { readonly word: string; readonly by: string }[];
  /** Words no indexed section holds. */
  readonly unknown: readonly string[];
  /** How much each word says, by its stem: the idf over all chunks; that of an unknown word is the largest there is. */
  readonly weights: readonly { readonly stem: string; readonly weight: number }[];
  readonly parts: readonly {
    readonly ref: Ref;
    /** By all forms of the query's words, and by those forms that the query itself has. */
    readonly words: number;
    readonly written: number;
    readonly phrase: number;
    readonly near: number;
    readonly page: number;
    readonly feedback: number;
  }[];
}

/** Expected states are values, not exceptions: a missing or empty index is an answer the model and the user can act on. */
export interface SearchResult {
  readonly status: 'ok' | 'index_not_built' | 'index_empty';
  /** The tier line every surface prints. */
  readonly tier: string;
  /** What the reader should know: no words in the query, nothing under that path, results left off, … */
  readonly note?: string;
  readonly hits: readonly Hit[];
  readonly explanation?: Explanation;
}

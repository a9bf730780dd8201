import type { Spend } from './budget.ts';
import type { LineRange } from './document.ts';
import type { DocPath, Ref } from './ref.ts';

/** A ref the answer uses, resolved: its section was really given to the model in this run. */
export interface Citation {
  /** The number printed in the answer, from 1 in order of first use. */
  readonly marker: number;
  readonly ref: Ref;
  readonly path: DocPath;
  readonly title: string;
  readonly headings: readonly string[];
  readonly anchor?: string;
  readonly lines: LineRange;
  readonly url?: string;
  /** {@link Section.hash} at the time of the answer. */
  readonly hash: string;
}

/** Something in a cited sentence that no section cited there holds. */
export interface Unsupported {
  readonly kind: 'quote' | 'number' | 'identifier' | 'code';
  readonly text: string;
  readonly sentence: string;
  readonly refs: readonly Ref[];
}

/** A citation taken out of the answer, and why. */
export interface RemovedCitation {
  readonly text: string;
  readonly reason: 'not-shown' | 'unknown' | 'malformed';
}

export type AskMode = 'tools' | 'direct' | 'extract';
export type Outcome = 'answered' | 'not-found' | 'out-of-budget' | 'refused' | 'aborted';

export interface Answer {
  readonly question: string;
  /** Markdown with markers `[1]` in place of refs; holds no citation that is not in `citations`. */
  readonly markdown: string;
  readonly citations: readonly Citation[];
  readonly removed: readonly RemovedCitation[];
  readonly unsupported: readonly Unsupported[];
  readonly sentences: { readonly total: number; readonly uncited: number };
  readonly outcome: Outcome;
  readonly mode: AskMode;
  /** Model id as configured; absent in extract mode. */
  readonly model?: string;
  readonly tier: string;
  readonly spend: Spend;
  readonly warnings: readonly string[];
  /** Wall time, milliseconds. */
  readonly ms: number;
}

import type { Knowledge } from '../core/knowledge.ts';
import type { Ref } from '../core/ref.ts';

/** What the model was given to read in this run, and where sections are looked up. */
export interface Evidence {
  /** Ref to the text shown of it; several pages of one section are joined. */
  readonly shown: ReadonlyMap<Ref, string>;
  readonly knowledge: Knowledge;
}

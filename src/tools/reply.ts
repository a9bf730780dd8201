import type { Json } from '../core/chat.ts';
import type { Ref } from '../core/ref.ts';

/** What was given to the model of one section. Where it was cut, only this part was shown. */
export interface SectionText {
  readonly ref: Ref;
  /** As in the document: before fencing, defusing and removal of control characters. */
  readonly text: string;
}

/** What a tool hands back. */
export interface ToolReply {
  /** For the model: fenced, bounded, free of control characters. */
  readonly text: string;
  /** Refs whose content is in `text`. A table of contents gives none. */
  readonly refs: readonly Ref[];
  /** The content behind `refs`, for the citation check. */
  readonly shown: readonly SectionText[];
  /** The same as data, for programs. */
  readonly data: { readonly [key: string]: Json };
  /** The tier line of the search behind it; absent where nothing was searched. */
  readonly tier?: string;
  /** The same reply in at most about this many tokens, for a prompt that did not fit. */
  readonly shrink?: (tokens: number) => ToolReply;
}

/** What the tools are told about the knowledge base. */
export interface ToolOptions {
  /** Sections of a search when the model does not say how many. */
  readonly topK: number;
  /** Tokens (estimated) that the contents of one search may hold. */
  readonly maxInjectedTokens: number;
  /** Whether the model may read whole sections. */
  readonly readTool: boolean;
  /** Tokens (estimated) of one page of a section or one table of contents; as `maxInjectedTokens` when absent. */
  readonly maxOutputTokens?: number;
}

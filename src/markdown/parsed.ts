import type { Json } from '../core/chat.ts';
import type { AnchorRule } from '../core/config.ts';
import type { Chunk, LineRange } from '../core/document.ts';

/** Any heading of the page in page order, also those in blockquotes and lists: all count when a slug repeats. */
export interface ParsedHeading {
  /** As a reader sees it: no markup, no explicit id. */
  readonly text: string;
  /** The same with blanks as they were written: every one of them is a hyphen in a slug. */
  readonly rendered: string;
  /** As rendered, but runs of hyphens outside code are dashes; absent where that makes no difference. */
  readonly typographic?: string;
  /** Inline Markdown as it was written, without attribute lists: what some generators make ids of. */
  readonly source: string;
  /** Explicit ids (`{#x}`, `{: #x}`, `<a name>`, `id=`), the first one canonical. */
  readonly explicit: readonly string[];
  /** An id given as an attribute (`{#x}`) stands in the slug's place; `<a name>` stands beside it. */
  readonly replacesSlug: boolean;
  readonly level: number;
  readonly line: number;
  /** Index of the section this heading opens; absent when it stands inside a blockquote or list. */
  readonly section?: number;
}

export interface ParsedSection {
  /** Headings from the document's top down, own heading last; empty before the first heading. */
  readonly headings: readonly string[];
  /** Explicit anchors: of the heading, before it, and in the body (`<a name>`, spans, headings in quotes). */
  readonly explicitAnchors: readonly string[];
  readonly lines: LineRange;
  /** UTF-16 offsets into the document's text, end excluded. */
  readonly start: number;
  readonly end: number;
  /** Empty for a section with no words of its own: its heading is then carried by a neighbour's path. */
  readonly chunks: readonly Chunk[];
}

/** A link to a heading: the corpus's own evidence of its anchor rule. */
export interface FragmentLink {
  /** As written, without fragment; empty for a link inside the page. */
  readonly target: string;
  readonly fragment: string;
  readonly line: number;
}

/** What anchors are made from: a document without its text. */
export interface Outline {
  readonly path: string;
  readonly sections: readonly Pick<ParsedSection, 'lines' | 'explicitAnchors'>[];
  readonly headings: readonly ParsedHeading[];
}

export interface ParsedDocument extends Outline {
  readonly title: string;
  readonly metadata: Readonly<Record<string, Json>>;
  /** Offset where front matter ends. Front matter, then the sections, is the text, byte for byte. */
  readonly bodyStart: number;
  readonly sections: readonly ParsedSection[];
  readonly links: readonly FragmentLink[];
  /** The generators whose spellings the page has: evidence of how its site makes anchors. Holds the page's text. */
  readonly dialects: () => readonly AnchorRule[];
  /** What a person should know: broken front matter, unclosed fence, include not found, parsed as plain text. */
  readonly warnings: readonly { readonly line: number; readonly text: string }[];
}

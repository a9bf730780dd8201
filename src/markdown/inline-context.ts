/** What the words around a text mean for it, and who is told what is found in it. */
export interface InlineContext {
  /** By normalised label; what is not defined stays text. */
  readonly definitions: ReadonlyMap<string, string>;
  readonly footnotes: ReadonlySet<string>;
  /** `drop` for headings. */
  readonly images: 'alt' | 'drop';
  /** `drop` for slugs: no blank for a block's tag, and nothing kept that only looks like one. */
  readonly tags: 'words' | 'drop';
  /** Told every link destination with a fragment and every id, with the line (from 0) within the text. */
  readonly onLink?: (target: string, line: number) => void;
  readonly onId?: (id: string, line: number) => void;
  readonly onFootnote?: (label: string, line: number) => void;
  /** Changes text that stands outside code, tags and marks. */
  readonly onPlain?: (text: string) => string;
}

import type { FrontMatter } from './front-matter.ts';
import type { LineIndex } from './line-index.ts';

/** A file's text with its front matter found. */
export interface Body {
  readonly text: string;
  readonly front: FrontMatter;
  readonly index: LineIndex;
  /** Offset of the first line that is neither front matter nor blank. */
  readonly start: number;
}

/** Line of the file (from 1) where the body begins. */
export function firstLineOf(body: Body): number {
  return body.index.at(body.start) + 1;
}

/** Line of the file (from 1) that holds its last character. */
export function lastLineOf(body: Body): number {
  return body.index.at(Math.max(body.start, body.text.length - 1)) + 1;
}

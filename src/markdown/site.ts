import type { Containers, Placed } from './site-containers.ts';

/** A file that a page shows at one of its lines. */
export interface IncludeMark {
  /** From 0 within the body. */
  readonly line: number;
  /** Relative to the file that names it; a leading slash means any folder above that file. */
  readonly target: string;
  /** Shown as a listing, not read as Markdown. */
  readonly code: boolean;
  /** Lines (from 1, both included), or the name of a marked region or heading; the whole file without it. */
  readonly part?: { readonly first: number; readonly last: number } | { readonly name: string };
  /** Shown where the file is not there, instead of a warning: an embedded note's name. */
  readonly instead?: string;
}

/** A page while the spellings of its site are put into plain Markdown, line by line. */
export interface Site {
  readonly lines: readonly string[];
  /** Read as MDX: tags of any kind are transparent, and indentation makes no code. */
  readonly mdx: boolean;
  readonly containers: Containers;
  /** Characters that rules may still read ahead: pages that pretend to hold code have an end too. */
  readonly work: { left: number };
  /** Pages that a component of this name stands for. */
  readonly partials: Map<string, string>;
  /** Puts `text` in place of a line, its indentation and quotes kept. */
  write(line: number, at: Placed, text: string): void;
  /** Leaves lines `[first, end)` blank. */
  blank(first: number, end: number): void;
  /** First line at or after `from` that matches, or -1. Repeated failing searches cost nothing. */
  find(pattern: RegExp, from: number): number;
  /** Whether a closing tag of this name stands anywhere on the page. */
  closes(name: string): boolean;
  include(mark: IncludeMark): void;
  id(id: string, line: number): void;
  warn(line: number, text: string): void;
}

/** Deals with a line that begins with a certain character: gives the next line to look at, or undefined to pass. */
export type Rule = (site: Site, line: number, at: Placed) => number | undefined;

/** Words of an argument as a line of Markdown that is a paragraph and nothing else. */
export function asParagraph(words: string): string {
  const text = words.replace(/\s+/gu, ' ').trim();
  if (/^\d{1,9}[.)](?:\s|$)/u.test(text)) return text.replace(/[.)]/u, '\\$&');
  return /^(?:[#>+*=~|<-]|`{3}|\[[^\]]*\]:)/u.test(text) ? `\\${text}` : text;
}

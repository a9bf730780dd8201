import type { Hit } from '../core/search.ts';
import { fold, stem, words } from '../core/words.ts';

/** Stems of a text's words in order, as the index has them. */
export function stemList(text: string): string[] {
  return words(fold(text)).map(stem);
}

export function stemsOf(text: string): ReadonlySet<string> {
  return new Set(stemList(text));
}

/** All words a section can match with: its title, headings and content. */
export function hitText(hit: Hit): string {
  return [hit.title, ...hit.headings, hit.content].join('\n');
}

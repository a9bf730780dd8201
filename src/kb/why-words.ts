import type { Section } from '../core/document.ts';
import { fold, stem, words } from '../core/words.ts';
import { type Query, termWeights } from '../search/query.ts';
import { STOP_WORDS } from '../search/stop-words.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksWithStem } from '../store/lexical.ts';

export type WordFate =
  /** Searched, and the section holds it. */
  | 'matched'
  /** Searched, but the section does not hold it. */
  | 'absent'
  | 'stop-word'
  /** Of a very long query: commoner than the words that were searched. */
  | 'left-out'
  /** No section holds it, nor a word one letter away. */
  | 'unknown';

/** What became of one word of the query. */
export interface WhyWord {
  readonly word: string;
  readonly stem: string;
  readonly fate: WordFate;
  /** As it was typed, where another word is searched in its place. */
  readonly typed?: string;
  /** How often the section holds it. */
  readonly count: number;
  /** Chunks of the whole index that hold it. */
  readonly chunks: number;
  /** Its idf; absent for words that are not searched. */
  readonly weight?: number;
}

/** A stem of the section, with how often it stands in its title, headings and text together. */
export interface WhyTerm {
  readonly stem: string;
  readonly count: number;
  readonly in: readonly ('title' | 'headings' | 'text')[];
}

/** What the index holds of a section: its document's title, its headings and its text, folded and stemmed. */
export function termsOf(section: Section, texts: readonly string[]): WhyTerm[] {
  const terms = new Map<string, { count: number; in: Set<'title' | 'headings' | 'text'> }>();
  const add = (place: 'title' | 'headings' | 'text', text: string) => {
    for (const one of words(fold(text)).map(stem)) {
      const term = terms.get(one) ?? { count: 0, in: new Set() };
      term.count += 1;
      term.in.add(place);
      terms.set(one, term);
    }
  };
  if (texts.length > 0) add('title', section.title);
  if (texts.length > 0) add('headings', section.headings.join('\n'));
  for (const text of texts) add('text', text);
  return [...terms]
    .map(([one, term]) => ({ stem: one, count: term.count, in: [...term.in] }))
    .sort((a, b) => b.count - a.count || (a.stem < b.stem ? -1 : 1));
}

/** Every distinct word of the query: first those that are searched. */
export function wordsOf(index: IndexFile, query: Query, terms: readonly WhyTerm[]): WhyWord[] {
  const held = new Map(terms.map((term) => [term.stem, term.count]));
  const weights = new Map(termWeights(index, query).map((one) => [one.stem, one.weight]));
  const typed = new Map(query.replaced.map(({ word, by }) => [by, word]));
  const describe = (word: string, fateOf: (count: number) => WordFate): WhyWord => {
    const one = stem(word);
    const count = held.get(one) ?? 0;
    const before = typed.get(word);
    const weight = weights.get(one);
    return {
      word,
      stem: one,
      fate: fateOf(count),
      ...(before === undefined ? {} : { typed: before }),
      count,
      chunks: chunksWithStem(index, one),
      ...(weight === undefined ? {} : { weight }),
    };
  };
  return [
    ...distinct(query.terms).map((word) => describe(word, (count) => (count > 0 ? 'matched' : 'absent'))),
    ...distinct(query.unknown).map((word) => describe(word, () => 'unknown')),
    ...distinct(query.dropped).map((word) => describe(word, () => (isStop(word) ? 'stop-word' : 'left-out'))),
  ];
}

/** A contraction ("don't") is kept as its first part. */
function isStop(word: string): boolean {
  return STOP_WORDS.has(word) || [...STOP_WORDS].some((one) => one.startsWith(`${word}'`));
}

function distinct(all: readonly string[]): string[] {
  return [...new Set(all)];
}

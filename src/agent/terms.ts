import type { Explanation, Hit } from '../core/search.ts';

/** Words of a text, lower-cased: runs of letters and digits, as the index sees them. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/**
 * A light stem: the endings English adds to a word it keeps. Only for comparing words of a question with words of
 * sections that the index has already found.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/u.test(word)) return word;
  const base = word
    .replace(/(?:ies|ied)$/u, 'y')
    .replace(/(?<=[a-z]{3})(?:ingly|edly|ings?|ed|ly)$/u, '')
    .replace(/(?<=(?:s|x|z|ch|sh))es$/u, '')
    .replace(/(?<=[a-z]{2}[^s])s$/u, '');
  return base.replace(/([bdgklmnprt])\1$/u, '$1').replace(/(?<=[a-z]{3})e$/u, '');
}

export function stemsOf(text: string): ReadonlySet<string> {
  return new Set(wordsOf(text).map(stem));
}

/** The words of a question that carry it, as the search kept and corrected them, each once. */
export function questionTerms(question: string, explanation: Explanation | undefined): readonly string[] {
  const replaced = new Map(explanation?.replaced.map(({ word, by }) => [word, by]));
  const words = (explanation?.kept ?? wordsOf(question)).flatMap((word) =>
    wordsOf(replaced.get(word) ?? word),
  );
  return [...new Set(words)];
}

/** All words a section can match with: its title, headings and content. */
export function hitText(hit: Hit): string {
  return [hit.title, ...hit.headings, hit.content].join('\n');
}

/**
 * Weight of each stem of the question: the fewer of the found sections hold it, the more it says. The sections
 * were found by these very words, so this is a weak idf, but it needs nothing beyond them.
 */
export function termWeights(
  terms: readonly string[],
  texts: readonly ReadonlySet<string>[],
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const term of terms.map(stem)) {
    const holders = texts.filter((stems) => stems.has(term)).length;
    weights.set(term, Math.log(1 + (texts.length + 1) / (holders + 0.5)));
  }
  return weights;
}

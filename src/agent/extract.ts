import type { Explanation, Hit, SearchResult } from '../core/search.ts';
import { stem } from '../core/words.ts';
import { formatCitation } from './citations.ts';
import { isFound } from './found.ts';
import { splitSentences } from './sentences.ts';
import { stemList, stemsOf } from './terms.ts';
import { type Unit, unitsOf } from './units.ts';

/** Sentences, list items, table rows and short code blocks of one extract. */
export const EXTRACT_UNITS = 6;
/** Sections that are represented, from the top. */
export const EXTRACT_SECTIONS = 5;
/** A section that scores less than this share of the best one is not represented. */
const SCORE_SHARE = 0.3;
/** A unit is worth less than it matches the more of its words an earlier one has said. */
const REPETITION = 0.7;
/** Code matches by its names but explains little. */
const CODE_WORTH = 0.7;

export const EXTRACT_LABEL =
  'Extract, made without a model: the lines of the knowledge base nearest to the question.';

interface Candidate {
  readonly unit: Unit;
  readonly hit: Hit;
  /** Rank of the section, from 0, and place of the unit in it. */
  readonly rank: number;
  readonly place: number;
  readonly score: number;
  readonly stems: ReadonlySet<string>;
}

/** The lines of an extract, verbatim, best section first; empty when the knowledge base does not answer. */
export function extract(result: SearchResult): readonly Pick<Candidate, 'unit' | 'hit'>[] {
  const { hits: found, explanation } = result;
  if (explanation === undefined || !isFound(found, explanation)) return [];
  const hits = representedHits(found);
  const weights = weightsOf(explanation);
  const terms = explanation.kept.map(stem);
  const candidates = hits.map((hit, rank) => candidatesOf({ hit, rank, weights, terms }));
  return choose(candidates).sort((a, b) => a.rank - b.rank || a.place - b.place);
}

function representedHits(hits: readonly Hit[]): readonly Hit[] {
  const best = hits[0]?.score ?? 0;
  return hits.slice(0, EXTRACT_SECTIONS).filter((hit) => best <= 0 || hit.score >= best * SCORE_SHARE);
}

/** Words that some section holds; the others tell no line from another. */
function weightsOf({ weights, unknown }: Explanation): ReadonlyMap<string, number> {
  const missing = new Set(unknown.map(stem));
  return new Map(weights.flatMap((one) => (missing.has(one.stem) ? [] : [[one.stem, one.weight] as const])));
}

function candidatesOf(section: {
  readonly hit: Hit;
  readonly rank: number;
  readonly weights: ReadonlyMap<string, number>;
  readonly terms: readonly string[];
}): readonly Candidate[] {
  const { hit, rank, weights, terms } = section;
  // A cut section ends in a line that says so, which is not the document's.
  const content = hit.cut ? hit.content.replace(/\n\[cut: [^\n]*\]\s*$/u, '') : hit.content;
  return unitsOf(content).map((unit, place) => {
    const stems = stemsOf(unit.text);
    const lead = unit.lead === undefined ? new Set<string>() : stemsOf(unit.lead);
    const words = stemList(unit.text);
    let score = 0;
    for (const [term, weight] of weights)
      score += stems.has(term) ? weight : lead.has(term) ? weight * 0.5 : 0;
    score += 0.3 * neighbours(words, terms, weights);
    // Long units match by chance; a section's first lines say what it is about.
    if (unit.kind === 'code') score *= CODE_WORTH;
    score = score / (1 + Math.max(0, words.length - 40) / 80) + 0.2 / (1 + place);
    return { unit, hit, rank, place, score, stems };
  });
}

/** Weight of the pairs of words that stand together in the question and in the unit. */
function neighbours(
  words: readonly string[],
  terms: readonly string[],
  weights: ReadonlyMap<string, number>,
): number {
  const pairs = new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
  return terms.slice(1).reduce((sum, term, index) => {
    const first = terms[index] ?? '';
    return pairs.has(`${first} ${term}`) ? sum + (weights.get(first) ?? 0) + (weights.get(term) ?? 0) : sum;
  }, 0);
}

/** The best unit of every section first, so that each is represented; then the best of what is left. */
function choose(sections: readonly (readonly Candidate[])[]): Candidate[] {
  const chosen: Candidate[] = [];
  for (const section of sections) {
    const best = bestOf(section, chosen);
    if (best !== undefined) chosen.push(best);
  }
  const rest = sections.flat();
  while (chosen.length < EXTRACT_UNITS) {
    const best = bestOf(rest, chosen);
    if (best === undefined || best.score <= 0.2) break;
    chosen.push(best);
  }
  return chosen;
}

function bestOf(candidates: readonly Candidate[], chosen: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  let bestValue = 0;
  for (const candidate of candidates) {
    if (chosen.some((other) => other === candidate || other.unit.text === candidate.unit.text)) continue;
    const value =
      (candidate.score / (1 + candidate.rank * 0.15)) * (1 - REPETITION * overlap(candidate, chosen));
    if (value > bestValue) [best, bestValue] = [candidate, value];
  }
  return best;
}

/** The largest share of a unit's words that one chosen unit already says. */
function overlap(candidate: Candidate, chosen: readonly Candidate[]): number {
  const shares = chosen.map((other) => {
    const common = [...candidate.stems].filter((word) => other.stems.has(word)).length;
    return common / Math.max(1, candidate.stems.size);
  });
  return Math.max(0, ...shares);
}

/** The extract as Markdown with refs, to be checked like the answer of a model. */
export function extractMarkdown(lines: readonly Pick<Candidate, 'unit' | 'hit'>[]): string {
  const parts = lines.map(({ unit, hit }) => {
    const citation = formatCitation(hit.ref);
    if (unit.kind !== 'code') {
      const cited = splitSentences(unit.text).map((sentence) => `${sentence.text} ${citation}`);
      return `- ${cited.join(' ')}`;
    }
    const longest = Math.max(2, ...(unit.text.match(/`+/gu) ?? []).map((run) => run.length));
    const mark = '`'.repeat(longest + 1);
    return `- Code ${citation}:\n\n${mark}\n${unit.text}\n${mark}\n`;
  });
  return parts.join('\n');
}

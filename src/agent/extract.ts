import type { Explanation, Hit, SearchResult } from '../core/search.ts';
import { stem } from '../core/words.ts';
import { formatCitation } from './citations.ts';
import { isFound } from './found.ts';
import { splitSentences } from './sentences.ts';
import { stemList, stemsOf } from './terms.ts';
import { type Unit, unitsOf } from './units.ts';

/** Sentences, list items, table rows and code blocks of one extract; the code of a step is part of it. */
export const EXTRACT_UNITS = 6;
/** Sections that are looked at, from the top. */
export const EXTRACT_SECTIONS = 5;
/** A section that scores less than this share of the best one is not represented. */
const SECTION_SHARE = 0.4;
/** One of the first sections that scores at least this share of the best one is represented by its best unit. */
const NEAR_SHARE = 0.7;
const NEAR_SECTIONS = 3;
/** … if that unit is worth this share of the best one. */
const NEAR_UNIT_SHARE = 0.25;
/** Any other unit that is worth less than this share of the best one says too little to stand beside it. */
const UNIT_SHARE = 0.45;
/** A unit is worth less than it matches the more of its words an earlier one has said. */
const REPETITION = 0.7;
/** Code matches by its names but explains little. */
const CODE_WORTH = 0.6;
/** Worth of a word that stands in the heading, the announcing line or the code instead of the unit's own words. */
const BESIDE_WORTH = 0.5;
/** Weight of pairs of words that stand together in the question and the unit. */
const PAIR_WORTH = 0.3;
/** What the first unit below a heading that holds the whole question is worth by its place alone. */
const OPENING_WORTH = 0.5;
/** A line that only says where to read on. */
const POINTER =
  /^\(?(?:for|to) (?:more|further|additional|learn|details)\b|^\(?(?:see|refer to|read)\b|\bsee (?:the|also|our|some|below|above)\b/iu;
const POINTER_WORTH = 0.5;
/** A unit that begins with a word of the question is about it. */
const SUBJECT_WORTH = 0.1;
const SUBJECT_WORDS = 3;
/** Words from which a unit matches by its length. */
const LONG = 40;

export const EXTRACT_LABEL =
  'Extract, made without a model: the lines of the knowledge base nearest to the question.';

export interface Extracted {
  readonly unit: Unit;
  readonly hit: Hit;
  /** Set in below the line that announces it. */
  readonly isPart: boolean;
}

interface Candidate {
  readonly unit: Unit;
  readonly hit: Hit;
  /** Rank of the section, from 0, and place of the unit in it. */
  readonly rank: number;
  /** Score of the section as a share of the best one's. */
  readonly share: number;
  readonly place: number;
  /** How much of the question it says, about 0 to 1.5. */
  readonly worth: number;
  readonly stems: ReadonlySet<string>;
  readonly lead: Candidate | undefined;
}

interface Asked {
  /** Weight of each word that tells one line from another; together 1. */
  readonly weights: ReadonlyMap<string, number>;
  readonly terms: readonly string[];
}

/** The lines of an extract, verbatim, most telling section first; empty when the knowledge base does not answer. */
export function extract(result: SearchResult): readonly Extracted[] {
  const { hits, explanation } = result;
  if (explanation === undefined || !isFound(hits, explanation)) return [];
  const asked = { weights: weightsOf(explanation), terms: explanation.kept.map(stem) };
  const best = hits[0]?.score ?? 0;
  const candidates = hits
    .slice(0, EXTRACT_SECTIONS)
    .filter((hit) => hit.score >= best * SECTION_SHARE)
    .flatMap((hit, rank) => candidatesOf(hit, rank, asked, best > 0 ? hit.score / best : 1));
  return inOrder(choose(candidates));
}

/** Words that some section holds; the others tell no line from another. */
function weightsOf({ weights, unknown }: Explanation): ReadonlyMap<string, number> {
  const missing = new Set(unknown.map(stem));
  const known = weights.filter((one) => !missing.has(one.stem));
  const total = known.reduce((sum, { weight }) => sum + weight, 0);
  return new Map(known.map((one) => [one.stem, one.weight / Math.max(total, Number.MIN_VALUE)]));
}

function candidatesOf(hit: Hit, rank: number, asked: Asked, share: number): readonly Candidate[] {
  // A cut section ends in a line that says so, which is not the document's.
  const content = hit.cut ? hit.content.replace(/\n\[cut: [^\n]*\]\s*$/u, '') : hit.content;
  const heading = stemsOf(hit.headings.at(-1) ?? hit.title);
  const opening = OPENING_WORTH * weightIn(heading, asked.weights);
  const found: Candidate[] = [];
  for (const [place, unit] of unitsOf(content).entries()) {
    const lead = unit.lead === undefined ? undefined : found[unit.lead];
    const beside = new Set([...heading, ...(lead?.stems ?? []), ...stemsOf((unit.code ?? []).join(' '))]);
    const worth = (worthOf(unit, beside, asked) + opening / (1 + place)) * share;
    found.push({ unit, hit, rank, share, place, worth, stems: stemsOf(unit.text), lead });
  }
  return found;
}

/** How much of the question a unit says: its own words in full, those around it in part. */
function worthOf(unit: Unit, beside: ReadonlySet<string>, { weights, terms }: Asked): number {
  const words = stemList(unit.text);
  const own = new Set(words);
  const said = weightIn(own, weights);
  const around = weightIn(new Set([...beside].filter((word) => !own.has(word))), weights);
  const subject = words.slice(0, SUBJECT_WORDS).some((word) => (weights.get(word) ?? 0) > 0)
    ? SUBJECT_WORTH
    : 0;
  const pairs = PAIR_WORTH * neighbours(words, terms, weights);
  const matched = said + BESIDE_WORTH * around + (said > 0 ? subject : 0) + pairs;
  // One rare word alone is shared by chance; of two lines of equal weight the one with more of the words answers.
  const held = [...weights.keys()].filter((term) => own.has(term) || beside.has(term)).length;
  const share = Math.sqrt(held / Math.max(1, weights.size));
  const worth =
    matched * share * (unit.kind === 'code' ? CODE_WORTH : POINTER.test(unit.text) ? POINTER_WORTH : 1);
  return worth / (1 + Math.max(0, words.length - LONG) / (2 * LONG));
}

function weightIn(stems: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [term, weight] of weights) if (stems.has(term)) sum += weight;
  return sum;
}

/** Weight of the pairs of words that stand together in the question and in the unit. */
function neighbours(words: readonly string[], terms: readonly string[], weights: Asked['weights']): number {
  const pairs = new Set(words.slice(1).map((word, index) => `${words[index]} ${word}`));
  return terms.slice(1).reduce((sum, term, index) => {
    const first = terms[index] ?? '';
    return pairs.has(`${first} ${term}`) ? sum + (weights.get(first) ?? 0) + (weights.get(term) ?? 0) : sum;
  }, 0);
}

/**
 * The best unit of each section that is as good as the best one, then the best of all that are left, each with the
 * line that announces it, as long as they say enough.
 */
function choose(candidates: readonly Candidate[]): readonly Candidate[] {
  const chosen: Candidate[] = [];
  const best = bestOf(candidates, chosen)?.value ?? 0;
  const take = (from: readonly Candidate[], least: number): boolean => {
    const found = bestOf(from, chosen);
    if (found === undefined || found.value < least) return false;
    const { lead } = found.candidate;
    if (lead !== undefined && !chosen.includes(lead)) chosen.push(lead);
    chosen.push(found.candidate);
    return true;
  };
  for (let rank = 0; rank < NEAR_SECTIONS; rank += 1) {
    take(
      candidates.filter((one) => one.rank === rank && one.share >= NEAR_SHARE),
      best * NEAR_UNIT_SHARE,
    );
  }
  while (take(candidates, best * UNIT_SHARE));
  return chosen;
}

function bestOf(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
): { readonly candidate: Candidate; readonly value: number } | undefined {
  let found: { candidate: Candidate; value: number } | undefined;
  for (const candidate of candidates) {
    const { unit, lead } = candidate;
    if (unit.kind === 'lead' || chosen.some((other) => other === candidate || isSame(other.unit, unit)))
      continue;
    const needed = lead === undefined || chosen.includes(lead) ? [candidate] : [lead, candidate];
    if (countOf(chosen) + countOf(needed) > EXTRACT_UNITS) continue;
    const value = candidate.worth * (1 - REPETITION * overlap(candidate, chosen));
    if (value > (found?.value ?? 0)) found = { candidate, value };
  }
  return found;
}

/** A word or two and the sentence they belong to are two sentences; an item is one, whatever it holds. */
function countOf(candidates: readonly Candidate[]): number {
  return candidates.reduce(
    (sum, { unit }) => sum + (unit.kind === 'sentence' ? splitSentences(unit.text).length : 1),
    0,
  );
}

function isSame(one: Unit, other: Unit): boolean {
  return one.text === other.text && one.code?.join('\n') === other.code?.join('\n');
}

/** The largest share of a unit's words that one chosen unit already says. */
function overlap(candidate: Candidate, chosen: readonly Candidate[]): number {
  const shares = chosen.map((other) => {
    const common = [...candidate.stems].filter((word) => other.stems.has(word)).length;
    return common / Math.max(1, candidate.stems.size);
  });
  return Math.max(0, ...shares);
}

/** Sections by their most telling unit, units as they stand in their section. */
function inOrder(chosen: readonly Candidate[]): readonly Extracted[] {
  const ranks = new Map<number, number>();
  for (const { rank, worth } of chosen) ranks.set(rank, Math.max(worth, ranks.get(rank) ?? 0));
  return [...chosen]
    .sort(
      (a, b) => (ranks.get(b.rank) ?? 0) - (ranks.get(a.rank) ?? 0) || a.rank - b.rank || a.place - b.place,
    )
    .map(({ unit, hit, lead }) => ({ unit, hit, isPart: lead !== undefined && chosen.includes(lead) }));
}

/** The extract as Markdown with refs, to be checked like the answer of a model. */
export function extractMarkdown(lines: readonly Extracted[]): string {
  return lines.map(lineMarkdown).join('\n');
}

function lineMarkdown({ unit, hit, isPart }: Extracted): string {
  const citation = formatCitation(hit.ref);
  const indent = isPart ? '  ' : '';
  if (unit.kind === 'code') return `${indent}- Code ${citation}:\n${fenced(unit.text.split('\n'))}`;
  const cited = splitSentences(unit.text).map((sentence) => `${sentence.text} ${citation}`);
  return `${indent}- ${cited.join(' ')}${unit.code === undefined ? '' : `\n${fenced(unit.code)}`}`;
}

function fenced(lines: readonly string[]): string {
  const runs = lines.flatMap((line) => line.match(/`+/gu) ?? []).map((run) => run.length);
  const mark = '`'.repeat(Math.max(2, ...runs) + 1);
  return `\n${mark}\n${lines.join('\n')}\n${mark}\n`;
}

import { headingPath } from '../core/document.ts';
import { KbError } from '../core/errors.ts';
import type { Fusion, Hit, SearchResult, Tier } from '../core/search.ts';
import type { Kb } from '../kb.ts';
import { FEEDBACK_FROM } from '../search/feedback.ts';
import type { BenchQuestion, Dataset } from './dataset.ts';

/** What came for a question at one rank. */
export interface Found {
  readonly id: string;
  readonly score: number;
  /** Of the section that stands for it; absent for a run of another program. */
  readonly ref?: string;
  /** Title and headings, for people. */
  readonly label?: string;
}

export interface RankingOptions {
  readonly tier: Tier;
  readonly fusion: Fusion;
  /** Ids ranked for each question. */
  readonly depth: number;
  readonly signal: AbortSignal;
  /** Changes what was found before it is scored: how tests see that a broken ranking is noticed. */
  readonly arrange?: ((found: readonly Found[]) => readonly Found[]) | undefined;
}

/** Sections looked at for each document that is ranked, and how many at most. */
const SECTIONS_EACH = 10;
const SECTIONS_MAX = 1000;

/** What one tier finds for a question, best first, equal scores as the search has them. Throws where the tier cannot answer. */
export async function rankingOf(
  kb: Kb,
  dataset: Dataset,
  question: BenchQuestion,
  options: RankingOptions,
): Promise<readonly Found[]> {
  const { tier, fusion, depth, signal } = options;
  const sections =
    dataset.level === 'document' ? Math.min(SECTIONS_MAX, depth * SECTIONS_EACH) : depth + question.left.size;
  const result = await kb.search({
    text: question.text,
    topK: sections,
    maxTokens: 0,
    tier,
    fusion,
    signal,
    copies: 'apart',
    explain: dataset.level === 'document',
  });
  requireTier(result, tier);
  const found = result.hits
    .map((hit) => ({ id: dataset.idOf(hit), hit }))
    .filter(({ id }) => !question.left.has(id));
  const merged = dataset.level === 'document' ? pageScores(found, sharesOf(result, tier)) : bestScores(found);
  return (options.arrange?.(merged) ?? merged).slice(0, depth);
}

interface FoundHit {
  readonly id: string;
  readonly hit: Hit;
}

/** Each id by its best section, in the order of the search. */
function bestScores(found: readonly FoundHit[]): Found[] {
  return [...groupById(found)].map(([id, hits]) => toFound(id, hits, hits[0]?.score ?? 0));
}

/** A section's score in parts that are added up differently. */
interface Share {
  readonly own: number;
  /** For the whole document, the same for all its sections. */
  readonly page: number;
  /** For words borrowed of the best sections. */
  readonly feedback: number;
}

function sharesOf({ hits, explanation }: SearchResult, tier: Tier): (hit: Hit) => Share {
  if (tier !== 'lexical') return (hit) => ({ own: hit.score, page: 0, feedback: 0 });
  const parts = new Map(hits.map((hit, at) => [hit.ref, explanation?.parts[at]]));
  return (hit) => {
    const { page = 0, feedback = 0 } = parts.get(hit.ref) ?? {};
    return { own: hit.score - page - feedback, page, feedback };
  };
}

/**
 * Each document by its best three sections, s1 + s2/2 + s3/3, and its page's share. Borrowed words order what is below
 * the tenth, as they do among sections: they blur the top. Equal scores stay in the order of the search.
 */
function pageScores(found: readonly FoundHit[], shareOf: (hit: Hit) => Share): Found[] {
  const pages = [...groupById(found)].map(([id, hits]) => {
    const shares = hits.map(shareOf);
    const own = shares.map((share) => share.own).sort((a, b) => b - a);
    const sum = own.slice(0, 3).reduce((total, score, at) => total + score / (at + 1), 0);
    const score = sum + Math.max(...shares.map((share) => share.page));
    return { page: toFound(id, hits, score), borrowed: Math.max(...shares.map((share) => share.feedback)) };
  });
  pages.sort((a, b) => b.page.score - a.page.score);
  const tail = pages
    .slice(FEEDBACK_FROM)
    .map(({ page, borrowed }) => ({ ...page, score: page.score + borrowed }));
  tail.sort((a, b) => b.score - a.score);
  return [...pages.slice(0, FEEDBACK_FROM).map(({ page }) => page), ...tail];
}

/** Hits of each id, as they come: best first. */
function groupById(found: readonly FoundHit[]): Map<string, Hit[]> {
  const groups = new Map<string, Hit[]>();
  for (const { id, hit } of found) {
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [hit]);
    else group.push(hit);
  }
  return groups;
}

function toFound(id: string, hits: readonly Hit[], score: number): Found {
  const [best] = hits;
  if (best === undefined) return { id, score };
  return { id, score, ref: best.ref, label: headingPath(best).join(' > ') };
}

/** A tier that fell back to another would be measured under a wrong name. */
export function requireTier(result: SearchResult, tier: Tier): void {
  if (result.status !== 'ok') {
    throw new KbError(
      'usage-invalid',
      'there is nothing to search: the index is empty or not built',
      { argument: '-k' },
      { hint: 'index a folder with Markdown files first: kb ingest ./FOLDER' },
    );
  }
  if (!answeredBy(result.tier, tier)) {
    throw new KbError(
      'usage-invalid',
      `the ${tier} tier did not answer (${result.tier})`,
      { argument: '--tier' },
      { hint: 'see what keeps the vectors away: kb doctor; or measure without them: --tier lexical' },
    );
  }
}

/** Whether a tier line says that this tier answered, and not another in its place. */
export function answeredBy(line: string, tier: Tier): boolean {
  return line.startsWith(`tier: ${tier} `) && !line.includes('DEGRADED');
}

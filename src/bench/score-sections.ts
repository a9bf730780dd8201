import type { Kb } from '../kb.ts';
import { mean, ndcg, recall } from './metrics.ts';
import type { Question, RelevantSection } from './questions.ts';

/** Deep enough for recall@50. */
const DEPTH = 50;

/** `answers@50` is recall of the sections of the question's highest grade: those that answer it by themselves. */
export const SCORES = ['ndcg@10', 'recall@5', 'recall@10', 'recall@50', 'answers@50'] as const;
type Scores = Readonly<Record<(typeof SCORES)[number], number>>;

export interface SectionScores extends Scores {
  readonly questions: number;
}

export interface ScoredQuestion extends Scores {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  /** Rank of each relevant section, null where it did not come. */
  readonly ranks: readonly (number | null)[];
}

/** Searches for every question that has a relevant section and scores what comes, at section level. */
export async function scoreQuestions(kb: Kb, questions: readonly Question[]): Promise<ScoredQuestion[]> {
  const scored: ScoredQuestion[] = [];
  for (const question of questions.filter((one) => one.relevant.length > 0)) {
    const { hits } = await kb.search({ text: question.question, topK: DEPTH, maxTokens: 0, copies: 'apart' });
    const judged = new Map(question.relevant.map((section) => [keyOf(section), section.grade]));
    const ranked = hits.map((hit) => {
      const match = question.relevant.find((section) => isSameSection(section, hit.path, hit.lines.first));
      return match === undefined ? `${hit.path}:${hit.lines.first}` : keyOf(match);
    });
    scored.push({
      id: question.id,
      kind: question.kind,
      question: question.question,
      'ndcg@10': ndcg(judged, ranked, 10),
      'recall@5': recall(judged, ranked, 5),
      'recall@10': recall(judged, ranked, 10),
      'recall@50': recall(judged, ranked, 50),
      'answers@50': recall(bestOf(judged), ranked, 50),
      ranks: question.relevant.map((section) => rankOf(ranked, keyOf(section))),
    });
  }
  return scored;
}

function bestOf(judged: ReadonlyMap<string, number>): Map<string, number> {
  const best = Math.max(...judged.values());
  return new Map([...judged].filter(([, grade]) => grade === best));
}

function rankOf(ranked: readonly string[], key: string): number | null {
  const index = ranked.indexOf(key);
  return index === -1 ? null : index + 1;
}

function keyOf(section: RelevantSection): string {
  return `${section.path}:${section.line}`;
}

/** A hit is a relevant section when it is of that document and carries that heading line. */
export function isSameSection(section: RelevantSection, path: string, line: number): boolean {
  return line === section.line && (path === section.path || path.endsWith(`/${section.path}`));
}

/** Means over all questions and per kind; kinds in the order they first come. */
export function summarise(scored: readonly ScoredQuestion[]): Map<string, SectionScores> {
  const kinds = ['all', ...new Set(scored.map((one) => one.kind))];
  return new Map(
    kinds.map((kind) => {
      const group = scored.filter((one) => kind === 'all' || one.kind === kind);
      const means = SCORES.map((key) => [key, mean(group.map((one) => one[key]))] as const);
      return [kind, { questions: group.length, ...(Object.fromEntries(means) as Scores) }];
    }),
  );
}

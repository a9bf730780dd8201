import { broken, readLines } from './lines.ts';
import type { ScoredId } from './metrics.ts';

/** Ranked ids by question id. */
export type Run = ReadonlyMap<string, readonly ScoredId[]>;

/**
 * A run of one system, best first, as TREC writes it: question, Q0, id, rank, score, tag. Scorers order by the score
 * alone and some read it in single precision, so a score that does not fall clearly below the one before is lowered.
 */
export function formatRun(run: Run, tag: string): string {
  const lines = [...run].flatMap(([question, found]) => {
    let last = 0;
    return found.map(({ id, score }, index) => {
      last = index === 0 ? score : Math.min(score, last - Math.max(Math.abs(last), SMALLEST) * STEP);
      return `${encodeId(question)} Q0 ${encodeId(id)} ${index + 1} ${String(last)} ${encodeId(tag)}\n`;
    });
  });
  return lines.join('');
}

/** Single precision tells numbers apart that differ by this share. */
const STEP = 1e-6;
const SMALLEST = 1e-3;

/** Judgments as TREC writes them: question, 0, id, grade. */
export function formatJudgments(judged: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  const lines = [...judged].flatMap(([question, grades]) =>
    [...grades].map(([id, grade]) => `${encodeId(question)} 0 ${encodeId(id)} ${grade}\n`),
  );
  return lines.join('');
}

const RUN = 'write one with --run-out FILE; each line of a TREC run is question, Q0, id, rank, score and tag';

/** Reads a run; its ids come as they stand there, see {@link encodeId}. The rank column is ignored, as trec_eval does. */
export function readRun(file: string): { readonly tag: string; readonly run: Run } {
  const run = new Map<string, ScoredId[]>();
  let tag = '';
  for (const line of readLines(file, RUN)) {
    const [question, , id, , score, name, ...more] = line.text.trim().split(/\s+/u);
    if (question === undefined || id === undefined || score === undefined || name === undefined) {
      throw broken(line, 'wants question, Q0, id, rank, score and tag');
    }
    if (more.length > 0) throw broken(line, 'has more than six columns');
    if (!Number.isFinite(Number(score))) throw broken(line, `the score "${score}" is no number`);
    const found = run.get(question) ?? [];
    if (found.some((one) => one.id === id)) throw broken(line, `${id} comes twice for ${question}`);
    run.set(question, [...found, { id, score: Number(score) }]);
    tag = name;
  }
  return { tag, run };
}

/** An id as it stands in a run: columns are cut at blanks, so blanks in it are written as %20 and the like. */
export function encodeId(id: string): string {
  return id.replace(/\s/gu, (blank) => encodeURIComponent(blank));
}

import type { Answered, BenchResult, TierResult } from '../result.ts';
import { formatShare } from '../tables.ts';
import { escapeHtml } from './escape.ts';

interface Row {
  readonly question: BenchResult['questions'][number];
  readonly answers: readonly (Answered | undefined)[];
  /** Largest gain and loss of a later tier to the first, in nDCG@10. */
  readonly gain: number;
  readonly loss: number;
}

/** Every question with what each tier found: wins over the first tier, then losses, then what is alike; the largest first. */
export function questionLists(result: BenchResult): string {
  const rows = rowsOf(result);
  const alone = result.tiers.length < 2;
  const wins = rows.filter((row) => row.gain > 0 && row.gain >= -row.loss).sort((a, b) => b.gain - a.gain);
  const losses = rows.filter((row) => row.loss < 0 && -row.loss > row.gain).sort((a, b) => a.loss - b.loss);
  const alike = rows
    .filter((row) => row.gain === 0 && row.loss === 0)
    .sort((a, b) => scoreOf(a) - scoreOf(b));
  const first = result.tiers[0]?.tier ?? '';
  const part = (title: string, some: readonly Row[]) =>
    some.length === 0
      ? ''
      : `<h2>${escapeHtml(title)} (${some.length})</h2>${some.map((row) => details(row, result.tiers)).join('\n')}`;
  return [
    part(`Better than ${first}`, wins),
    part(`Worse than ${first}`, losses),
    part(alone ? 'Questions, the worst first' : 'Alike in all tiers, the worst first', alike),
  ].join('\n');
}

function rowsOf({ questions, tiers }: BenchResult): Row[] {
  const byTier = tiers.map((tier) => new Map(tier.answers.map((answer) => [answer.question, answer])));
  return questions.map((question) => {
    const answers = byTier.map((answersOf) => answersOf.get(question.id));
    const [first = 0, ...others] = answers.map((answer) => answer?.metrics['ndcg@10'] ?? 0);
    const differences = others.map((value) => value - first);
    return { question, answers, gain: Math.max(0, ...differences), loss: Math.min(0, ...differences) };
  });
}

function scoreOf(row: Row): number {
  return row.answers[0]?.metrics['ndcg@10'] ?? 0;
}

function details({ question, answers, gain, loss }: Row, tiers: readonly TierResult[]): string {
  const isWin = gain >= -loss && gain > 0;
  const change = isWin ? gain : loss;
  const mark =
    change === 0
      ? ''
      : `<span class="${isWin ? 'win' : 'loss'}">${isWin ? '+' : '-'}${formatShare(Math.abs(change))}</span> `;
  const lists = tiers.map((tier, at) => foundList(tier.tier, answers[at]));
  const wanted = question.relevant
    .filter(({ grade }) => grade > 0)
    .map(({ id, grade }) => `<li>${escapeHtml(id)} <span class="kind">grade ${grade}</span></li>`);
  return (
    `<details><summary>${mark}${escapeHtml(question.question)} <span class="kind">${escapeHtml(question.kind)}</span></summary>` +
    `<p>Relevant:</p><ul class="wanted">${wanted.join('')}</ul><div class="lists">${lists.join('')}</div></details>`
  );
}

function foundList(tier: string, answer: Answered | undefined): string {
  const found = (answer?.found ?? []).map(({ id, grade, label }) => {
    const name = label === undefined || label === '' ? id : label;
    const place = name === id ? '' : `<span class="place">${escapeHtml(id)}</span>`;
    return `<li${grade > 0 ? ' class="hit"' : ''}>${grade > 0 ? '✓ ' : ''}${escapeHtml(name)}${place}</li>`;
  });
  const score = formatShare(answer?.metrics['ndcg@10'] ?? 0);
  const list = found.length === 0 ? '<p>Nothing.</p>' : `<ol>${found.join('')}</ol>`;
  return `<div><h3>${escapeHtml(tier)}, nDCG@10 ${score}</h3>${list}</div>`;
}

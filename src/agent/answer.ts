import type { Answer, AskMode, Outcome } from '../core/answer.ts';
import type { Spend } from '../core/budget.ts';
import type { WarningCode } from '../core/event.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Ref } from '../core/ref.ts';
import { type CheckedAnswer, checkAnswer } from './gate.ts';

/** What a run came to, before the check. */
export interface Draft {
  /** `nothing`: there was nothing to answer from, and `text` is kb's own. */
  readonly kind: 'replied' | 'out-of-budget' | 'refused' | 'aborted' | 'silent' | 'nothing';
  readonly text: string;
  /** Said above the text in kb's own words. */
  readonly label?: string;
  readonly mode: AskMode;
  readonly shown: ReadonlyMap<Ref, string>;
  readonly spend: Spend;
}

export interface AnswerFacts {
  readonly question: string;
  readonly knowledge: Knowledge;
  readonly tier: string;
  readonly model?: string;
  /** Grows while the answer is written, see `warn`. */
  readonly warnings: readonly string[];
  readonly warn: (code: WarningCode, text: string) => void;
  readonly ms: number;
}

/** Checks the draft, decides the outcome, and reports what the check took out or could not find. */
export function writeAnswer(draft: Draft, facts: AnswerFacts): Answer {
  const { question, knowledge, tier, model, warn, ms } = facts;
  const checked = checkAnswer(draft.text, { shown: draft.shown, knowledge });
  const outcome = outcomeOf(draft, checked);
  report(checked, warn);
  if (draft.kind === 'replied' && outcome === 'not-found' && !checked.saysNotFound) {
    warn('answer-uncited', 'the model cited no section it was given, so nothing backs what it wrote');
  }
  return {
    question,
    markdown: markdownOf(draft, checked, outcome),
    citations: checked.citations,
    removed: checked.removed,
    unsupported: checked.unsupported,
    sentences:
      draft.kind === 'nothing' || checked.saysNotFound ? { total: 0, uncited: 0 } : checked.sentences,
    outcome,
    mode: draft.mode,
    ...(model === undefined ? {} : { model }),
    tier,
    spend: draft.spend,
    warnings: [...facts.warnings],
    ms,
  };
}

function outcomeOf(draft: Draft, checked: CheckedAnswer): Outcome {
  switch (draft.kind) {
    case 'out-of-budget':
    case 'refused':
    case 'aborted':
      return draft.kind;
    case 'silent':
    case 'nothing':
      return 'not-found';
    case 'replied':
      return checked.citations.length > 0 ? 'answered' : 'not-found';
  }
}

function report(checked: CheckedAnswer, warn: AnswerFacts['warn']): void {
  for (const { text, reason } of checked.removed)
    warn('citation-removed', `${text} was taken out: ${REASONS[reason]}`);
  for (const { kind, text, refs } of checked.unsupported) {
    warn(
      'citation-unsupported',
      `the ${kind} "${text}" is not in ${refs.map((ref) => `#${ref}`).join(', ')}`,
    );
  }
  for (const note of checked.notes) warn('answer-inert', note);
}

const REASONS = {
  'not-shown': 'its section was not given to the model',
  unknown: 'no section has this ref',
  malformed: 'it is no ref',
} as const;

/** Uncited text is shown, but never as if the knowledge base said it. */
function markdownOf(draft: Draft, checked: CheckedAnswer, outcome: Outcome): string {
  const text = checked.markdown;
  if (draft.label !== undefined) return `${draft.label}\n\n${text}`;
  if (text === '') return outcome === 'answered' ? text : EMPTY[outcome];
  if (checked.saysNotFound) return `${REMARK}\n\n${text}`;
  const isBacked = checked.citations.length > 0 || draft.kind === 'nothing';
  return isBacked ? text : `${UNBACKED}\n\n${text}`;
}

/** Stands above what a model adds to its NOT FOUND: it was asked to say what is missing, and may say anything. */
export const REMARK =
  '> The knowledge base does not answer this question. What the model adds rests on none of its sections.';

/** Stands above text of a model that cites nothing. */
export const UNBACKED = '> Not from the knowledge base: no section is cited for this.';

const EMPTY: Readonly<Record<Exclude<Outcome, 'answered'>, string>> = {
  'not-found': 'No answer was found in the knowledge base.',
  'out-of-budget': 'The budget ended before an answer was found.',
  refused: 'The model declined to answer.',
  aborted: 'Stopped before an answer was found.',
};

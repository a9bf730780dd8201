import type { Kb } from '../kb.ts';
import type { Question } from './questions.ts';
import { isSameSection } from './score-sections.ts';

/** How extracts of one kind of question fare; shares of `questions`, 0 to 1. */
export interface ExtractScores {
  readonly questions: number;
  /** Not said to be not found. */
  readonly answered: number;
  /** Answered with a relevant section among the citations; 0 where no section is relevant. */
  readonly correctSource: number;
}

/** Asks every question in extract mode. Of questions without relevant section, none should be answered. */
export async function scoreExtracts(
  kb: Kb,
  questions: readonly Question[],
): Promise<Map<string, ExtractScores>> {
  const counts = new Map<string, { questions: number; answered: number; correct: number }>();
  for (const question of questions) {
    const answer = await kb.ask(question.question, { mode: 'extract' });
    const count = counts.get(question.kind) ?? { questions: 0, answered: 0, correct: 0 };
    const isAnswered = answer.outcome === 'answered';
    const isCorrect = answer.citations.some((citation) =>
      question.relevant.some((section) => isSameSection(section, citation.path, citation.lines.first)),
    );
    counts.set(question.kind, {
      questions: count.questions + 1,
      answered: count.answered + Number(isAnswered),
      correct: count.correct + Number(isAnswered && isCorrect),
    });
  }
  return new Map(
    [...counts].map(([kind, count]) => [
      kind,
      {
        questions: count.questions,
        answered: count.answered / count.questions,
        correctSource: count.correct / count.questions,
      },
    ]),
  );
}

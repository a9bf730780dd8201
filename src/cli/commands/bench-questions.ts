import { resolve } from 'node:path';
import { checkWritable, writeText } from '../../bench/files.ts';
import { linkQuestions, type MadeQuestion } from '../../bench/link-questions.ts';
import { modelQuestions } from '../../bench/model-questions.ts';
import { KbError } from '../../core/errors.ts';
import type { Kb } from '../../kb.ts';
import { type Context, printJson } from '../context.ts';
import { overridesOf } from '../model-options.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { createProgress } from '../render/progress.ts';
import { parseWhole } from '../values.ts';
import { withKb } from '../with-kb.ts';
import type { BenchCommandOptions } from './bench.ts';

/** Written by a model where one is configured and no number was named. */
const MODEL_QUESTIONS = 20;

/** Writes questions that the documents themselves give, as JSON lines. */
export async function makeQuestionsCommand(
  context: Context,
  options: BenchCommandOptions,
): Promise<ExitCode> {
  const wanted =
    options.modelQuestions === undefined
      ? undefined
      : parseWhole('--model-questions', options.modelQuestions, { min: 0, max: 10_000 });
  if (typeof options.makeQuestions === 'string') checkWritable(resolve(context.cwd, options.makeQuestions));
  return withKb(
    context,
    options,
    async (kb) => {
      const links = linkQuestions(kb);
      const written = await askModel(context, kb, wanted);
      const questions = [...links, ...written];
      const text = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
      if (typeof options.makeQuestions === 'string')
        writeText(resolve(context.cwd, options.makeQuestions), text);
      else if (options.json !== true) context.print(text.trimEnd());
      if (options.json === true) printJson(context, { made: questions });
      context.say(
        `kb: ${links.length} questions from links, ${written.length} written by a model; they know one answer each: good for comparing, not for absolute quality`,
      );
      return questions.length > 0 ? EXIT.answered : EXIT.notFound;
    },
    overridesOf(options),
  );
}

async function askModel(context: Context, kb: Kb, wanted: number | undefined): Promise<MadeQuestion[]> {
  if (wanted === 0) return [];
  const model = await kb.model();
  if (model === undefined) {
    if (wanted === undefined) return [];
    throw new KbError(
      'usage-invalid',
      'no model is configured to write questions',
      { argument: '--model-questions' },
      { hint: 'set llm in the knowledge-base file, or KB_LLM_PROVIDER, KB_LLM_BASE_URL and KB_LLM_MODEL' },
    );
  }
  const progress = createProgress(process.stderr, context.stderr);
  try {
    return await modelQuestions(kb, {
      model,
      count: wanted ?? MODEL_QUESTIONS,
      signal: context.signal,
      onProgress: (done, total) => progress.update(`questions: ${done} of ${total}`),
    });
  } finally {
    progress.done();
  }
}

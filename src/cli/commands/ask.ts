import type { Answer, AskMode } from '../../core/answer.ts';
import { type Context, printJson } from '../context.ts';
import { LiveDraft } from '../live-draft.ts';
import { type ModelOptions, overridesOf } from '../model-options.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../render/errors.ts';
import { parseChoice } from '../values.ts';
import { withKb } from '../with-kb.ts';

export interface AskCommandOptions extends ModelOptions {
  readonly mode?: string;
  readonly strict?: boolean;
}

const MODES: readonly AskMode[] = ['tools', 'direct', 'extract'];

export async function askCommand(
  context: Context,
  question: string,
  options: AskCommandOptions,
): Promise<ExitCode> {
  const mode = options.mode === undefined ? undefined : parseChoice('--mode', options.mode, MODES);
  const draft = new LiveDraft(process.stderr, context.stderr);
  const { answer, name, isEmpty } = await withKb(
    context,
    options,
    async (kb) => {
      const answered = await kb.ask(question, {
        signal: context.signal,
        onEvent: draft.onEvent,
        ...(mode === undefined ? {} : { mode }),
      });
      const { status } = await kb.outline({ limit: 1 });
      return { answer: answered, name: kb.located.name, isEmpty: status !== 'ok' };
    },
    overridesOf(options),
  );
  if (options.json === true) printJson(context, toJson(name, answer));
  else {
    const { renderAnswer } = await import('../render/sources.ts');
    context.print(renderAnswer(answer, context.stdout));
    if (answer.mode === 'extract' && context.stderr.isTty) {
      context.say(
        'kb: for an answer in words, name a model: llm in the knowledge-base file, or --provider, --base-url, --model',
      );
    }
  }
  // As for a search: that there is nothing to find is no fault of the question.
  if (isEmpty && answer.outcome === 'not-found') return EXIT.index;
  return exitCodeOfOutcome(answer.outcome, options.strict === true, answer.unsupported.length);
}

function toJson(knowledgeBase: string | undefined, answer: Answer): object {
  return {
    knowledge_base: knowledgeBase ?? null,
    question: answer.question,
    outcome: answer.outcome,
    mode: answer.mode,
    model: answer.model ?? null,
    answer: answer.markdown,
    citations: answer.citations.map((citation) => ({
      marker: citation.marker,
      ref: citation.ref,
      path: citation.path,
      title: citation.title,
      headings: citation.headings,
      anchor: citation.anchor ?? null,
      lines: citation.lines,
      url: citation.url ?? null,
      hash: citation.hash,
    })),
    removed: answer.removed,
    unsupported: answer.unsupported,
    sentences: answer.sentences,
    usage: {
      tokens: answer.spend.tokens,
      turns: answer.spend.turns,
      tool_calls: answer.spend.toolCalls,
      seconds: answer.spend.seconds,
    },
    tier: answer.tier,
    warnings: answer.warnings,
    ms: answer.ms,
  };
}

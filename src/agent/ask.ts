import type { Answer, AskMode } from '../core/answer.ts';
import { type Budget, exhausted, NOTHING_SPENT, type Spend } from '../core/budget.ts';
import type { ChatModel } from '../core/chat.ts';
import { isKbError, KbError } from '../core/errors.ts';
import type { EventSink, WarningCode } from '../core/event.ts';
import type { Knowledge } from '../core/knowledge.ts';
import type { Ref } from '../core/ref.ts';
import type { ToolOptions } from '../tools/reply.ts';
import { searchReply } from '../tools/search-reply.ts';
import { type Draft, writeAnswer } from './answer.ts';
import { Conversation } from './conversation.ts';
import { Dialogue } from './dialogue.ts';
import { EXTRACT_LABEL, extract, extractMarkdown } from './extract.ts';
import { checkAnswer, repairReasons } from './gate.ts';
import { type LoopEnd, runLoop } from './loop.ts';
import { repairPrompt, systemPrompt } from './prompt.ts';

export interface AskOptions extends ToolOptions {
  readonly knowledge: Knowledge;
  /** Needed for the modes `tools` and `direct`. */
  readonly model?: ChatModel;
  readonly mode: AskMode;
  readonly budget: Budget;
  /** Tokens of one reply. */
  readonly replyTokens: number;
  /** Prompt tokens (estimated) above which old results are left out. */
  readonly promptLimit?: number;
  readonly identity?: string;
  readonly systemPrompt?: string;
  readonly signal: AbortSignal;
  readonly emit: EventSink;
  /** Milliseconds, from any start. */
  readonly now: () => number;
}

/** Sections an extract is chosen from, and the tokens of their contents. */
const EXTRACT_DEPTH = 10;
const EXTRACT_TOKENS = 20_000;
const REFS_NAMED = 20;
/** Events for whoever listens; the answer carries the same as data. */
const CARRIED: ReadonlySet<WarningCode> = new Set(['citation-removed', 'citation-unsupported']);

/**
 * Answers a question from a knowledge base. Every ending is a value: see {@link Answer.outcome}. Rejects with a
 * KbError when there is no model for a mode that needs one, and when the model cannot be reached or understood.
 */
export async function ask(question: string, options: AskOptions): Promise<Answer> {
  return new Run(question, options).answer();
}

class Run {
  readonly #question: string;
  readonly #options: AskOptions;
  readonly #started: number;
  readonly #warnings: string[] = [];
  #tier = '';

  constructor(question: string, options: AskOptions) {
    this.#question = question;
    this.#options = options;
    this.#started = options.now();
  }

  async answer(): Promise<Answer> {
    const { knowledge, emit, model, mode } = this.#options;
    if (mode !== 'extract' && model === undefined) throw noModel(mode);
    const outline = await knowledge.outline({ limit: 1 });
    const named = mode === 'extract' || model === undefined ? {} : { model: model.id };
    emit({ type: 'session-start', question: this.#question, mode, ...named, tier: outline.tier });
    this.#sawTier(outline.tier);
    const draft = await this.#draft(outline.status);
    const answer = writeAnswer(draft, {
      question: this.#question,
      knowledge,
      tier: this.#tier,
      ...(draft.mode === 'extract' ? {} : named),
      warnings: this.#warnings,
      warn: (code, text) => this.#warn(code, text),
      ms: Math.round(this.#options.now() - this.#started),
    });
    emit({ type: 'session-end', answer });
    return answer;
  }

  async #draft(status: string): Promise<Draft> {
    const { mode } = this.#options;
    if (this.#options.signal.aborted) return this.#fixed('aborted', '');
    if (status !== 'ok') return this.#fixed('nothing', NO_INDEX);
    if (mode === 'extract') return this.#extract();
    if (mode === 'direct') return this.#direct(NOTHING_SPENT);
    return this.#withTools();
  }

  #fixed(kind: 'nothing' | 'aborted', text: string, mode = this.#options.mode): Draft {
    return { kind, text, mode, shown: new Map(), spend: this.#spent(NOTHING_SPENT) };
  }

  #spent(spend: Spend): Spend {
    return { ...spend, seconds: (this.#options.now() - this.#started) / 1000 };
  }

  async #extract(): Promise<Draft> {
    const result = await this.#options.knowledge.search({
      text: this.#question,
      topK: EXTRACT_DEPTH,
      maxTokens: EXTRACT_TOKENS,
      explain: true,
    });
    this.#sawTier(result.tier);
    const lines = extract(result);
    if (lines.length === 0) return this.#fixed('nothing', NOTHING_FOUND);
    const shown = new Map<Ref, string>(result.hits.map((hit) => [hit.ref, hit.content]));
    const spend = this.#spent(NOTHING_SPENT);
    return {
      kind: 'replied',
      mode: 'extract',
      text: extractMarkdown(lines),
      label: EXTRACT_LABEL,
      shown,
      spend,
    };
  }

  /** Retrieve first, then one call. Nothing found: no call. */
  async #direct(spent: Spend): Promise<Draft> {
    const { knowledge } = this.#options;
    const evidence = await searchReply(knowledge, this.#options, { query: this.#question });
    if (evidence.tier !== undefined) this.#sawTier(evidence.tier);
    if (evidence.refs.length === 0) {
      const draft = this.#fixed('nothing', NOTHING_FOUND, 'direct');
      return { ...draft, spend: this.#spent(spent) };
    }
    const dialogue = this.#dialogue(new Conversation(this.#question, evidence), false, spent);
    return this.#finish(dialogue, await runLoop(dialogue, { tools: [] }), 'direct');
  }

  async #withTools(): Promise<Draft> {
    const { createTools } = await import('../tools/create-tools.ts');
    const tools = createTools(this.#options.knowledge, this.#options);
    const dialogue = this.#dialogue(new Conversation(this.#question), true, NOTHING_SPENT);
    try {
      const end = await runLoop(dialogue, { tools, onTier: (tier) => this.#sawTier(tier) });
      return await this.#finish(dialogue, end, 'tools');
    } catch (error) {
      if (!isKbError(error, 'model-no-tools')) throw error;
      this.#warn(
        'tools-unsupported',
        'the model cannot call tools: the sections were searched for it before it was asked',
      );
      dialogue.withdraw();
      return this.#direct(dialogue.spend);
    }
  }

  #dialogue(conversation: Conversation, hasTools: boolean, spent: Spend): Dialogue {
    const {
      model,
      budget,
      replyTokens,
      promptLimit,
      identity,
      systemPrompt: own,
      emit,
      signal,
      now,
    } = this.#options;
    if (model === undefined) throw noModel(this.#options.mode);
    return new Dialogue(
      conversation,
      {
        model,
        system: systemPrompt({
          hasTools,
          ...(identity === undefined ? {} : { identity }),
          ...(own === undefined ? {} : { systemPrompt: own }),
        }),
        budget,
        maxOutputTokens: replyTokens,
        ...(promptLimit === undefined ? {} : { promptLimit }),
        emit,
        signal,
        now,
        warn: (code, text) => this.#warn(code, text),
      },
      spent,
    );
  }

  /** One repair turn where the check finds a bad ref or no citation at all, as long as the budget allows it. */
  async #finish(dialogue: Dialogue, end: LoopEnd, mode: AskMode): Promise<Draft> {
    const { knowledge, budget } = this.#options;
    const { shown } = dialogue.conversation;
    const draft = (kind: Draft['kind'], text: string): Draft => ({
      kind,
      text,
      mode,
      shown,
      spend: dialogue.spend,
    });
    if (end.kind !== 'replied') return draft(end.kind, end.text);
    const first = checkAnswer(end.text, { shown, knowledge });
    const reasons = repairReasons(first);
    if (reasons === undefined || exhausted(budget, dialogue.spend) !== undefined)
      return draft('replied', end.text);
    this.#warn('citation-repair', `the answer was asked for again: ${reasons.join('; ')}`);
    dialogue.withdraw();
    const refs = [...shown.keys()].slice(0, REFS_NAMED);
    dialogue.conversation.say(repairPrompt(reasons, refs));
    const repaired = await repairTurn(dialogue);
    if (repaired === undefined) return draft('aborted', end.text);
    if (repaired.trim() === '') return draft('replied', end.text);
    const second = checkAnswer(repaired, { shown, knowledge });
    const isWorse = second.citations.length === 0 && !second.saysNotFound && first.citations.length > 0;
    return draft('replied', isWorse ? end.text : repaired);
  }

  #sawTier(tier: string): void {
    if (this.#tier.includes('DEGRADED')) return;
    this.#tier = tier;
    if (tier.includes('DEGRADED')) this.#warn('tier-degraded', tier);
  }

  #warn(code: WarningCode, text: string): void {
    if (this.#warnings.includes(text)) return;
    if (!CARRIED.has(code)) this.#warnings.push(text);
    this.#options.emit({ type: 'warning', code, text });
  }
}

/** The repaired text; empty when there is none to be had, so that the first answer stands; undefined when stopped. */
async function repairTurn(dialogue: Dialogue): Promise<string | undefined> {
  try {
    const reply = await dialogue.turn([]);
    return reply.stop === 'refusal' ? '' : reply.message.text;
  } catch (error) {
    if (dialogue.options.signal.aborted || isKbError(error, 'aborted')) return undefined;
    if (error instanceof KbError) return '';
    throw error;
  }
}

function noModel(mode: AskMode): KbError {
  return new KbError(
    'usage-invalid',
    `mode ${mode} needs a model`,
    { argument: mode },
    {
      hint: 'name one with --provider, --base-url and --model, or under llm in the knowledge-base file; or use --mode extract',
    },
  );
}

const NOTHING_FOUND = 'The knowledge base does not answer this question.';
const NO_INDEX =
  'The knowledge base has nothing indexed yet: put Markdown files into its folder and run kb ingest.';

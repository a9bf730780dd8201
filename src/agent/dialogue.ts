import { addUsage, type Budget, NOTHING_SPENT, type Spend } from '../core/budget.ts';
import type { ChatModel, ChatReply, ChatRequest, ToolSpec } from '../core/chat.ts';
import { isKbError, KbError } from '../core/errors.ts';
import type { EventSink, WarningCode } from '../core/event.ts';
import { estimateTokens, stripControls } from '../core/text.ts';
import { estimateRequest, wasCut } from './context.ts';
import type { Conversation } from './conversation.ts';
import { isVisible, replyLimit, withoutCalls, withoutHidden } from './reply-text.ts';

/** Prompt tokens (estimated) above which old results are left out. */
export const PROMPT_LIMIT = 32_000;
/** A prompt that did not fit is given again with evidence of at least this many tokens. */
const EVIDENCE_FLOOR = 200;

export interface DialogueOptions {
  readonly model: ChatModel;
  readonly system: string;
  readonly budget: Budget;
  readonly maxOutputTokens: number;
  readonly promptLimit?: number;
  readonly emit: EventSink;
  readonly signal: AbortSignal;
  readonly warn: (code: WarningCode, text: string) => void;
  /** Milliseconds, from any start. */
  readonly now: () => number;
}

/** Calls to one model for one question: what they cost, and what was wrong with them. */
export class Dialogue {
  readonly options: DialogueOptions;
  readonly conversation: Conversation;
  #spend: Spend;
  #partial = '';
  #hasShrunk = false;
  readonly #started: number;

  constructor(conversation: Conversation, options: DialogueOptions, spent: Spend = NOTHING_SPENT) {
    this.conversation = conversation;
    this.options = options;
    this.#spend = spent;
    this.#started = options.now() - spent.seconds * 1000;
  }

  get spend(): Spend {
    return { ...this.#spend, seconds: (this.options.now() - this.#started) / 1000 };
  }

  /** Text that came of the turn under way, for a run that is stopped in it. */
  get partial(): string {
    return this.#partial;
  }

  addToolCalls(count: number): void {
    this.#spend = { ...this.#spend, toolCalls: this.#spend.toolCalls + count };
  }

  warn(code: WarningCode, text: string): void {
    this.options.warn(code, text);
  }

  withdraw(): void {
    if (this.#partial !== '') this.options.emit({ type: 'text-withdrawn' });
    this.#partial = '';
  }

  /**
   * One reply. A prompt that does not fit, or that the server cut without a word, is given once more with less
   * evidence. Rejects with KbErrors of the model, and with `aborted`.
   */
  async turn(tools: readonly ToolSpec[]): Promise<ChatReply> {
    this.#compact(tools);
    const request = this.#request(tools);
    let reply: ChatReply;
    try {
      reply = await this.#complete(request);
    } catch (error) {
      if (!isKbError(error, 'model-overflow')) throw error;
      const { window } = error.details;
      const room =
        window === undefined ? estimateRequest(request) / 2 : window - this.options.maxOutputTokens;
      if (!this.#shrink(request, room)) throw error;
      this.warn(
        'context-cut',
        'the prompt did not fit the model; it was asked again with less of the sections',
      );
      return this.turn(tools);
    }
    if (!wasCut(request, reply.usage)) {
      this.conversation.delivered();
      return reply;
    }
    const counted = reply.usage.inputTokens + reply.usage.cachedTokens;
    const facts = `${counted} of about ${estimateRequest(request)} prompt tokens were read`;
    if (this.#shrink(request, counted * 0.9)) {
      this.warn(
        'context-cut',
        `the server cut the prompt (${facts}); it was asked again with less of the sections`,
      );
      this.withdraw();
      return this.turn(tools);
    }
    this.warn(
      'context-cut',
      `the server cut the prompt (${facts}): the answer may not rest on the sections it cites`,
    );
    this.conversation.delivered();
    return reply;
  }

  async #complete(request: ChatRequest): Promise<ChatReply> {
    const { model, emit, signal } = this.options;
    if (signal.aborted) throw new KbError('aborted', 'the question was stopped', {});
    this.#partial = '';
    const turn = this.#spend.turns + 1;
    emit({ type: 'turn-start', turn });
    const reply = await model.complete(request, {
      signal,
      onText: (delta) => {
        if (this.#partial.length > replyLimit(request.maxOutputTokens)) return;
        const text = stripControls(delta);
        this.#partial += text;
        if (text !== '') emit({ type: 'text-delta', text });
      },
    });
    this.#spend = { ...addUsage(this.#spend, reply.usage), turns: turn };
    if (!reply.usage.reported) this.#spend = this.#withEstimate(request, reply);
    emit({ type: 'turn-end', turn, usage: reply.usage });
    this.#checkModel(reply.model);
    return this.#taken(request, reply);
  }

  /** What of a reply counts: no endless text, no text that cannot be seen, no call where no tools were offered. */
  #taken(request: ChatRequest, reply: ChatReply): ChatReply {
    const limit = replyLimit(request.maxOutputTokens);
    let { text } = reply.message;
    if (text.length > limit) {
      this.warn(
        'reply-truncated',
        `the reply was longer than it may be; after ${limit} characters it was cut`,
      );
      text = text.slice(0, limit);
    }
    if (request.tools.length === 0) text = withoutCalls(text);
    if (!isVisible(withoutHidden(text))) text = '';
    return text === reply.message.text ? reply : { ...reply, message: { ...reply.message, text } };
  }

  /** A server that reports no usage must not make a token budget endless. */
  #withEstimate(request: ChatRequest, reply: ChatReply): Spend {
    const tokens = estimateRequest(request) + estimateTokens(reply.message.text);
    return { ...this.#spend, tokens: this.#spend.tokens + tokens };
  }

  #checkModel(used: string | undefined): void {
    if (used === undefined) return;
    const plain = (name: string): string =>
      name
        .toLowerCase()
        .replace(/[^a-z0-9]/gu, '')
        .replace(/latest$/u, '');
    const [asked, got] = [plain(this.options.model.id), plain(used)];
    if (asked.includes(got) || got.includes(asked)) return;
    this.warn(
      'model-substituted',
      `asked ${this.options.model.id}, the server says ${stripControls(used)} answered`,
    );
  }

  #compact(tools: readonly ToolSpec[]): void {
    const limit = this.options.promptLimit ?? PROMPT_LIMIT;
    while (estimateRequest(this.#request(tools)) > limit && this.conversation.compactOldest());
  }

  /** Makes the evidence fit a prompt of `room` tokens; once in a run. */
  #shrink(request: ChatRequest, room: number): boolean {
    if (this.#hasShrunk) return false;
    this.#hasShrunk = true;
    const evidence = request.messages
      .filter((message) => message.role === 'tool')
      .flatMap((message) => message.outcomes)
      .reduce((sum, outcome) => sum + estimateTokens(outcome.text), 0);
    const opening =
      evidence === 0
        ? estimateTokens(request.messages[0]?.role === 'user' ? request.messages[0].text : '')
        : evidence;
    const rest = estimateRequest(request) - opening;
    // A frame and its fields take room too, which the limit of the contents does not count.
    const contents = Math.floor((room - rest) * 0.7);
    return this.conversation.shrink(Math.max(EVIDENCE_FLOOR, contents));
  }

  #request(tools: readonly ToolSpec[]): ChatRequest {
    return {
      system: this.options.system,
      messages: this.conversation.messages,
      tools,
      maxOutputTokens: this.options.maxOutputTokens,
    };
  }
}

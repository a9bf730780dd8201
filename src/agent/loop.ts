import { type Budget, exhausted } from '../core/budget.ts';
import type { ChatReply, ToolCall, ToolSpec } from '../core/chat.ts';
import { isKbError } from '../core/errors.ts';
import { type CallResult, callTool, failed, type Tool } from '../tools/tool.ts';
import { callKey } from './conversation.ts';
import type { Dialogue } from './dialogue.ts';
import { FINAL_TURN, NUDGE, TRUNCATED_CALL } from './prompt.ts';

/** Identical calls that are answered with a note before the tools are taken away. */
export const REPEAT_LIMIT = 3;
/** Replies cut inside a tool call before the tools are taken away. */
const TRUNCATION_LIMIT = 2;

/** How a run of turns ended; the text is the model's, unchecked. */
export type LoopEnd =
  | { readonly kind: 'replied'; readonly text: string; readonly isTruncated: boolean }
  | { readonly kind: 'out-of-budget'; readonly text: string; readonly limit: keyof Budget }
  | { readonly kind: 'refused' | 'aborted' | 'silent'; readonly text: string };

export interface LoopOptions {
  /** None: the model answers from what it was given. */
  readonly tools: readonly Tool[];
  /** Called with the tier line of every search. */
  readonly onTier?: (tier: string) => void;
}

/** Asks the model, runs the tools it calls, and repeats until it answers or the budget is spent. */
export async function runLoop(dialogue: Dialogue, options: LoopOptions): Promise<LoopEnd> {
  try {
    return await new Loop(dialogue, options).run();
  } catch (error) {
    if (dialogue.options.signal.aborted || isKbError(error, 'aborted'))
      return { kind: 'aborted', text: dialogue.partial };
    throw error;
  }
}

class Loop {
  readonly #dialogue: Dialogue;
  readonly #options: LoopOptions;
  readonly #specs: readonly ToolSpec[];
  #repeats = 0;
  #truncations = 0;
  #nudged = false;

  constructor(dialogue: Dialogue, options: LoopOptions) {
    this.#dialogue = dialogue;
    this.#options = options;
    this.#specs = options.tools.map((tool) => tool.spec);
  }

  async run(): Promise<LoopEnd> {
    const { budget } = this.#dialogue.options;
    for (;;) {
      const limit = exhausted(budget, this.#dialogue.spend);
      if (limit !== undefined) return this.#finalTurn(limit);
      if (this.#repeats >= REPEAT_LIMIT || this.#truncations >= TRUNCATION_LIMIT) return this.#finalTurn();
      const end = await this.#step(await this.#dialogue.turn(this.#specs));
      if (end !== undefined) return end;
    }
  }

  /** Undefined: go on. What a reply says its stop was is no evidence; what it holds is. */
  async #step(reply: ChatReply): Promise<LoopEnd | undefined> {
    const { conversation } = this.#dialogue;
    const { text } = reply.message;
    const calls = this.#specs.length === 0 ? [] : reply.message.toolCalls;
    if (reply.stop === 'refusal') return { kind: 'refused', text };
    if (calls.length > 0) {
      this.#dialogue.withdraw();
      if (reply.stop === 'length') this.#refuseTruncated(text);
      else {
        conversation.add(reply.message);
        conversation.addResults(calls, await this.#runAll(calls));
      }
      return undefined;
    }
    conversation.add({ role: 'assistant', text, toolCalls: [] });
    if (text.trim() !== '') return this.#replied(reply);
    this.#dialogue.warn('reply-empty', 'the model replied without any text');
    if (this.#nudged) return { kind: 'silent', text: '' };
    this.#nudged = true;
    conversation.say(NUDGE);
    return undefined;
  }

  #replied(reply: ChatReply): LoopEnd {
    const isTruncated = reply.stop === 'length';
    if (isTruncated) this.#dialogue.warn('reply-truncated', 'the answer was cut by the output limit');
    return { kind: 'replied', text: reply.message.text, isTruncated };
  }

  /** Half a call must not run: its arguments may be half of what was meant. */
  #refuseTruncated(text: string): void {
    this.#truncations += 1;
    this.#dialogue.warn(
      'reply-truncated',
      'a reply was cut by the output limit inside a tool call, which was not run',
    );
    this.#dialogue.conversation.add({ role: 'assistant', text, toolCalls: [] });
    this.#dialogue.conversation.say(TRUNCATED_CALL);
  }

  async #runAll(calls: readonly ToolCall[]): Promise<readonly CallResult[]> {
    const { emit, now, budget } = this.#dialogue.options;
    const results: CallResult[] = [];
    const inThisReply = new Set<string>();
    for (const call of calls) {
      emit({ type: 'tool-call', call });
      const started = now();
      const hasRoom = this.#dialogue.spend.toolCalls < budget.toolCalls;
      const result = hasRoom ? await this.#runOne(call, inThisReply) : failed(call, NO_CALLS_LEFT);
      emit({ type: 'tool-result', outcome: result.outcome, refs: result.refs, ms: now() - started });
      if (hasRoom) this.#dialogue.addToolCalls(1);
      results.push(result);
    }
    return results;
  }

  async #runOne(call: ToolCall, inThisReply: Set<string>): Promise<CallResult> {
    const { conversation, options } = this.#dialogue;
    const key = callKey(call);
    if (conversation.holds(call) || inThisReply.has(key)) {
      this.#repeats += 1;
      this.#dialogue.warn('call-repeated', `the same call of ${call.name} was made again and not run`);
      return failed(call, REPEATED);
    }
    inThisReply.add(key);
    const result = await callTool(this.#options.tools, call, options.signal);
    if (result.reply?.tier !== undefined) this.#options.onTier?.(result.reply.tier);
    return result;
  }

  /** One turn without tools that says what is known; also the way out of a loop. */
  async #finalTurn(limit?: keyof Budget): Promise<LoopEnd> {
    const { conversation } = this.#dialogue;
    conversation.say(FINAL_TURN);
    const reply = await this.#dialogue.turn([]);
    const { text } = reply.message;
    conversation.add({ role: 'assistant', text, toolCalls: [] });
    if (reply.stop === 'refusal') return { kind: 'refused', text };
    if (limit !== undefined) return { kind: 'out-of-budget', text, limit };
    if (text.trim() !== '') return this.#replied(reply);
    this.#dialogue.warn('reply-empty', 'the model replied without any text');
    return { kind: 'silent', text: '' };
  }
}

const NO_CALLS_LEFT = 'not run: no tool calls are left. Answer from the results above.';
const REPEATED =
  'not run: this is the same call as before and its result is above. Use it, search with other words, or answer.';

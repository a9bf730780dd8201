import type { Message, ToolCall } from '../core/chat.ts';
import type { Ref } from '../core/ref.ts';
import { estimateTokens } from '../core/text.ts';
import type { SectionText, ToolReply } from '../tools/reply.ts';
import type { CallResult } from '../tools/tool.ts';

interface Results {
  readonly kind: 'results';
  readonly keys: readonly string[];
  results: readonly CallResult[];
  isCompacted: boolean;
}

/** Evidence given before the question, in the mode without tools. */
interface Opening {
  readonly kind: 'opening';
  readonly question: string;
  evidence: ToolReply;
}

type Entry = { readonly kind: 'message'; readonly message: Message } | Results | Opening;

/** What is said between kb and a model, and which sections the model has really been given so far. */
export class Conversation {
  readonly #entries: Entry[] = [];
  readonly #shown = new Map<Ref, string>();

  constructor(question: string, evidence?: ToolReply) {
    this.#entries.push(
      evidence === undefined
        ? { kind: 'message', message: { role: 'user', text: question } }
        : { kind: 'opening', question, evidence },
    );
  }

  get messages(): readonly Message[] {
    return this.#entries.map(toMessage);
  }

  /** Sections of every prompt a model has replied to, with the text it got of them. */
  get shown(): ReadonlyMap<Ref, string> {
    return this.#shown;
  }

  say(text: string): void {
    this.#entries.push({ kind: 'message', message: { role: 'user', text } });
  }

  /** A reply without text and calls leaves no trace: servers refuse empty messages. */
  add(message: Extract<Message, { role: 'assistant' }>): void {
    if (message.text.trim() !== '' || message.toolCalls.length > 0)
      this.#entries.push({ kind: 'message', message });
  }

  /** All results of one reply are one message, in the order of its calls. */
  addResults(calls: readonly ToolCall[], results: readonly CallResult[]): void {
    this.#entries.push({ kind: 'results', keys: calls.map(callKey), results, isCompacted: false });
  }

  /** Whether the model can still read the result of the same call. */
  holds(call: ToolCall): boolean {
    const key = callKey(call);
    return this.#entries.some(
      (entry) => entry.kind === 'results' && !entry.isCompacted && entry.keys.includes(key),
    );
  }

  /** The model has replied to all that is here now, so all sections in it count as shown. */
  delivered(): void {
    for (const entry of this.#entries) {
      if (entry.kind === 'opening') this.#show(entry.evidence.shown);
      if (entry.kind === 'results' && !entry.isCompacted)
        for (const one of entry.results) this.#show(one.shown);
    }
  }

  #show(sections: readonly SectionText[]): void {
    for (const { ref, text } of sections) {
      const known = this.#shown.get(ref);
      if (known === undefined) this.#shown.set(ref, text);
      else if (!known.includes(text)) this.#shown.set(ref, `${known}\n${text}`);
    }
  }

  /** Replaces the oldest results by a note; the newest stay. False when there is none left to replace. */
  compactOldest(): boolean {
    const open = this.#entries.filter((entry) => entry.kind === 'results' && !entry.isCompacted) as Results[];
    const [oldest] = open;
    if (oldest === undefined || open.length < 2) return false;
    oldest.results = oldest.results.map(compacted);
    oldest.isCompacted = true;
    return true;
  }

  /** Gives all evidence again in about `tokens` (estimated); false when that makes nothing smaller. */
  shrink(tokens: number): boolean {
    const before = this.#size();
    while (this.compactOldest());
    const last = this.#entries.findLast((entry) => entry.kind !== 'message');
    if (last?.kind === 'opening') last.evidence = last.evidence.shrink?.(tokens) ?? last.evidence;
    if (last?.kind === 'results') {
      const share = Math.floor(
        tokens / Math.max(1, last.results.filter(({ reply }) => reply !== undefined).length),
      );
      last.results = last.results.map((result) => shrunk(result, share));
    }
    return this.#size() < before;
  }

  #size(): number {
    return this.messages.reduce((sum, message) => sum + sizeOf(message), 0);
  }
}

function sizeOf(message: Message): number {
  if (message.role !== 'tool') return estimateTokens(message.text);
  return message.outcomes.reduce((sum, outcome) => sum + estimateTokens(outcome.text), 0);
}

function toMessage(entry: Entry): Message {
  if (entry.kind === 'message') return entry.message;
  if (entry.kind === 'results')
    return { role: 'tool', outcomes: entry.results.map((result) => result.outcome) };
  return { role: 'user', text: `${entry.evidence.text}\n\nQuestion: ${entry.question}` };
}

function compacted(result: CallResult): CallResult {
  const refs = result.refs.map((ref) => `#${ref}`).join(', ');
  const text =
    refs === '' ? '[an earlier result, left out to save room]' : `[left out to save room; it gave ${refs}]`;
  if (estimateTokens(result.outcome.text) <= estimateTokens(text)) return result;
  return { ...result, outcome: { ...result.outcome, text } };
}

function shrunk(result: CallResult, tokens: number): CallResult {
  const reply = result.reply?.shrink?.(tokens);
  if (reply === undefined) return result;
  return { outcome: { ...result.outcome, text: reply.text }, refs: reply.refs, shown: reply.shown, reply };
}

/** The same for calls that ask the same, whatever the order of their arguments. */
export function callKey(call: ToolCall): string {
  return `${call.name} ${JSON.stringify(sorted(call.input))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

import type { ChatReply, ChatRequest, StopReason, ToolCall, Usage } from '../core/chat.ts';
import { countOf, isRecord, type JsonRecord, textOf } from './json.ts';
import type { KeptReasoning } from './openai-request.ts';
import { ReasoningFilter } from './reasoning-filter.ts';
import { type Salvage, salvageCalls } from './salvage.ts';
import { TextGate } from './text-gate.ts';
import { freeId, readArguments, ToolCallAssembly } from './tool-call-assembly.ts';

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reported: false };
const REFUSED = /^(?:content_filter|refusal|safety)$/iu;
const CUT = /^(?:length|max_tokens|max_output_tokens|model_length)$/iu;

export interface ReplyOptions {
  readonly request: ChatRequest;
  readonly takenIds: ReadonlySet<string>;
  readonly opensReasoningUnseen: boolean;
  readonly onText: (delta: string) => void;
}

/** Puts one reply together from the chunks of a stream, or from one whole completion. */
export class OpenAiReply {
  readonly #options: ReplyOptions;
  readonly #filter: ReasoningFilter;
  readonly #gate: TextGate;
  readonly #calls: ToolCallAssembly;
  #model: string | undefined;
  #usage: Usage = NO_USAGE;
  #finish: string | undefined;
  #refusal = '';
  #reasoning = '';
  #reasoningField: KeptReasoning['field'] = 'reasoning_content';
  #sawChoice = false;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.#filter = new ReasoningFilter(options.opensReasoningUnseen);
    this.#gate = new TextGate(options.request.tools.length > 0, options.onText);
    this.#calls = new ToolCallAssembly(options.request.tools.map((tool) => tool.name));
  }

  /** True once the server has said why it stopped; a stream that ends before is cut. */
  get finished(): boolean {
    return this.#finish !== undefined;
  }

  /** False when not even an empty delta came: some servers answer so to a prompt too long for them. */
  get sawChoice(): boolean {
    return this.#sawChoice;
  }

  /** Characters of visible text so far. */
  get length(): number {
    return this.#filter.text.length;
  }

  /** True when the reply closed reasoning it had never opened. */
  get opensReasoningUnseen(): boolean {
    return this.#filter.closedUnopened;
  }

  /** @param chunk a parsed `chat.completion.chunk` or `chat.completion` */
  accept(chunk: JsonRecord): void {
    this.#model ??= textOf(chunk['model']);
    const choices = chunk['choices'];
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    this.#takeUsage(chunk['usage']);
    if (!isRecord(choice)) return;
    this.#sawChoice = true;
    this.#takeUsage(choice['usage']);
    this.#finish = textOf(choice['finish_reason']) ?? this.#finish;
    const delta = isRecord(choice['delta']) ? choice['delta'] : choice['message'];
    if (isRecord(delta)) this.#takeDelta(delta);
    else this.#takeContent(choice['text']);
  }

  #takeDelta(delta: JsonRecord): void {
    for (const field of ['reasoning_content', 'reasoning'] as const) {
      const text = textOf(delta[field]);
      if (text === undefined) continue;
      this.#reasoning += text;
      this.#reasoningField = field;
      // Some servers send the same words in both fields.
      break;
    }
    this.#takeContent(delta['content']);
    this.#calls.accept(delta['tool_calls']);
    this.#refusal += textOf(delta['refusal']) ?? '';
  }

  /** Content is text, or a list of parts of which some are reasoning. */
  #takeContent(content: unknown): void {
    if (typeof content === 'string') this.#gate.push(this.#filter.push(content));
    if (!Array.isArray(content)) return;
    for (const part of content) {
      if (isRecord(part) && typeof part['text'] === 'string')
        this.#gate.push(this.#filter.push(part['text']));
    }
  }

  /** Usage is kept when it says anything: it may come in every chunk, or as zeros. */
  #takeUsage(usage: unknown): void {
    if (!isRecord(usage)) return;
    const prompt = countOf(usage['prompt_tokens']);
    if (prompt === 0) return;
    const details = usage['prompt_tokens_details'];
    const cached = isRecord(details)
      ? countOf(details['cached_tokens'])
      : countOf(usage['prompt_cache_hit_tokens']);
    const cachedTokens = Math.min(cached, prompt);
    this.#usage = {
      inputTokens: prompt - cachedTokens,
      outputTokens: countOf(usage['completion_tokens']),
      cachedTokens,
      reported: true,
    };
  }

  /** The reply. `finish_reason` only decides what the content leaves open: servers say `stop` to anything. */
  reply(): ChatReply {
    this.#gate.push(this.#filter.end());
    const { calls: native, cut } = this.#calls.finish(this.#options.takenIds);
    const salvage: Salvage = salvageCalls(this.#filter.text, this.#options.request.tools);
    const isText = salvage.kind === 'text';
    if (isText) this.#gate.release();
    // Beside native calls, the same call as text is an echo.
    else this.#gate.discard();
    const salvaged = native.length === 0 && salvage.kind === 'calls' ? this.#identified(salvage) : [];
    const calls = [...native, ...salvaged];
    const stop = this.#stop(cut || (native.length === 0 && salvage.kind === 'cut'), calls.length > 0);
    return this.#finished(isText ? this.#filter.text : '', stop, stop === 'refusal' ? [] : calls);
  }

  #stop(cut: boolean, hasCalls: boolean): StopReason {
    if (this.#refusal !== '' || REFUSED.test(this.#finish ?? '')) return 'refusal';
    if (cut || CUT.test(this.#finish ?? '')) return 'length';
    return hasCalls ? 'tool-calls' : 'end';
  }

  #finished(visible: string, stop: StopReason, toolCalls: readonly ToolCall[]): ChatReply {
    const text = visible === '' ? this.#refusal : visible;
    if (visible === '' && text !== '') this.#options.onText(text);
    const opaque = toolCalls.length > 0 ? this.#keptReasoning() : undefined;
    return {
      message: { role: 'assistant', text, toolCalls, ...(opaque === undefined ? {} : { opaque }) },
      stop,
      usage: this.#usage,
      ...(this.#model === undefined ? {} : { model: this.#model }),
    };
  }

  #identified(salvage: Extract<Salvage, { kind: 'calls' }>): readonly ToolCall[] {
    const taken = new Set(this.#options.takenIds);
    return salvage.calls.map(({ name, input }) => {
      const id = freeId(taken);
      taken.add(id);
      return { id, name, input: typeof input === 'string' ? readArguments(input) : input };
    });
  }

  #keptReasoning(): KeptReasoning | undefined {
    if (this.#reasoning === '') return undefined;
    return { kind: 'openai-reasoning', field: this.#reasoningField, text: this.#reasoning };
  }
}

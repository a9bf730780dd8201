import type { ChatReply, StopReason, ToolCall, Usage } from '../core/chat.ts';
import type { KeptBlocks } from './anthropic-request.ts';
import { countOf, isRecord, type JsonRecord, parseJson, textOf } from './json.ts';
import { inputObject } from './pairing.ts';

/** `pause_turn` too: what came is a part, never an answer. */
const UNFINISHED: ReadonlySet<string> = new Set([
  'max_tokens',
  'model_context_window_exceeded',
  'pause_turn',
]);

interface Block {
  /** As `content_block_start` gave it, completed by the deltas. */
  readonly fields: Record<string, unknown>;
  /** Pieces of a tool call's input, JSON text. */
  json: string;
  closed: boolean;
}

/** Deltas that add text to a field of their block. */
const TEXT_DELTAS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
};

/** Puts a reply together from the events of a Messages stream. */
export class AnthropicReply {
  readonly #onText: (delta: string) => void;
  readonly #blocks = new Map<number, Block>();
  readonly #usage: Record<string, number> = {};
  #model: string | undefined;
  #stopReason: string | undefined;
  /** True after `message_stop`: the reply is whole. */
  ended = false;
  /** Characters of text so far. */
  length = 0;

  constructor(onText: (delta: string) => void) {
    this.#onText = onText;
  }

  /** @param event a parsed event; types it does not know are passed over, as the API asks of clients */
  accept(event: JsonRecord): void {
    switch (event['type']) {
      case 'message_start':
        if (isRecord(event['message'])) this.#begin(event['message']);
        break;
      case 'content_block_start':
        if (isRecord(event['content_block'])) this.#open(indexOf(event), event['content_block']);
        break;
      case 'content_block_delta':
        if (isRecord(event['delta'])) this.#extend(indexOf(event), event['delta']);
        break;
      case 'content_block_stop': {
        const block = this.#blocks.get(indexOf(event));
        if (block !== undefined) block.closed = true;
        break;
      }
      case 'message_delta':
        if (isRecord(event['delta']))
          this.#stopReason = textOf(event['delta']['stop_reason']) ?? this.#stopReason;
        this.#takeUsage(event['usage']);
        break;
      case 'message_stop':
        this.ended = true;
        break;
    }
  }

  /** Takes a whole message, from a server that does not stream. */
  acceptMessage(message: JsonRecord): void {
    this.#begin(message);
    const content = Array.isArray(message['content']) ? message['content'] : [];
    for (const [index, block] of content.entries()) {
      if (isRecord(block)) this.#open(index, block);
      const opened = this.#blocks.get(index);
      if (opened !== undefined) opened.closed = true;
    }
    this.#stopReason = textOf(message['stop_reason']);
    this.ended = true;
  }

  reply(): ChatReply {
    const blocks = [...this.#blocks.entries()]
      .sort(([first], [second]) => first - second)
      .map(([, block]) => block);
    const toolBlocks = blocks.filter((block) => block.fields['type'] === 'tool_use');
    const whole = toolBlocks.every((block) => block.closed && inputOf(block) !== undefined);
    const stop = this.#stop(toolBlocks.length > 0, whole);
    const toolCalls = stop === 'refusal' ? [] : toolBlocks.map(callOf);
    const opaque = toolCalls.length > 0 ? kept(blocks) : undefined;
    return {
      message: {
        role: 'assistant',
        text: blocks
          .map((block) => (block.fields['type'] === 'text' ? String(block.fields['text'] ?? '') : ''))
          .join(''),
        toolCalls,
        ...(opaque === undefined ? {} : { opaque }),
      },
      stop,
      usage: this.#reported(),
      ...(this.#model === undefined ? {} : { model: this.#model }),
    };
  }

  #begin(message: JsonRecord): void {
    this.#model = textOf(message['model']);
    this.#takeUsage(message['usage']);
  }

  #open(index: number, fields: JsonRecord): void {
    this.#blocks.set(index, { fields: { ...fields }, json: '', closed: false });
    if (fields['type'] === 'text') this.#show(textOf(fields['text']));
  }

  #extend(index: number, delta: JsonRecord): void {
    const block = this.#blocks.get(index);
    if (block === undefined) return;
    if (delta['type'] === 'input_json_delta') block.json += textOf(delta['partial_json']) ?? '';
    const field = TEXT_DELTAS[String(delta['type'])];
    const text = field === undefined ? undefined : textOf(delta[field]);
    if (field === undefined || text === undefined) return;
    block.fields[field] = `${textOf(block.fields[field]) ?? ''}${text}`;
    if (field === 'text') this.#show(text);
  }

  #show(text: string | undefined): void {
    if (text === undefined) return;
    this.length += text.length;
    this.#onText(text);
  }

  /** Counts in `message_delta` are totals, not additions. */
  #takeUsage(usage: unknown): void {
    if (!isRecord(usage)) return;
    for (const [name, value] of Object.entries(usage)) {
      if (typeof value === 'number') this.#usage[name] = countOf(value);
    }
  }

  #reported(): Usage {
    const input = (this.#usage['input_tokens'] ?? 0) + (this.#usage['cache_creation_input_tokens'] ?? 0);
    const cachedTokens = this.#usage['cache_read_input_tokens'] ?? 0;
    if (input + cachedTokens === 0)
      return { inputTokens: 0, outputTokens: 0, cachedTokens: 0, reported: false };
    return {
      inputTokens: input,
      outputTokens: this.#usage['output_tokens'] ?? 0,
      cachedTokens,
      reported: true,
    };
  }

  #stop(hasCalls: boolean, whole: boolean): StopReason {
    const reason = this.#stopReason;
    if (reason === 'refusal') return 'refusal';
    if (UNFINISHED.has(reason ?? '') || !whole) return 'length';
    return hasCalls ? 'tool-calls' : 'end';
  }
}

function indexOf(event: JsonRecord): number {
  return countOf(event['index']);
}

/** The input of a call; undefined when its JSON is not whole. */
function inputOf(block: Block): unknown {
  if (block.json.trim() === '') return block.fields['input'] ?? {};
  return parseJson(block.json);
}

function callOf(block: Block): ToolCall {
  return {
    id: String(block.fields['id'] ?? ''),
    name: String(block.fields['name'] ?? ''),
    input: inputOf(block) ?? block.json,
  };
}

/** Needed only where thinking stands before a call: it must go back with the call's result, signature and all. */
function kept(blocks: readonly Block[]): KeptBlocks | undefined {
  const thinks = blocks.some((block) => /^(?:redacted_)?thinking$/u.test(String(block.fields['type'])));
  if (!thinks) return undefined;
  return {
    kind: 'anthropic-blocks',
    blocks: blocks
      .filter((block) => block.fields['type'] !== 'text' || textOf(block.fields['text']) !== undefined)
      .map((block) =>
        block.fields['type'] === 'tool_use'
          ? { ...block.fields, input: inputObject(inputOf(block) ?? block.json) }
          : block.fields,
      ),
  };
}

/** A JSON value whose shape the code that receives it has yet to check. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of the input. */
  readonly inputSchema: { readonly [key: string]: Json };
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As the model wrote it; only the tool's own schema may be trusted to read it. Text when it was not JSON. */
  readonly input: unknown;
}

export interface ToolOutcome {
  readonly callId: string;
  readonly ok: boolean;
  readonly text: string;
}

export type Message =
  | { readonly role: 'user'; readonly text: string }
  /** `opaque` carries blocks a provider wants back verbatim (reasoning, signatures). */
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      readonly opaque?: unknown;
    }
  | { readonly role: 'tool'; readonly outcomes: readonly ToolOutcome[] };

export interface Usage {
  /** Tokens of the prompt, those read from a cache not included. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** False when the server did not report usage (the numbers are then 0). */
  readonly reported: boolean;
}

/** `length`: cut by a token limit; its tool calls must not be run. */
export type StopReason = 'end' | 'tool-calls' | 'length' | 'refusal';

/** Plain data: a test builds one and asserts on it. Keys, URLs and timeouts live in the ChatModel. */
export interface ChatRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly maxOutputTokens: number;
}

export interface ChatReply {
  readonly message: Extract<Message, { role: 'assistant' }>;
  readonly stop: StopReason;
  readonly usage: Usage;
  /** Model the server says it used, when it says so. */
  readonly model?: string;
}

export interface ChatOptions {
  readonly signal: AbortSignal;
  readonly onText?: (delta: string) => void;
}

/** The one seam to a language model. */
export interface ChatModel {
  readonly id: string;
  /** Rejects with a KbError (`model-*`, or `aborted`) when there is no reply to give. */
  complete(request: ChatRequest, options: ChatOptions): Promise<ChatReply>;
}

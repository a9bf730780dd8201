import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatModel, ChatOptions, ChatReply, ChatRequest, ToolSpec } from '../../src/core/chat.ts';
import type { LlmConfig } from '../../src/core/config.ts';
import { KbError } from '../../src/core/errors.ts';
import { createChatModel } from '../../src/models/create-model.ts';

export const SEARCH: ToolSpec = {
  name: 'knowledge_search',
  description: 'Searches the knowledge base.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' }, top_k: { type: 'integer' } },
    required: ['query'],
  },
};
export const READ: ToolSpec = {
  name: 'knowledge_read',
  description: 'Reads a section.',
  inputSchema: { type: 'object', properties: { ref: { type: 'string' } }, required: ['ref'] },
};

export function settings(more: Partial<LlmConfig> & { readonly seconds?: number } = {}): LlmConfig {
  const { seconds = 10, ...rest } = more;
  return {
    provider: 'openai',
    model: 'small-model',
    budget: {
      maxTokens: 100_000,
      maxIterations: 50,
      maxToolCalls: 50,
      callTimeoutSeconds: seconds,
      totalSeconds: 300,
    },
    maxOutputTokens: 1000,
    ...rest,
  };
}

export function question(more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    system: 'Answer from the knowledge base.',
    messages: [{ role: 'user', text: 'Where is the configuration?' }],
    tools: [SEARCH, READ],
    maxOutputTokens: 1000,
    ...more,
  };
}

export async function openAiAt(
  server: { readonly origin: string },
  more: Parameters<typeof settings>[0] = {},
): Promise<ChatModel> {
  return createChatModel(settings({ baseUrl: `${server.origin}/v1`, ...more }), {
    KB_KEY: 'secret-key-1234',
  });
}

export async function anthropicAt(
  server: { readonly origin: string },
  more: Parameters<typeof settings>[0] = {},
): Promise<ChatModel> {
  return createChatModel(
    settings({ provider: 'anthropic', baseUrl: server.origin, apiKeyEnv: 'KB_KEY', ...more }),
    { KB_KEY: 'secret-key-1234' },
  );
}

export interface Heard extends ChatReply {
  /** What was streamed, joined. */
  readonly heard: string;
  readonly deltas: readonly string[];
}

export async function ask(
  model: ChatModel,
  request: ChatRequest = question(),
  options: Partial<ChatOptions> = {},
): Promise<Heard> {
  const deltas: string[] = [];
  const reply = await model.complete(request, {
    signal: new AbortController().signal,
    onText: (delta) => deltas.push(delta),
    ...options,
  });
  return { ...reply, heard: deltas.join(''), deltas };
}

/** The KbError a call ends with. */
export async function failure(call: Promise<unknown>): Promise<KbError> {
  const error = await call.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof KbError)) throw error;
  return error;
}

/** A recorded body of test/models/recordings. */
export function recording(name: string): string {
  return readFileSync(join(import.meta.dirname, 'recordings', name), 'utf8');
}

/** A chunk of a chat completion. */
export function chunk(
  delta: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
) {
  const { finish_reason = null, ...rest } = more;
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 'small-model-q4',
    choices: [{ index: 0, delta, finish_reason }],
    ...rest,
  };
}

/** A piece of a tool call in a chunk. */
export function callChunk(
  call: {
    readonly index?: number;
    readonly id?: string | null;
    readonly name?: string;
    readonly arguments?: unknown;
  },
  more: Readonly<Record<string, unknown>> = {},
) {
  const { name, arguments: given, ...rest } = call;
  return chunk({ tool_calls: [{ ...rest, type: 'function', function: { name, arguments: given } }] }, more);
}

export const STOP = chunk({}, { finish_reason: 'stop' });
export const USAGE = {
  choices: [],
  usage: { prompt_tokens: 120, completion_tokens: 8, prompt_tokens_details: { cached_tokens: 100 } },
};
export const DONE = '[DONE]';

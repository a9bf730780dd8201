import type OpenAI from 'openai';
import type { ChatRequest } from '../core/chat.ts';
import { isRecord } from './json.ts';
import { inputObject, pairTurns, type Turn } from './pairing.ts';

/** What differs between servers and is found out by being told so. */
export interface Dialect {
  readonly outputLimit: 'max_tokens' | 'max_completion_tokens';
  /** Whether the server takes `stream_options`. */
  readonly streamOptions: boolean;
  /** Some thinking models want the reasoning of a tool call back with its result, the others must not get it. */
  readonly echoesReasoning: boolean;
  /** The chat template opens the reasoning, so replies only close it. */
  readonly opensReasoningUnseen: boolean;
}

export const FIRST_DIALECT: Dialect = {
  outputLimit: 'max_tokens',
  streamOptions: true,
  echoesReasoning: false,
  opensReasoningUnseen: false,
};

/** Reasoning kept with an assistant message, and the field it came in. */
export interface KeptReasoning {
  readonly kind: 'openai-reasoning';
  readonly field: 'reasoning_content' | 'reasoning';
  readonly text: string;
}

type MessageParam = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type CreateParams = OpenAI.Chat.Completions.ChatCompletionCreateParams;

/** The body of `POST /chat/completions`. The system text goes as `system`, which every server knows. */
export function createParams(
  request: ChatRequest,
  model: string,
  stream: boolean,
  dialect: Dialect,
): CreateParams {
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: { ...inputSchema } },
  }));
  return {
    model,
    messages: [
      { role: 'system', content: request.system },
      ...pairTurns(request.messages).flatMap((turn) => turnParams(turn, dialect)),
    ],
    // An empty list is an error to some servers.
    ...(tools.length > 0 ? { tools } : {}),
    [dialect.outputLimit]: request.maxOutputTokens,
    stream,
    ...(stream && dialect.streamOptions ? { stream_options: { include_usage: true } } : {}),
  };
}

function turnParams(turn: Turn, dialect: Dialect): MessageParam[] {
  if (turn.role === 'user') return [{ role: 'user', content: turn.text }];
  const reasoning = dialect.echoesReasoning && isKeptReasoning(turn.opaque) ? turn.opaque : undefined;
  return [
    {
      role: 'assistant',
      // Never null: templates of local servers fail on it.
      content: turn.text,
      ...(reasoning === undefined ? {} : { [reasoning.field]: reasoning.text }),
      ...(turn.calls.length === 0
        ? {}
        : {
            tool_calls: turn.calls.map(({ call }) => ({
              id: call.id,
              type: 'function' as const,
              function: { name: call.name, arguments: JSON.stringify(inputObject(call.input)) },
            })),
          }),
    },
    ...turn.calls.map(({ outcome }) => ({
      role: 'tool' as const,
      tool_call_id: outcome.callId,
      content: outcome.text,
    })),
  ];
}

function isKeptReasoning(value: unknown): value is KeptReasoning {
  return isRecord(value) && value['kind'] === 'openai-reasoning' && typeof value['text'] === 'string';
}

/** Every call id of a conversation. */
export function callIds(request: ChatRequest): Set<string> {
  const ids = request.messages.flatMap((message) =>
    message.role === 'assistant' ? message.toolCalls.map((call) => call.id) : [],
  );
  return new Set(ids);
}

/**
 * The dialect to try next after a refusal; undefined when the words are about something else.
 * @param words what the server said to status 400 or 422
 */
export function adapted(dialect: Dialect, words: string): Dialect | undefined {
  if (dialect.outputLimit === 'max_tokens' && /max_completion_tokens/u.test(words)) {
    return { ...dialect, outputLimit: 'max_completion_tokens' };
  }
  if (dialect.streamOptions && /stream_options|include_usage/u.test(words)) {
    return { ...dialect, streamOptions: false };
  }
  if (
    !dialect.echoesReasoning &&
    /reasoning(?:_content)?\b/u.test(words) &&
    /missing|must|required/iu.test(words)
  ) {
    return { ...dialect, echoesReasoning: true };
  }
  return undefined;
}

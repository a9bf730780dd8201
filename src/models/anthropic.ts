import Anthropic from '@anthropic-ai/sdk';
import type { ChatModel, ChatOptions, ChatReply, ChatRequest } from '../core/chat.ts';
import { AnthropicReply } from './anthropic-reply.ts';
import { messageParams } from './anthropic-request.ts';
import { CallWatch } from './call-watch.ts';
import { openBody, type ServerEvent } from './event-stream.ts';
import { type CallContext, cutOff, failureOf, malformed, rejection } from './failure.ts';
import { createFetch } from './http.ts';
import { isRecord, type JsonRecord, parseJson } from './json.ts';
import { sendPatiently } from './send.ts';
import type { Endpoint } from './settings.ts';

const HOSTED = 'https://api.anthropic.com';
/** The SDK's own limits are replaced by CallWatch, milliseconds. */
const NO_TIMEOUT = 2_147_483_647;

/** Errors inside a stream have a type but no status; these are the statuses the API gives them otherwise. */
const STATUS_OF: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
};

/**
 * Anthropic's Messages API, at its own address or at a configured one that speaks it. A call may last as long as the
 * server goes on: `silenceSeconds` limits the time between two events (and before the first), not the whole.
 */
export class AnthropicModel implements ChatModel {
  readonly id: string;
  readonly #endpoint: Endpoint;
  readonly #client: Anthropic;

  constructor(endpoint: Endpoint) {
    this.id = endpoint.model;
    this.#endpoint = endpoint;
    this.#client = new Anthropic({
      baseURL: endpoint.baseUrl,
      // Any value keeps the SDK from looking for keys in variables and in files; createFetch sends the real one or none.
      apiKey: 'unused',
      webhookKey: null,
      logLevel: 'off',
      openTelemetry: false,
      defaultQuery: { ...endpoint.query },
      maxRetries: 0,
      timeout: NO_TIMEOUT,
      fetch: createFetch(credentials(endpoint)),
    });
  }

  async complete(request: ChatRequest, options: ChatOptions): Promise<ChatReply> {
    const watch = new CallWatch(this.#endpoint.silenceSeconds, options.signal);
    const context: CallContext = {
      endpoint: this.#endpoint,
      watch,
      toolsOffered: request.tools.length > 0,
      maxOutputTokens: request.maxOutputTokens,
    };
    try {
      return await this.#attempt(request, options, context);
    } catch (error) {
      throw failureOf(error, context);
    } finally {
      watch.stop();
    }
  }

  async #attempt(request: ChatRequest, options: ChatOptions, context: CallContext): Promise<ChatReply> {
    const params = messageParams(request, this.#endpoint.model);
    const response = await sendPatiently(
      () => this.#client.messages.create(params, { signal: context.watch.signal }).asResponse(),
      context,
    );
    context.watch.progress();
    const assembly = new AnthropicReply((delta) => options.onText?.(delta));
    const body = await openBody(response, context.watch);
    if (body.kind === 'document') acceptDocument(assembly, body.text, context);
    else await acceptEvents(assembly, body.events, context);
    return assembly.reply();
  }
}

/** The SDK's own header; servers that copy the API may know only the older one. */
function credentials(endpoint: Endpoint): Record<string, string> {
  if (endpoint.apiKey === undefined) return {};
  const bearer = { authorization: `Bearer ${endpoint.apiKey}` };
  return endpoint.baseUrl === HOSTED ? bearer : { ...bearer, 'x-api-key': endpoint.apiKey };
}

async function acceptEvents(
  assembly: AnthropicReply,
  events: AsyncIterable<ServerEvent>,
  context: CallContext,
): Promise<void> {
  for await (const event of events) {
    const value = parseJson(event.data);
    if (isRecord(value)) {
      context.watch.progress();
      if (value['type'] === 'error' || event.event === 'error')
        throw streamError(value, event.data, assembly, context);
      assembly.accept(value);
    } else if (/^\s*\{/u.test(event.data)) {
      throw cutOff(assembly.length, context.endpoint);
    }
    if (assembly.ended) return;
  }
  throw cutOff(assembly.length, context.endpoint);
}

function acceptDocument(assembly: AnthropicReply, text: string, context: CallContext): void {
  const value = parseJson(text);
  if (!isRecord(value)) {
    throw malformed(
      text.startsWith('<') ? `a web page instead of JSON: ${text}` : `no JSON object: ${text}`,
      context.endpoint,
    );
  }
  if (value['type'] === 'error' || isRecord(value['error']))
    throw streamError(value, text, assembly, context);
  if (!Array.isArray(value['content'])) throw malformed(`a reply without content: ${text}`, context.endpoint);
  assembly.acceptMessage(value);
}

function streamError(value: JsonRecord, body: string, assembly: AnthropicReply, context: CallContext): Error {
  const error = value['error'];
  const type = isRecord(error) ? String(error['type']) : '';
  return rejection({ status: STATUS_OF[type] ?? 200, body, partial: assembly.length }, context);
}

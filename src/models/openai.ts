import OpenAI from 'openai';
import type { ChatModel, ChatOptions, ChatReply, ChatRequest } from '../core/chat.ts';
import { isKbError } from '../core/errors.ts';
import { estimateTokens } from '../core/text.ts';
import { CallWatch } from './call-watch.ts';
import { openBody, type ServerEvent } from './event-stream.ts';
import { type CallContext, cutOff, failureOf, malformed, overflowError, rejection } from './failure.ts';
import { createFetch } from './http.ts';
import { isRecord, type JsonRecord, parseJson } from './json.ts';
import { OpenAiReply } from './openai-reply.ts';
import { adapted, callIds, createParams, type Dialect, FIRST_DIALECT } from './openai-request.ts';
import { sendPatiently } from './send.ts';
import type { Endpoint } from './settings.ts';

/** Smallest window a common server has by default (older Ollama), tokens. */
const SMALLEST_WINDOW = 2048;
/** Room left between prompt, answer and window when the answer is shortened to fit, tokens. */
const FIT_MARGIN = 32;
const FIT_LEAST = 128;
/** Each attempt after the first has learned one thing; there are not more to learn. */
const ATTEMPTS = 4;
/** The SDK's own limits are replaced by CallWatch, milliseconds. */
const NO_TIMEOUT = 2_147_483_647;

interface Attempt {
  readonly reply: ChatReply;
  readonly sawChoice: boolean;
}

/**
 * Any server that speaks OpenAI's `/chat/completions`, at the base URL given and nowhere else. The SDK sends; the reply is
 * read here, because the SDK's reader gives up on what local servers send (comments as data, errors without `error`,
 * missing indexes) and hides whether a stream was whole.
 *
 * A call may last as long as the server goes on: `silenceSeconds` limits the time between two events (and before the
 * first), not the whole.
 */
export class OpenAiModel implements ChatModel {
  readonly id: string;
  readonly #endpoint: Endpoint;
  readonly #client: OpenAI;
  #dialect: Dialect = FIRST_DIALECT;

  constructor(endpoint: Endpoint) {
    this.id = endpoint.model;
    this.#endpoint = endpoint;
    this.#client = new OpenAI({
      baseURL: endpoint.baseUrl,
      // The SDK wants one; createFetch sends the real one or none.
      apiKey: 'unused',
      // Each would otherwise be read from an OPENAI_* variable that is about another server.
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      defaultQuery: { ...endpoint.query },
      maxRetries: 0,
      timeout: NO_TIMEOUT,
      fetch: createFetch(endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` }),
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
      const streamed = await this.#converse(request, options, context, true);
      if (!isEmpty(streamed.reply)) return streamed.reply;
      // Some servers lose a tool call only when they stream it.
      const whole = context.toolsOffered ? await this.#converse(request, options, context, false) : streamed;
      if (isEmpty(whole.reply) && !whole.sawChoice) requireFit(request);
      return whole.reply;
    } catch (error) {
      throw failureOf(error, context);
    } finally {
      watch.stop();
    }
  }

  /** One reply, asked for again while the server's refusals teach how to ask. */
  async #converse(
    request: ChatRequest,
    options: ChatOptions,
    context: CallContext,
    stream: boolean,
  ): Promise<Attempt> {
    let asked = request;
    let heard = false;
    const onText = (delta: string) => {
      heard = true;
      options.onText?.(delta);
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(asked, onText, context, stream);
      } catch (error) {
        const failure = failureOf(error, context);
        // Text that has been shown cannot be asked for again.
        const next = attempt < ATTEMPTS && !heard ? this.#learn(failure, asked) : undefined;
        if (next === undefined) throw failure;
        asked = next;
        context.watch.progress();
      }
    }
  }

  /** The request to try next after a refusal, or undefined when there is nothing to change. */
  #learn(failure: unknown, asked: ChatRequest): ChatRequest | undefined {
    if (isKbError(failure, 'model-overflow')) return fitted(asked, failure.details);
    if (!isKbError(failure, 'model-rejected') || ![400, 422].includes(failure.details.status))
      return undefined;
    const dialect = adapted(this.#dialect, failure.details.body);
    if (dialect === undefined) return undefined;
    this.#dialect = dialect;
    return asked;
  }

  async #attempt(
    request: ChatRequest,
    onText: (delta: string) => void,
    context: CallContext,
    stream: boolean,
  ): Promise<Attempt> {
    const params = createParams(request, this.#endpoint.model, stream, this.#dialect);
    const response = await sendPatiently(
      () => this.#client.chat.completions.create(params, { signal: context.watch.signal }).asResponse(),
      context,
    );
    context.watch.progress();
    const assembly = new OpenAiReply({
      request,
      takenIds: callIds(request),
      opensReasoningUnseen: this.#dialect.opensReasoningUnseen,
      onText,
    });
    const body = await openBody(response, context.watch);
    if (body.kind === 'document') acceptDocument(assembly, body.text, context);
    else await acceptEvents(assembly, body.events, context);
    const reply = assembly.reply();
    if (assembly.opensReasoningUnseen) this.#dialect = { ...this.#dialect, opensReasoningUnseen: true };
    return { reply, sawChoice: assembly.sawChoice };
  }
}

async function acceptEvents(
  assembly: OpenAiReply,
  events: AsyncIterable<ServerEvent>,
  context: CallContext,
): Promise<void> {
  let done = false;
  try {
    for await (const event of events) {
      if (event.data.trimStart().startsWith('[DONE]')) {
        done = true;
        break;
      }
      acceptEvent(assembly, event, context);
    }
  } catch (error) {
    // A server that drops the connection after its last word has still said it.
    const failure = failureOf(error, context);
    if (!assembly.finished || !isKbError(failure, 'model-unreachable')) throw failure;
  }
  if (!done && !assembly.finished) throw cutOff(assembly.length, context.endpoint);
}

function acceptEvent(assembly: OpenAiReply, event: ServerEvent, context: CallContext): void {
  for (const value of valuesOf(event.data, assembly, context)) {
    context.watch.progress();
    refuseErrors(value, event, assembly.length, context);
    assembly.accept(value);
  }
}

/** The JSON objects of an event; comments that a proxy turned into data (`data: : keep-alive`) are none. */
function valuesOf(data: string, assembly: OpenAiReply, context: CallContext): JsonRecord[] {
  const whole = parseJson(data);
  if (whole !== undefined) return isRecord(whole) ? [whole] : [];
  const values: JsonRecord[] = [];
  for (const line of data.split('\n')) {
    const text = line.trim();
    if (text === '' || text.startsWith(':')) continue;
    const value = parseJson(text);
    if (isRecord(value)) values.push(value);
    // An event cut by the end of the connection is no odd event but a cut stream.
    else if (/^[{[]/u.test(text)) throw cutOff(assembly.length, context.endpoint);
    else throw malformed(`not an event of a chat completion: ${text}`, context.endpoint);
  }
  return values;
}

function acceptDocument(assembly: OpenAiReply, text: string, context: CallContext): void {
  const value = parseJson(text);
  if (!isRecord(value)) {
    throw malformed(
      text.startsWith('<') ? `a web page instead of JSON: ${text}` : `no JSON object: ${text}`,
      context.endpoint,
    );
  }
  refuseErrors(value, { data: text }, 0, context);
  if (!('choices' in value)) throw malformed(`a reply without choices: ${text}`, context.endpoint);
  assembly.accept(value);
}

/** Errors come inside replies of status 200 too: as `error`, as vLLM's `object: "error"`, as an event named error. */
function refuseErrors(value: JsonRecord, event: ServerEvent, partial: number, context: CallContext): void {
  const named = event.event === 'error' || value['object'] === 'error' || value['type'] === 'error';
  const error = value['error'];
  const bare = value['choices'] === undefined && ('message' in value || 'detail' in value);
  if (!named && !bare && (error === undefined || error === null || error === false || error === '')) return;
  throw rejection({ status: statusIn(error) ?? statusIn(value) ?? 200, body: event.data, partial }, context);
}

/** Errors inside replies may name the status they stand for, as a number or as text. */
function statusIn(error: unknown): number | undefined {
  if (!isRecord(error)) return undefined;
  const code = Number(error['code'] ?? error['status']);
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined;
}

function isEmpty(reply: ChatReply): boolean {
  return reply.stop === 'end' && reply.message.text.trim() === '' && reply.message.toolCalls.length === 0;
}

/** The request with an answer short enough for the window, when it was the answer's share that did not fit. */
function fitted(
  request: ChatRequest,
  overflow: { readonly window?: number; readonly prompt?: number },
): ChatRequest | undefined {
  if (overflow.window === undefined || overflow.prompt === undefined) return undefined;
  const room = overflow.window - overflow.prompt - FIT_MARGIN;
  return room >= FIT_LEAST && room < request.maxOutputTokens
    ? { ...request, maxOutputTokens: room }
    : undefined;
}

/** LM Studio answers a prompt beyond its window with status 200 and nothing at all. */
function requireFit(request: ChatRequest): void {
  const prompt = estimateTokens(JSON.stringify([request.system, request.messages, request.tools]));
  if (prompt <= SMALLEST_WINDOW) return;
  throw overflowError(
    { prompt },
    'the server answered with nothing at all, as some do when a prompt is too long; the number of tokens is an estimate',
  );
}

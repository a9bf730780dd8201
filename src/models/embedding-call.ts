import { setTimeout as sleep } from 'node:timers/promises';
import { KbError } from '../core/errors.ts';
import {
  connectionFailure,
  embedderMalformed,
  embedderRejected,
  embedderTimeout,
  embeddingAborted,
} from './embedding-failure.ts';
import { type SizeRefusal, sizeRefusal } from './embedding-refusal.ts';
import { type EmbeddingReply, readReply } from './embedding-reply.ts';
import type { Refusal } from './failure.ts';
import { createFetch } from './http.ts';
import { isRecord, parseJson } from './json.ts';
import type { Endpoint } from './settings.ts';

/** What a call may take. */
export interface CallLimits {
  readonly signal: AbortSignal;
  /** One attempt, seconds. */
  readonly seconds: number;
  /** Moment (`performance.now()`) at which all attempts end; a query has one. */
  readonly deadline?: number;
}

export type CallOutcome =
  | (Extract<EmbeddingReply, { kind: 'vectors' }> & { readonly seconds: number })
  /** Too much for the server; `error` is what to throw when nothing can be made smaller. */
  | { readonly kind: 'too-large'; readonly size: SizeRefusal; readonly error: KbError };

const ATTEMPTS = 3;
/** A server that asks for a longer wait is reported instead of waited for, seconds. */
const PAUSE_MAX = 30;
const PAUSE_FIRST = 0.1;
/** Each further pause is so many times as long. */
const PAUSE_GROWTH = 4;
/** "Not now", and faults of a moment. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504, 529]);
/** Waiting does not help against an empty account. */
const NO_CREDIT = /insufficient_quota|billing|credit balance/iu;
/** No reply is longer: 2,048 vectors of 4,096 numbers written out. Bytes. */
const REPLY_MAX = 256_000_000;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly retryAfter: string | null;
}

/**
 * Asks for the vectors of some texts, at the configured address and nowhere else. Tried again while the server is only
 * busy or the connection breaks, never for another refusal; a query (a call with a deadline) is tried once.
 * @throws KbError `aborted`, `embedder-unreachable`, `embedder-timeout`, `embedder-rejected`, `embedder-malformed`
 */
export async function callEmbeddings(
  endpoint: Endpoint,
  inputs: readonly string[],
  dimensions: number | undefined,
  limits: CallLimits,
): Promise<CallOutcome> {
  // Without encoding_format a server may answer base64, which some of them fill with zeros.
  const asked = { model: endpoint.model, input: inputs, encoding_format: 'float' };
  const body = JSON.stringify(dimensions === undefined ? asked : { ...asked, dimensions });
  const attempts = limits.deadline === undefined ? ATTEMPTS : 1;
  for (let attempt = 1; ; attempt += 1) {
    const started = performance.now();
    const outcome = await attemptOf(
      () => request(endpoint, '/embeddings', limits, body),
      inputs.length,
      endpoint,
    );
    if (outcome.kind === 'vectors') return { ...outcome, seconds: (performance.now() - started) / 1000 };
    if (outcome.kind === 'too-large') return outcome;
    if (attempt >= attempts || outcome.pause === undefined) throw outcome.error;
    await pause(outcome.pause * PAUSE_GROWTH ** (attempt - 1), limits);
  }
}

/** `GET /models`, as the server answers it. @throws as {@link callEmbeddings} */
export async function fetchModels(
  endpoint: Endpoint,
  limits: CallLimits,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, text } = await request(endpoint, '/models', limits, undefined);
  return { status, body: parseJson(text) };
}

/** A connection that broke may hold the next time; one that was refused will be refused. */
function isBroken(error: KbError): boolean {
  return error.code === 'embedder-unreachable' && error.message.includes('broke off');
}

type Outcome =
  | Extract<EmbeddingReply, { kind: 'vectors' }>
  | Extract<CallOutcome, { kind: 'too-large' }>
  /** `pause`: seconds after which it is worth another try. */
  | { readonly kind: 'failed'; readonly error: KbError; readonly pause: number | undefined };

async function attemptOf(ask: () => Promise<Answer>, count: number, endpoint: Endpoint): Promise<Outcome> {
  try {
    return outcomeOf(await ask(), count, endpoint);
  } catch (error) {
    if (!(error instanceof KbError)) throw error;
    return { kind: 'failed', error, pause: isBroken(error) ? PAUSE_FIRST : undefined };
  }
}

function outcomeOf(answer: Answer, count: number, endpoint: Endpoint): Outcome {
  const { status, text, location } = answer;
  if (status >= 200 && status < 300) {
    const reply = readReply(text, count);
    if (reply.kind === 'vectors') return reply;
    if (reply.kind === 'malformed')
      return { kind: 'failed', error: embedderMalformed(reply.reason, endpoint), pause: undefined };
  }
  const refusal: Refusal = {
    status: status < 300 ? 200 : status,
    body: text,
    ...(location === null ? {} : { location }),
  };
  const error = embedderRejected(refusal, endpoint);
  const size = sizeRefusal(refusal.status, text);
  if (size !== undefined) return { kind: 'too-large', size, error };
  return { kind: 'failed', error, pause: pauseFor(answer) };
}

function pauseFor({ status, text, retryAfter }: Answer): number | undefined {
  if (!PASSING.has(status) || NO_CREDIT.test(text)) return undefined;
  if (retryAfter === null) return PAUSE_FIRST;
  const given = Number(retryAfter);
  const seconds = Number.isFinite(given) ? given : (Date.parse(retryAfter) - Date.now()) / 1000;
  if (!Number.isFinite(seconds)) return PAUSE_FIRST;
  return seconds > PAUSE_MAX ? undefined : Math.max(seconds, 0);
}

async function pause(seconds: number, limits: CallLimits): Promise<void> {
  try {
    await sleep(Math.min(seconds, PAUSE_MAX) * 1000, undefined, { signal: limits.signal });
  } catch {
    throw embeddingAborted();
  }
}

async function request(
  endpoint: Endpoint,
  path: string,
  limits: CallLimits,
  body: string | undefined,
): Promise<Answer> {
  const left = limits.deadline === undefined ? Number.POSITIVE_INFINITY : limits.deadline - performance.now();
  const milliseconds = Math.max(1, Math.min(limits.seconds * 1000, left, 2_147_483_647));
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), milliseconds);
  const signal = AbortSignal.any([limits.signal, clock.signal]);
  const url = new URL(`${endpoint.baseUrl}${path}`);
  for (const [name, value] of Object.entries(endpoint.query)) url.searchParams.set(name, value);
  const send = createFetch(
    endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` },
  );
  try {
    signal.throwIfAborted();
    const response = await send(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', 'user-agent': 'kb' },
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const { status, headers } = response;
    const text = await readBody(response, endpoint);
    // A body that was cut off by the clock may end without an error.
    signal.throwIfAborted();
    const isRefused = status < 200 || status >= 300;
    return {
      status,
      text: isRefused ? rawOf(text) : text,
      location: headers.get('location'),
      retryAfter: headers.get('retry-after'),
    };
  } catch (error) {
    if (limits.signal.aborted) throw embeddingAborted();
    if (clock.signal.aborted) throw embedderTimeout(limits.seconds, limits.deadline !== undefined);
    throw connectionFailure(error, endpoint);
  } finally {
    clearTimeout(timer);
  }
}

async function readBody(response: Response, endpoint: Endpoint): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    parts.push(part);
    length += part.length;
    if (length > REPLY_MAX) throw embedderMalformed(`it is longer than ${REPLY_MAX} bytes`, endpoint);
  }
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/^\ufeff/u, '');
}

/** The body of a refusal, out of what createFetch keeps it in. */
function rawOf(text: string): string {
  const kept = parseJson(text);
  const inner = isRecord(kept) ? kept['error'] : undefined;
  return isRecord(inner) && typeof inner['raw'] === 'string' ? inner['raw'] : '';
}

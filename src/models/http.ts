import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';

/**
 * The `fetch` both SDKs are given. Node's own one gives up after 300 seconds without a byte, which a large model on a
 * laptop needs for a long prompt; it follows redirects, which would carry a prompt to a host nobody named; and the SDKs
 * add headers from environment variables of their own. This one does none of it: how long is decided by CallWatch, where
 * by the URL, and the headers are the few listed here.
 */
export type HttpFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const KEPT_HEADERS = ['accept', 'content-type', 'user-agent', 'anthropic-version'] as const;
/** Statuses that have no body; `Response` refuses one. */
const BODILESS = new Set([204, 205, 304]);
const ERROR_BODY_MAX = 64_000;

/** @param credentials headers that prove who asks; empty for a server without keys */
export function createFetch(credentials: Readonly<Record<string, string>>): HttpFetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const incoming = await send(url, init, credentials);
    const status = incoming.statusCode ?? 0;
    const headers = responseHeaders(incoming);
    if (status >= 200 && status < 300) {
      const body = BODILESS.has(status) ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
      return new Response(body, { status, headers });
    }
    // The SDKs keep of an error body only what is under `error`; vLLM and others put their words elsewhere.
    const raw = await readStart(incoming);
    return new Response(JSON.stringify({ error: { raw } }), { status: Math.max(status, 300), headers });
  };
}

function send(
  url: URL,
  init: RequestInit,
  credentials: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  const given = new Headers(init.headers);
  const headers: Record<string, string> = { 'accept-encoding': 'identity', ...credentials };
  for (const name of KEPT_HEADERS) {
    const value = given.get(name);
    if (value !== null) headers[name] = value;
  }
  const body = typeof init.body === 'string' ? init.body : '';
  headers['content-length'] = String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: init.method ?? 'GET',
      headers,
      // A fresh connection a call: a kept one may have been closed by the server at that very moment.
      agent: false,
      ...(init.signal ? { signal: init.signal } : {}),
    });
    request.on('error', reject);
    request.on('response', resolve);
    request.end(body);
  });
}

function responseHeaders(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const name of ['content-type', 'location', 'retry-after']) {
    const value = incoming.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}

async function readStart(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of incoming) {
      parts.push(part);
      length += part.length;
      if (length >= ERROR_BODY_MAX) break;
    }
  } catch {
    // The status is the answer; as much of the body as came explains it.
  }
  return Buffer.concat(parts).toString('utf8');
}

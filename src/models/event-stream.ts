import { KbError } from '../core/errors.ts';
import type { CallWatch } from './call-watch.ts';

/** One server-sent event. */
export interface ServerEvent {
  readonly event?: string;
  /** Its `data` lines, joined by line breaks. */
  readonly data: string;
}

/** No reply of a model is longer; a server that sends more without an end of line is not one. Characters. */
const BUFFER_MAX = 32_000_000;

/**
 * The body of a response as text, as it arrives; bytes of a character split over packets are joined.
 * @throws what {@link CallWatch.ended} says when the call is ended; the connection's own error when it breaks
 */
export async function* readText(response: Response, watch: CallWatch): AsyncGenerator<string> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const stop = () => {
    reader.cancel().catch(() => undefined);
  };
  watch.signal.addEventListener('abort', stop, { once: true });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const ended = watch.ended();
      if (ended !== undefined) throw ended;
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    watch.signal.removeEventListener('abort', stop);
    stop();
  }
}

/**
 * Cuts text into server-sent events: CRLF, LF or CR, comments dropped, packets cut anywhere. An event not closed by an
 * empty line at the end of the text is given too (servers forget it); whether it is whole is for its reader to see.
 */
export async function* parseEvents(texts: AsyncIterable<string>): AsyncGenerator<ServerEvent> {
  const builder = new EventBuilder();
  for await (const line of linesOf(texts)) {
    const event = builder.line(line);
    if (event !== undefined) yield event;
  }
  const last = builder.line('');
  if (last !== undefined) yield last;
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let halfEnd = false;
  for await (const text of texts) {
    if (text === '') continue;
    const mayEndLine = halfEnd || /[\r\n]/u.test(text);
    halfEnd = text.endsWith('\r');
    rest += text;
    if (rest.length > BUFFER_MAX) throw tooLong();
    // One very long line is not searched again with every packet.
    if (!mayEndLine) continue;
    // A CR at the very end may be half of a CRLF: it waits for the next packet.
    const lines = rest.split(/\r\n|\n|\r(?!$)/u);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest.replace(/\r$/u, '');
}

class EventBuilder {
  #event: string | undefined;
  #data: string[] = [];

  /** Takes one line; gives the event that an empty line closes. */
  line(line: string): ServerEvent | undefined {
    if (line === '') return this.#close();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = (colon < 0 ? line : line.slice(0, colon)).replace(/^\ufeff/u, '');
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /u, '');
    if (field === 'data') this.#data.push(value);
    if (field === 'event') this.#event = value;
    return undefined;
  }

  #close(): ServerEvent | undefined {
    const event = this.#event;
    const data = this.#data;
    this.#event = undefined;
    this.#data = [];
    if (data.length === 0) return undefined;
    return event === undefined ? { data: data.join('\n') } : { event, data: data.join('\n') };
  }
}

/** What a body turned out to be, whatever its content type says. */
export type ReplyBody =
  | { readonly kind: 'events'; readonly events: AsyncGenerator<ServerEvent> }
  /** One JSON text, read to its end: a server may answer a streaming request so, and reports errors so. */
  | { readonly kind: 'document'; readonly text: string };

/** Tells an event stream from a JSON (or HTML) document by its first character. */
export async function openBody(response: Response, watch: CallWatch): Promise<ReplyBody> {
  const texts = readText(response, watch);
  let start = '';
  while (start.trim() === '') {
    const next = await texts.next();
    if (next.done === true) return { kind: 'events', events: parseEvents(one(start)) };
    start += next.value;
    if (start.length > BUFFER_MAX) throw tooLong();
  }
  if (!/^[\s\ufeff]*[{[<]/u.test(start)) return { kind: 'events', events: parseEvents(joined(start, texts)) };
  let text = start;
  for await (const more of texts) {
    watch.progress();
    text += more;
    if (text.length > BUFFER_MAX) throw tooLong();
  }
  return { kind: 'document', text: text.replace(/^\ufeff/u, '').trim() };
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}

async function* joined(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start;
  yield* rest;
}

function tooLong(): KbError<'model-malformed'> {
  return new KbError('model-malformed', 'the model server sends without end', {
    reason: `more than ${BUFFER_MAX} characters without the end of a line`,
  });
}

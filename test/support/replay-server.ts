import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server sends as one packet: bytes as they are, text as UTF-8, a number as a pause in milliseconds. */
export type Packet = string | Uint8Array | number;

export interface Recording {
  /** 200 when left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly packets: readonly Packet[];
  /** How the body ends: complete, connection dropped in the middle, or never. */
  readonly end?: 'complete' | 'cut' | 'never';
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body; undefined when it is no JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** A real HTTP server on 127.0.0.1 that answers each request with the next recording and keeps what it was sent. */
export class ReplayServer {
  readonly requests: RecordedRequest[] = [];
  /** Connections the other side closed before their reply was complete. */
  abandoned = 0;
  readonly #server: Server;
  readonly #recordings: Recording[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(...recordings: readonly Recording[]): Promise<ReplayServer> {
    const server = createServer();
    const replay = new ReplayServer(server);
    replay.add(...recordings);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        replay.requests.push({
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          text,
          body: parsed(text),
        });
        void replay.#answer(response);
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return replay;
  }

  /** Adds recordings for the requests to come. */
  add(...recordings: readonly Recording[]): void {
    this.#recordings.push(...recordings);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #answer(response: ServerResponse): Promise<void> {
    const recording = this.#recordings.shift() ?? { status: 500, packets: ['no recording left'] };
    response.on('close', () => {
      if (!response.writableFinished && recording.end !== 'cut') this.abandoned += 1;
    });
    response.writeHead(recording.status ?? 200, {
      'content-type': 'text/event-stream',
      ...recording.headers,
    });
    response.flushHeaders();
    for (const packet of recording.packets) {
      if (typeof packet === 'number') await new Promise((resolve) => setTimeout(resolve, packet));
      else await new Promise((resolve) => response.write(packet, resolve));
    }
    if (recording.end === 'cut') response.destroy();
    else if (recording.end !== 'never') response.end();
  }
}

function parsed(text: string): RecordedRequest['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Server-sent events, one packet each: objects as JSON, text as it is. */
export function events(...data: readonly unknown[]): string[] {
  return data.map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`);
}

/** Named events as Anthropic sends them, one packet each. */
export function namedEvents(
  ...data: readonly { readonly type: string; readonly [key: string]: unknown }[]
): string[] {
  return data.map((item) => `event: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`);
}

/** The same bytes cut into packets of a given size, characters split too. */
export function split(packets: readonly string[], size: number): Uint8Array[] {
  const bytes = Buffer.from(packets.join(''), 'utf8');
  const parts: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += size) parts.push(bytes.subarray(start, start + size));
  return parts;
}

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashedEmbedding } from './hashed-embedding.ts';

export { hashedEmbedding };

/** What is wrong with an answer that has status 200. */
export type BadReply =
  | 'base64'
  | 'shuffled'
  | 'short'
  | 'repeated-index'
  | 'no-index'
  | 'shuffled-without-index'
  | 'zero'
  | 'nan'
  | 'null'
  | 'infinity'
  | 'empty-vector'
  | 'ragged'
  | 'object'
  | 'object-vector'
  | 'long-vectors'
  | 'error'
  | 'web-page'
  | 'positions';

/** How the server behaves; may be changed while it runs. */
export interface Behaviour {
  readonly dimensions?: number;
  readonly reply?: BadReply;
  /** Another model's name in the reply. */
  readonly answersAs?: string;
  /** More texts in one request are refused. */
  readonly maxItems?: number;
  /** A text with more tokens (words and signs) is refused, in the words of llama.cpp (500) or without numbers (400). */
  readonly maxInputTokens?: number;
  readonly tokenRefusal?: 'llama.cpp' | 'openai' | 'without-numbers';
  /** A text is silently cut to so many tokens. */
  readonly cutsAt?: number;
  /** A longer body is refused with 413. */
  readonly maxBytes?: number;
  /** So many requests are refused first. */
  readonly refusesFirst?: number;
  readonly refusal?: { readonly status: number; readonly body?: string; readonly retryAfter?: string };
  /** No answer at all, or half of one. */
  readonly trouble?: 'hang' | 'hang-in-body' | 'close' | 'close-in-body';
  /** Milliseconds each text takes. */
  readonly slowness?: number;
  readonly key?: string;
  /** What `/models` lists; undefined: the server has no such list. */
  readonly models?: readonly string[];
}

export interface EmbeddingRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The texts. */
  readonly input: readonly string[];
  /** Status of the answer; undefined while there is none. */
  status: number | undefined;
}

/** A real HTTP server on 127.0.0.1 that speaks the embeddings API; its vectors are those of {@link hashedEmbedding}. */
export class EmbeddingServer {
  /** To `/embeddings`, in the order they came. */
  readonly requests: EmbeddingRequest[] = [];
  behaviour: Behaviour;
  readonly #server: Server;
  #refused = 0;

  private constructor(server: Server, behaviour: Behaviour) {
    this.#server = server;
    this.behaviour = behaviour;
  }

  static async start(behaviour: Behaviour = {}): Promise<EmbeddingServer> {
    const server = createServer();
    const embeddings = new EmbeddingServer(server, behaviour);
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        void embeddings.#answer(request.url ?? '', request.headers, text, response);
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return embeddings;
  }

  /** For `base_url`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** Texts that got a vector, in the order they were sent. */
  get embedded(): readonly string[] {
    return this.requests.filter((request) => request.status === 200).flatMap((request) => request.input);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  async #answer(
    path: string,
    headers: IncomingHttpHeaders,
    text: string,
    response: ServerResponse,
  ): Promise<void> {
    const { key, models } = this.behaviour;
    if (key !== undefined && headers.authorization !== `Bearer ${key}`) {
      send(response, 401, { error: { message: `Incorrect API key provided: ${headers.authorization}` } });
    } else if (path.split('?')[0] === '/v1/models' && models !== undefined) {
      send(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
    } else if (path.split('?')[0] === '/v1/embeddings') {
      const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
      const input = typeof body['input'] === 'string' ? [body['input']] : (body['input'] as string[]);
      const request: EmbeddingRequest = {
        path,
        headers,
        bytes: Buffer.byteLength(text),
        body,
        input,
        status: undefined,
      };
      this.requests.push(request);
      await this.#embed(request, response);
    } else {
      send(response, 404, { error: { message: 'Not Found' } });
    }
  }

  async #embed(request: EmbeddingRequest, response: ServerResponse): Promise<void> {
    const { behaviour } = this;
    if (behaviour.trouble === 'hang') return;
    if (behaviour.trouble === 'close') {
      response.destroy();
      return;
    }
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) {
      request.status = refusal.status;
      const headers = refusal.retryAfter === undefined ? {} : { 'retry-after': refusal.retryAfter };
      send(response, refusal.status, refusal.body, headers);
      return;
    }
    if (behaviour.slowness !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, (behaviour.slowness ?? 0) * request.input.length));
    }
    const text = replyText(request, behaviour);
    if (behaviour.trouble !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
      response.write(text.slice(0, text.length / 2));
      if (behaviour.trouble === 'close-in-body') setTimeout(() => response.destroy(), 20);
      return;
    }
    request.status = 200;
    send(response, 200, text);
  }

  #refusalOf({
    bytes,
    input,
  }: EmbeddingRequest): { status: number; body: unknown; retryAfter?: string } | undefined {
    const { behaviour } = this;
    const { maxBytes, maxItems, maxInputTokens, refusesFirst = 0, refusal } = behaviour;
    if (refusal !== undefined && (behaviour.refusesFirst === undefined || this.#refused < refusesFirst)) {
      this.#refused += 1;
      return {
        status: refusal.status,
        body: refusal.body ?? { error: { message: 'The server is busy' } },
        ...(refusal.retryAfter === undefined ? {} : { retryAfter: refusal.retryAfter }),
      };
    }
    if (maxBytes !== undefined && bytes > maxBytes) {
      return { status: 413, body: '<html><body><h1>413 Request Entity Too Large</h1></body></html>' };
    }
    if (maxItems !== undefined && input.length > maxItems) {
      return {
        status: 422,
        body: {
          error: `batch size ${input.length} > maximum allowed batch size ${maxItems}`,
          error_type: 'Validation',
        },
      };
    }
    const longest = Math.max(...input.map((text) => tokensOf(text).length));
    if (maxInputTokens === undefined || longest <= maxInputTokens) return undefined;
    return tokenRefusal(behaviour.tokenRefusal ?? 'llama.cpp', longest, maxInputTokens);
  }
}

/** Tokens as this server counts them: words and signs. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? [];
}

function tokenRefusal(kind: NonNullable<Behaviour['tokenRefusal']>, given: number, limit: number) {
  const words = {
    'llama.cpp': `input (${given} tokens) is too large to process. increase the physical batch size (current batch size: ${limit})`,
    openai: `This model's maximum context length is ${limit} tokens, however you requested ${given} tokens (${given} in your prompt; 0 for the completion). Please reduce your prompt; or completion length.`,
    'without-numbers': 'the input length exceeds the context length',
  }[kind];
  return { status: kind === 'llama.cpp' ? 500 : 400, body: { error: { message: words, code: 400 } } };
}

function replyText(request: EmbeddingRequest, behaviour: Behaviour): string {
  const { reply, dimensions = 384, cutsAt } = behaviour;
  if (reply === 'web-page') return '<!doctype html><title>Welcome</title>';
  if (reply === 'error') return JSON.stringify({ error: { message: 'Model is not embedding' } });
  const data: unknown[] = request.input.map((text, index) => {
    const seen = cutsAt === undefined ? text : tokensOf(text).slice(0, cutsAt).join(' ');
    return {
      object: 'embedding',
      index,
      embedding: spoiled([...hashedEmbedding(seen, dimensions)], index, reply),
    };
  });
  const whole = {
    object: 'list',
    data: arranged(data, reply),
    model: behaviour.answersAs ?? request.body['model'],
    usage: { prompt_tokens: 1, total_tokens: 1 },
  };
  const text = JSON.stringify(whole);
  return reply === 'nan' || reply === 'infinity'
    ? text.replace('"!"', reply === 'nan' ? 'NaN' : '1e999')
    : text;
}

function spoiled(vector: readonly number[], index: number, reply: BadReply | undefined): unknown {
  const isFirst = index === 0;
  switch (reply) {
    case 'base64':
      return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
    case 'zero':
      return isFirst ? vector.map(() => 0) : vector;
    case 'nan':
    case 'infinity':
      return isFirst ? ['!', ...vector.slice(1)] : vector;
    case 'null':
      return isFirst ? [null, ...vector.slice(1)] : vector;
    case 'empty-vector':
      return [];
    case 'ragged':
      return isFirst ? vector.slice(1) : vector;
    case 'object-vector':
      return { ...vector };
    case 'long-vectors':
      return vector.map((value) => value * 20);
    default:
      return vector;
  }
}

function arranged(data: readonly unknown[], reply: BadReply | undefined): unknown {
  const items = data as readonly Readonly<Record<string, unknown>>[];
  switch (reply) {
    case 'shuffled':
      return [...items].reverse();
    case 'short':
      return items.slice(1);
    case 'repeated-index':
      return items.map((item) => ({ ...item, index: 0 }));
    case 'positions':
      return items.map((item, index) => ({ ...item, index: index + 1 }));
    case 'no-index':
      return items.map(({ embedding }) => ({ embedding }));
    case 'shuffled-without-index':
      return [...items].reverse().map(({ embedding }) => ({ embedding }));
    case 'object':
      return { ...items };
    default:
      return items;
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

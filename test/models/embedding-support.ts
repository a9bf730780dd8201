import { afterEach } from 'vitest';
import type { EmbeddingsConfig } from '../../src/core/config.ts';
import type { Embedder, EmbedderNotice } from '../../src/core/embedder.ts';
import { createEmbedder } from '../../src/models/create-embedder.ts';
import { type Behaviour, EmbeddingServer } from '../support/embedding-server.ts';

const servers: EmbeddingServer[] = [];

/** A server that stops after the test. To be called in a test file once for each server. */
export async function serve(behaviour: Behaviour = {}): Promise<EmbeddingServer> {
  const server = await EmbeddingServer.start(behaviour);
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

export const KEY = 'secret-key-1234';

export function embeddings(more: Partial<EmbeddingsConfig> = {}): EmbeddingsConfig {
  return {
    provider: 'openai',
    model: 'plain-model',
    timeoutSeconds: 5,
    queryTimeoutSeconds: 2,
    allowDownload: false,
    ...more,
  };
}

export function embedderAt(server: EmbeddingServer, more: Partial<EmbeddingsConfig> = {}): Promise<Embedder> {
  return createEmbedder(embeddings({ baseUrl: server.url, ...more }), { KB_KEY: KEY });
}

export interface Embedded {
  readonly vectors: readonly Float32Array[];
  readonly notices: readonly EmbedderNotice[];
}

/** Documents embedded, and what was told meanwhile. */
export async function embedAll(embedder: Embedder, texts: readonly string[]): Promise<Embedded> {
  const notices: EmbedderNotice[] = [];
  const vectors = await embedder.embed(texts, 'document', {
    signal: new AbortController().signal,
    onNotice: (notice) => notices.push(notice),
  });
  return { vectors, notices };
}

/** Different texts of about this many words. */
export function texts(count: number, words = 12): string[] {
  return Array.from({ length: count }, (_, text) =>
    Array.from({ length: words }, (_, word) => `harbour${(text * 31 + word * 7) % 97} mast${text}`).join(' '),
  );
}

export function norm(vector: Float32Array): number {
  return Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
}

export function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}

import type { Embedder } from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';

/** Vectors of the last queries, so that a loop that asks again does not pay again. */
const CACHE_SIZE = 64;

export type QueryVector =
  | { readonly status: 'embedded'; readonly vector: Float32Array }
  /** Why there is none: the search goes on without, and says so. */
  | { readonly status: 'unavailable'; readonly reason: string };

/** Embeds queries; made when the first one comes, since its code is slow to load. */
export class QueryEmbedder {
  readonly #create: () => Promise<Embedder>;
  readonly #cache = new Map<string, Float32Array>();
  #embedder: Promise<Embedder> | undefined;

  constructor(create: () => Promise<Embedder>) {
    this.#create = create;
  }

  embedder(): Promise<Embedder> {
    this.#embedder ??= this.#create();
    return this.#embedder;
  }

  /**
   * Unreachable, slow, refusing or babbling servers make it unavailable. Vectors of another dimension than before are
   * no such weather but a wrong setting: `embedder-changed` is thrown. So is `aborted`.
   */
  async embed(text: string, signal: AbortSignal): Promise<QueryVector> {
    const cached = this.#cache.get(text);
    if (cached !== undefined) return { status: 'embedded', vector: cached };
    try {
      const [vector] = await (await this.embedder()).embed([text], 'query', { signal });
      if (vector === undefined) return { status: 'unavailable', reason: 'the server sent no vector' };
      this.#remember(text, vector);
      return { status: 'embedded', vector };
    } catch (error) {
      if (!(error instanceof KbError) || !isWeather(error)) throw error;
      return { status: 'unavailable', reason: error.message };
    }
  }

  #remember(text: string, vector: Float32Array): void {
    const oldest = this.#cache.keys().next().value;
    if (this.#cache.size >= CACHE_SIZE && oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(text, vector);
  }
}

function isWeather(error: KbError): boolean {
  return error.code.startsWith('embedder-') && error.code !== 'embedder-changed';
}

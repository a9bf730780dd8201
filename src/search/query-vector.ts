import type { Embedder, EmbedderRecipe } from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';
import { stripControls } from '../core/text.ts';

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

  /** What the settings say of the vectors, without asking for one; undefined where the embedder cannot be made. */
  async recipe(): Promise<EmbedderRecipe | undefined> {
    try {
      return (await this.#made()).recipe;
    } catch (error) {
      if (!(error instanceof KbError) || !isWeather(error)) throw error;
      return undefined;
    }
  }

  /**
   * Unreachable, slow, refusing or babbling servers make it unavailable, and so does an embedder that cannot be made
   * here (no key in the environment, no package). Vectors of another dimension than before are no such weather but a
   * wrong index: `embedder-changed` is thrown. So is `aborted`.
   */
  async embed(text: string, signal: AbortSignal): Promise<QueryVector> {
    const cached = this.#cache.get(text);
    if (cached !== undefined) return { status: 'embedded', vector: cached };
    try {
      const [vector] = await (await this.#made()).embed([text], 'query', { signal });
      if (vector === undefined) return { status: 'unavailable', reason: 'the server sent no vector' };
      this.#remember(text, vector);
      return { status: 'embedded', vector };
    } catch (error) {
      if (!(error instanceof KbError) || !isWeather(error)) throw error;
      return { status: 'unavailable', reason: oneLine(error.message) };
    }
  }

  #made(): Promise<Embedder> {
    this.#embedder ??= this.#create();
    return this.#embedder;
  }

  #remember(text: string, vector: Float32Array): void {
    const oldest = this.#cache.keys().next().value;
    if (this.#cache.size >= CACHE_SIZE && oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(text, vector);
  }
}

function isWeather(error: KbError): boolean {
  return (
    (error.code.startsWith('embedder-') && error.code !== 'embedder-changed') ||
    error.code === 'config-invalid'
  );
}

/** A reason may quote a server; it stands in the tier line. */
function oneLine(text: string): string {
  return stripControls(text).replace(/\s+/gu, ' ').trim();
}

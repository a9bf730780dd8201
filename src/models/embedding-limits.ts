import type { EmbeddingsConfig } from '../core/config.ts';
import type { EmbedderNotice } from '../core/embedder.ts';
import type { EmbeddingInput } from './embedding-input.ts';
import { acceptedShare, type SizeRefusal } from './embedding-refusal.ts';

type Learned = Extract<EmbedderNotice, { kind: 'limit-learned' }>;

/** Requests begin small: a slow machine needs seconds for each text, and nothing is known of it yet. */
const ITEMS_FIRST = 8;
const ITEMS_MAX = 64;
/** Twice as many texts are sent after a request that took less, half as many after more; seconds and share of the limit. */
const FAST_SECONDS = 2;
const SLOW_SHARE = 0.5;
/** A server's own number is an edge; its counting differs a little from request to request. */
const MARGIN = 0.95;
/** `{"model":…,"encoding_format":"float"}` around the texts, bytes. */
const ENVELOPE = 200;

/**
 * What one server takes in one request: how many texts, how long a text, how many bytes. Starts from the settings and
 * learns from each refusal.
 */
export class EmbeddingLimits {
  #items: number;
  #itemsMax: number;
  #bytes: number;
  /** Estimated tokens a text was cut to and then taken; longer ones are sent by themselves. */
  #inputTokens: number | undefined;

  constructor(batch: EmbeddingsConfig['batch'] = {}) {
    this.#itemsMax = batch.items ?? ITEMS_MAX;
    this.#items = Math.min(ITEMS_FIRST, this.#itemsMax);
    this.#bytes = batch.requestBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Takes the texts of the next request from the front of a queue. */
  take(queue: EmbeddingInput[]): EmbeddingInput[] {
    const batch: EmbeddingInput[] = [];
    let bytes = ENVELOPE;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      bytes += next.bytes + 1;
      const fits = batch.length < this.#items && bytes <= this.#bytes && !this.#isAlone(next);
      if (!fits && batch.length > 0) break;
      batch.push(next);
      queue.shift();
      if (!fits) break;
    }
    return batch;
  }

  #isAlone(input: EmbeddingInput): boolean {
    return (
      input.suspectOf !== undefined ||
      input.isTrial === true ||
      (this.#inputTokens !== undefined && input.tokens > this.#inputTokens)
    );
  }

  /** A request was answered. */
  answered(batch: readonly EmbeddingInput[], seconds: number, limitSeconds: number): void {
    if (seconds > limitSeconds * SLOW_SHARE && batch.length > 1) {
      this.#items = Math.max(1, Math.floor(batch.length / 2));
    } else if (seconds < FAST_SECONDS && batch.length >= this.#items) {
      this.#items = Math.min(this.#items * 2, this.#itemsMax);
    }
  }

  /** Nobody knows why a request with several texts was not answered in time: the next ones are much smaller. */
  timedOut(items: number): void {
    this.#items = Math.max(1, Math.floor(items / 4));
    this.#itemsMax = Math.min(this.#itemsMax, Math.max(1, Math.floor(items / 2)));
  }

  /** A batch was refused for its size as a whole. */
  refusedBytes(batch: readonly EmbeddingInput[], refusal: SizeRefusal): Learned {
    const bytes = batch.reduce((sum, input) => sum + input.bytes + 1, ENVELOPE);
    this.#bytes = Math.max(ENVELOPE, Math.floor(bytes * (acceptedShare(refusal) ?? 0.5) * MARGIN));
    return { kind: 'limit-learned', axis: 'request-bytes', limit: this.#bytes };
  }

  /** A batch was refused for the number of its texts. @param stated the number the server would take, if it said */
  refusedItems(items: number, stated: number | undefined): Learned {
    const half = Math.max(1, Math.floor(items / 2));
    this.#itemsMax = stated !== undefined && stated < items ? stated : half;
    this.#items = this.#itemsMax;
    return { kind: 'limit-learned', axis: 'items', limit: this.#itemsMax };
  }

  /** What part of a text that was too long by itself to try next. */
  shareOf(input: EmbeddingInput, refusal: SizeRefusal): number {
    const stated = acceptedShare(refusal);
    if (stated !== undefined) return stated * MARGIN;
    if (refusal.axis === 'request-bytes') return 0.75;
    const known = this.#inputTokens;
    return known !== undefined && known < input.tokens ? known / input.tokens : 0.75;
  }

  /** A text was taken only after it had been cut. */
  shortenedTo(input: EmbeddingInput): Learned | undefined {
    if (this.#inputTokens !== undefined && this.#inputTokens <= input.tokens) return undefined;
    this.#inputTokens = input.tokens;
    return { kind: 'limit-learned', axis: 'input-tokens', limit: input.tokens };
  }
}

const limits = new Map<string, EmbeddingLimits>();

/** The limits of a server and model, kept for the life of the process. */
export function limitsOf(key: string, batch: EmbeddingsConfig['batch']): EmbeddingLimits {
  const all = JSON.stringify([key, batch ?? {}]);
  const found = limits.get(all) ?? new EmbeddingLimits(batch);
  limits.set(all, found);
  return found;
}

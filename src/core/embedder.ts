/** Vectors are only comparable when all of this was the same for both; it is pinned in the index. */
export interface EmbedderIdentity {
  /** As the settings write it. */
  readonly model: string;
  readonly dimensions: number;
  readonly queryPrefix: string;
  /** `{title}` in it stands for the heading path of each text. */
  readonly documentPrefix: string;
  /** Whether vectors are brought to unit length before they are stored and compared. */
  readonly normalised: boolean;
}

/** What is known of an identity without asking anybody: `dimensions` only when the settings give them. */
export type EmbedderRecipe = Omit<EmbedderIdentity, 'dimensions'> & { readonly dimensions?: number };

/** A search is for something, a document is what is found; many models want to be told which a text is. */
export type EmbeddingRole = 'query' | 'document';

/** Something a person should hear about, although the vectors came. */
export type EmbedderNotice =
  /** The end of a text did not fit the model: `kept` of its `characters` are in the vector. `index` is its place in the call. */
  | {
      readonly kind: 'shortened';
      readonly index: number;
      readonly characters: number;
      readonly kept: number;
    }
  /** The server says that another model answered. */
  | { readonly kind: 'model-differs'; readonly requested: string; readonly answered: string }
  /** The server took less than was sent; from now on requests stay below. */
  | {
      readonly kind: 'limit-learned';
      readonly axis: 'items' | 'input-tokens' | 'request-bytes';
      readonly limit: number;
    };

/** Vectors of one request, as soon as they are there. */
export interface EmbeddedBatch {
  /** Places of the texts in the call; batches come in any order, each place once. */
  readonly indexes: readonly number[];
  /** In the order of `indexes`. */
  readonly vectors: readonly Float32Array[];
}

export interface EmbedOptions {
  readonly signal: AbortSignal;
  /** For `{title}` of a document prefix, one a text; a missing or empty one becomes `none`. */
  readonly titles?: readonly (string | undefined)[];
  /**
   * Called after each request and awaited: what it writes stays written when a later request fails or the process is
   * killed, so that a run can go on with the texts it has no vector for.
   */
  readonly onBatch?: (batch: EmbeddedBatch) => void | Promise<void>;
  /** Must reach a person where it is not shown otherwise: a shortened text is found by its beginning only. */
  readonly onNotice?: (notice: EmbedderNotice) => void;
}

/** Turns texts into vectors whose inner product is their likeness. */
export interface Embedder {
  /** The model, as the tier line names it. */
  readonly id: string;
  /** To be compared with a pinned identity before anything is spent. */
  readonly recipe: EmbedderRecipe;
  /** The whole identity; embeds one word when the dimension is not known yet. */
  identity(signal: AbortSignal): Promise<EmbedderIdentity>;
  /**
   * A vector of unit length for each text, in order. A query is limited as a whole by its own short timeout and is not
   * tried a second time after it; documents are limited by request and tried again while a server is only busy.
   * A text with nothing to embed ({@link isEmbeddable}) gets a vector that stands for nothing: servers refuse empty ones.
   * @throws KbError `aborted`, `embedder-unreachable`, `embedder-timeout`, `embedder-rejected`, `embedder-malformed`;
   * `embedder-changed` when vectors have another dimension than before
   */
  embed(texts: readonly string[], as: EmbeddingRole, options: EmbedOptions): Promise<readonly Float32Array[]>;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOTHING = /^[\s\u0000-\u001f\u007f-\u009f]*$/u;

/** Whether a text holds anything to embed. */
export function isEmbeddable(text: string): boolean {
  return !NOTHING.test(text);
}

/** `model=nomic-embed-text dim=768`, as the tier line shows it. */
export function showIdentity(identity: EmbedderRecipe): string {
  const dimensions = identity.dimensions === undefined ? '' : ` dim=${identity.dimensions}`;
  return `model=${identity.model}${dimensions}`;
}

/**
 * The first difference that makes stored vectors useless to an embedder, as a sentence that names both sides; undefined
 * when there is none. Another dimension is seen only where both sides know theirs.
 */
export function identityDifference(pinned: EmbedderIdentity, now: EmbedderRecipe): string | undefined {
  if (pinned.model !== now.model)
    return `the index was embedded with ${pinned.model}, the settings name ${now.model}`;
  if (now.dimensions !== undefined && pinned.dimensions !== now.dimensions) {
    return `the vectors of the index have ${pinned.dimensions} dimensions, those of ${now.model} ${now.dimensions}`;
  }
  for (const [name, before, after] of [
    ['query', pinned.queryPrefix, now.queryPrefix],
    ['document', pinned.documentPrefix, now.documentPrefix],
  ] as const) {
    if (before !== after) {
      return `the index was embedded with the ${name} prefix ${JSON.stringify(before)}, now it is ${JSON.stringify(after)}`;
    }
  }
  return pinned.normalised === now.normalised
    ? undefined
    : 'the vectors of the index and of the embedder are not normalised alike';
}

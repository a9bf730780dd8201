import type { Embedder } from '../core/embedder.ts';

/** Counts the calls for vectors that go through the embedders it wraps. */
export class CountedEmbedder {
  calls = 0;

  wrap(embedder: Embedder): Embedder {
    return {
      id: embedder.id,
      recipe: embedder.recipe,
      identity: (signal) => embedder.identity(signal),
      embed: (texts, as, options) => {
        this.calls += 1;
        return embedder.embed(texts, as, options);
      },
    };
  }
}

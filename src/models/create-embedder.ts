import type { EmbeddingsConfig } from '../core/config.ts';
import type { Embedder } from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';

/** The embedder that the settings name. */
export async function createEmbedder(
  config: EmbeddingsConfig,
  _environment: Readonly<Record<string, string | undefined>>,
): Promise<Embedder> {
  throw new KbError('internal', `no embedder for ${config.provider}`, {});
}

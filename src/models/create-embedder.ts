import type { EmbeddingsConfig } from '../core/config.ts';
import type { Embedder } from '../core/embedder.ts';
import { resolveEmbeddingEndpoint } from './settings.ts';

/**
 * The embedder a knowledge base is configured with. Nothing is sent or loaded before the first text: the network and the
 * packages are touched only for what they are used for.
 * @throws KbError `config-invalid` when a setting or the named variable is missing or unusable
 */
export async function createEmbedder(
  config: EmbeddingsConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Embedder> {
  switch (config.provider) {
    case 'openai': {
      const endpoint = resolveEmbeddingEndpoint(config, environment);
      const { OpenAiEmbedder } = await import('./openai-embedder.ts');
      return new OpenAiEmbedder(config, endpoint);
    }
    case 'transformers': {
      const { TransformersEmbedder } = await import('./transformers-embedder.ts');
      return new TransformersEmbedder(config, environment);
    }
  }
}

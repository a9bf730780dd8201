import type { Environment } from '../config/overrides.ts';
import { ingestNamed } from '../core/advice.ts';
import type { Config, EmbeddingsConfig } from '../core/config.ts';
import { identityDifference, showIdentity } from '../core/embedder.ts';
import { KbError } from '../core/errors.ts';
import { countEmbeddings, countVectors, pinnedIdentity } from '../store/embeddings.ts';
import type { IndexFile } from '../store/index-file.ts';
import { loadVectorExtension } from '../store/vector-extension.ts';
import type { Check } from './doctor.ts';

/**
 * The vector tier: what the index holds, whether it belongs to the embedder of the settings, and whether that one does
 * what it should. Touches the network only where the settings name an embeddings server.
 * @throws KbError `aborted`
 */
export async function checkEmbeddings(
  index: IndexFile,
  config: Config,
  environment: Environment,
  signal: AbortSignal,
): Promise<Check[]> {
  const { embeddings } = config.knowledge;
  if (embeddings === undefined) return checkLeftOver(index);
  const { probeEmbedder } = await import('../models/embedder-probe.ts');
  const probed = await probeEmbedder(embeddings, environment, signal);
  const isUsable = !probed.some((check) => check.status === 'fail');
  return [
    checkExtension(index),
    checkVectors(index),
    ...(await checkIdentity(index, embeddings, { environment, signal, isUsable })),
    ...probed,
  ];
}

function checkLeftOver(index: IndexFile): Check[] {
  const vectors = countVectors(index);
  if (vectors === 0) return [];
  return [
    {
      name: 'vectors',
      status: 'ok',
      text: `no embeddings are configured; the ${vectors} vectors made before are kept and not used`,
    },
  ];
}

function checkExtension(index: IndexFile): Check {
  const loaded = loadVectorExtension(index);
  if (loaded === true) return { name: 'sqlite-vec', status: 'ok', text: 'loaded' };
  return {
    name: 'sqlite-vec',
    status: 'warn',
    text: `not loaded (${loaded}): vectors are compared in JavaScript, with the same results, slower`,
    hint: 'npm ci',
  };
}

function checkVectors(index: IndexFile): Check {
  const { inputs, vectors } = countEmbeddings(index);
  const text = `${vectors} of ${inputs} different texts have one`;
  if (vectors >= inputs) return { name: 'vectors', status: 'ok', text };
  return { name: 'vectors', status: 'warn', text, hint: `make the others: ${ingestNamed(index.path)}` };
}

async function checkIdentity(
  index: IndexFile,
  embeddings: EmbeddingsConfig,
  asked: { readonly environment: Environment; readonly signal: AbortSignal; readonly isUsable: boolean },
): Promise<Check[]> {
  const name = 'vectors identity';
  const pinned = pinnedIdentity(index);
  if (pinned === undefined) return [];
  try {
    const { createEmbedder } = await import('../models/create-embedder.ts');
    const embedder = await createEmbedder(embeddings, asked.environment);
    const now = asked.isUsable ? await embedder.identity(asked.signal) : embedder.recipe;
    const difference = identityDifference(pinned, now);
    if (difference !== undefined)
      return [
        {
          name,
          status: 'fail',
          text: difference,
          hint: `embed everything anew: ${ingestNamed(index.path)} --reindex`,
        },
      ];
    return [{ name, status: 'ok', text: `${showIdentity(pinned)}, as the settings have it` }];
  } catch (error) {
    if (!(error instanceof KbError) || error.code === 'aborted') throw error;
    return []; // why the embedder cannot be made is among the checks already
  }
}

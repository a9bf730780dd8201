import { collectOverrides, type Environment, type Overrides } from '../config/overrides.ts';
import type { Config } from '../core/config.ts';
import { hashConfigFile, type Origin } from '../store/origin.ts';

/**
 * The settings in force for an index: those it was built with, unless its file has changed since or something
 * overrides it. The file is parsed only then: reading YAML and checking it would double the time a search takes.
 */
export async function settingsOf(
  origin: Origin,
  environment: Environment,
  overrides: Overrides,
): Promise<Config> {
  const built = origin.config;
  const hash = hashConfigFile(built.file);
  const isSame = hash === origin.configHash || hash === '';
  if (isSame && collectOverrides(environment, overrides).length === 0) return built;
  const { folderConfig, loadConfig } = await import('../config/load.ts');
  const now =
    built.file !== undefined && hash !== ''
      ? loadConfig(built.file, environment, overrides)
      : folderConfig(built.root, environment, overrides);
  return built.file === undefined
    ? {
        ...built,
        knowledge: {
          ...built.knowledge,
          ...(now.knowledge.embeddings === undefined ? {} : { embeddings: now.knowledge.embeddings }),
          topK: now.knowledge.topK,
          maxInjectedTokens: now.knowledge.maxInjectedTokens,
        },
        llm: now.llm,
      }
    : { ...now, name: built.name };
}

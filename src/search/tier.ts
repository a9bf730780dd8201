import type { Config } from '../core/config.ts';

/** The one line every surface that searches prints. */
export function tierLine(config: Config | undefined): string {
  return config?.knowledge.embeddings === undefined
    ? 'tier: lexical (FTS5) - no embeddings configured'
    : 'tier: hybrid -> DEGRADED to lexical (embeddings unreachable: this kb has no vector tier yet)';
}

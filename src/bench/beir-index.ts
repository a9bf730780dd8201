import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment, Overrides } from '../config/overrides.ts';
import type { IngestProgress } from '../ingest/ingest.ts';
import { ingestKb } from '../kb/ingest-kb.ts';
import { type Kb, type OpenOptions, openKb } from '../kb.ts';
import type { BeirDataset } from './beir.ts';
import { type TextFormat, writeDocuments } from './beir-documents.ts';
import { makeTemporaryFolder } from './files.ts';

export interface BeirIndexOptions {
  readonly format: TextFormat;
  /** Kept and used again, so that only what changed is ingested; a temporary folder, removed by `leave`, when absent. */
  readonly work?: string | undefined;
  readonly environment: Environment;
  readonly overrides?: Overrides;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: IngestProgress) => void;
}

export interface BeirIndex {
  /** The collection's document id by the path it was ingested under. */
  readonly ids: ReadonlyMap<string, string>;
  readonly buildMs: number;
  readonly open: (options: Pick<OpenOptions, 'wrapEmbedder'>) => Promise<Kb>;
  readonly leave: () => void;
}

/** Name of the index within its own home. */
const NAME = 'collection';

/** Ingests every document of a collection as a file of its own, by the same way as any other file. */
export async function buildBeirIndex(beir: BeirDataset, options: BeirIndexOptions): Promise<BeirIndex> {
  const { work, format, signal, onProgress, overrides = {} } = options;
  const home = work === undefined ? makeTemporaryFolder() : resolve(work, beir.name);
  const leave = () => {
    if (work === undefined) rmSync(home, { recursive: true, force: true });
  };
  try {
    const documents = join(home, format);
    const ids = writeDocuments(beir.documents, documents, format);
    const where = { cwd: home, environment: { ...options.environment, KB_HOME: home }, overrides };
    const report = await ingestKb({
      ...where,
      kb: documents,
      name: NAME,
      force: true,
      signal,
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    return {
      ids,
      buildMs: report.ms,
      open: (wrapping) => openKb({ ...where, ...wrapping, kb: NAME }),
      leave,
    };
  } catch (error) {
    leave();
    throw error;
  }
}

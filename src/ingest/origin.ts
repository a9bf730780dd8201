import { existsSync } from 'node:fs';
import type { Config } from '../core/config.ts';
import { KbError } from '../core/errors.ts';
import type { IndexFile } from '../store/index-file.ts';
import { type FolderAnchors, readOrigin } from '../store/origin.ts';
import { PIPELINE } from './build-document.ts';

/** Refuses to let one knowledge base overwrite another of the same name. */
export function checkOrigin(
  index: IndexFile,
  config: Config,
  force: boolean,
): { samePipeline: boolean; settled: readonly FolderAnchors[] | undefined } {
  const origin = readOrigin(index);
  if (origin === undefined) return { samePipeline: false, settled: undefined };
  const before = homeOf(origin.config);
  const now = homeOf(config);
  // A home that is gone was moved or renamed: the index goes on with the new one.
  if (before !== now && existsSync(before) && !force) {
    throw new KbError(
      'index-foreign',
      `the index "${config.name}" was built from ${before}, not from ${now}`,
      { path: index.path, reason: `built from ${before}` },
      { hint: 'give this one another name with --name NAME, or take the index over with --force' },
    );
  }
  const samePipeline = origin.pipeline === pipelineOf(config);
  return {
    samePipeline,
    settled: samePipeline ? origin.anchors : undefined,
  };
}

function homeOf(config: Config): string {
  return config.file ?? config.root;
}

/** All that decides how a file becomes sections: when it changes, every file is parsed again. */
export function pipelineOf(config: Config): string {
  const { anchors, sites = [] } = config.knowledge;
  const generators = anchors === 'auto' ? sites.map(({ generator, path }) => [generator, path]) : [];
  return JSON.stringify([PIPELINE, anchors, ...generators]);
}

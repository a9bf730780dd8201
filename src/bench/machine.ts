import { availableParallelism, cpus, totalmem } from 'node:os';
import type { BenchResult } from './result.ts';

/** What times depend on; nothing that names the machine or its owner. */
export function describeMachine(): BenchResult['machine'] {
  return {
    platform: `${process.platform}-${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
  };
}

import type { EmbedReport } from './embed.ts';

export type FileStatus = 'indexed' | 'unchanged' | 'empty' | 'skipped' | 'failed' | 'removed';

/** What became of one file, and why where it is not plain. */
export interface FileReport {
  readonly path: string;
  readonly status: FileStatus;
  readonly reason?: string;
  /** Things a person may want to mend in the file: `line 3: front matter is not valid YAML`. */
  readonly warnings?: readonly string[];
}

export interface IngestReport {
  readonly knowledgeBase: string;
  /** Absolute path of the index file. */
  readonly index: string;
  /** Every file seen (and every one removed), by path. */
  readonly files: readonly FileReport[];
  readonly totals: Readonly<Record<FileStatus, number>> & {
    /** Files found this time: all totals but `removed`. */
    readonly seen: number;
  };
  /** What the whole index holds now. */
  readonly holds: { readonly documents: number; readonly sections: number; readonly chunks: number };
  /** Only after a dry run: nothing was changed; so many texts would be embedded. */
  readonly dryRun?: { readonly pendingVectors: number };
  /** Only with the vector tier. */
  readonly vectors?: EmbedReport;
  readonly anchorRule: string;
  /** Configured paths that are not there and never were indexed. */
  readonly missingPaths: readonly string[];
  /** Wall time, milliseconds. */
  readonly ms: number;
}

export function countTotals(files: readonly FileReport[]): IngestReport['totals'] {
  const totals = { indexed: 0, unchanged: 0, empty: 0, skipped: 0, failed: 0, removed: 0 };
  for (const file of files) totals[file.status] += 1;
  return { ...totals, seen: files.length - totals.removed };
}

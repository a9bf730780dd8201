import { join } from 'node:path';
import { isKbError, type KbError } from '../../src/core/errors.ts';
import type { IngestReport } from '../../src/ingest/report.ts';
import { type IngestKbOptions, ingestKb } from '../../src/kb/ingest-kb.ts';
import { type Kb, openKb } from '../../src/kb.ts';
import { type Entry, temporaryFolder, writeTree } from './folders.ts';

/** A folder of documents with a home for its index; nothing is ingested yet. */
export class TestBase {
  readonly home = temporaryFolder();
  readonly docs: string;
  readonly environment: Readonly<Record<string, string>>;

  constructor(files: Readonly<Record<string, Entry>> = {}) {
    this.docs = join(this.home, 'docs');
    this.environment = { KB_HOME: this.home };
    writeTree(this.docs, { ...files });
  }

  get indexPath(): string {
    return join(this.home, 'indexes', 'docs.db');
  }

  write(files: Readonly<Record<string, Entry>>): void {
    writeTree(this.docs, files);
  }

  ingest(options: Partial<IngestKbOptions> = {}): Promise<IngestReport> {
    return ingestKb({ kb: this.docs, cwd: this.home, environment: this.environment, ...options });
  }

  open(): Promise<Kb> {
    return openKb({ cwd: this.home, environment: this.environment });
  }

  /** Opens, asks and closes. */
  async use<Result>(work: (kb: Kb) => Result | Promise<Result>): Promise<Result> {
    const kb = await this.open();
    try {
      return await work(kb);
    } finally {
      kb.close();
    }
  }
}

/** `path: status` of each file of a report. */
export function statuses(report: IngestReport): Record<string, string> {
  return Object.fromEntries(report.files.map((file) => [file.path, file.status]));
}

/** The KbError that a call ends with; anything else fails the test. */
export async function kbErrorOf(work: () => unknown): Promise<KbError> {
  try {
    await work();
  } catch (error) {
    if (isKbError(error, (error as KbError).code)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

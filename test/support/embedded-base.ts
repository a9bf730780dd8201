import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { IngestReport } from '../../src/ingest/report.ts';
import { type IngestKbOptions, ingestKb } from '../../src/kb/ingest-kb.ts';
import { type Kb, openKb } from '../../src/kb.ts';
import { type IndexFile, openForReading } from '../../src/store/index-file.ts';
import { checkIntegrity } from '../../src/store/maintenance.ts';
import { type EmbeddingServer, hashedEmbedding } from './embedding-server.ts';
import { type Entry, temporaryFolder, writeTree } from './folders.ts';

/** A knowledge base whose file names an embeddings server (or, after `configure(undefined)`, none). */
export class EmbeddedBase {
  readonly home = temporaryFolder();
  readonly server: EmbeddingServer;
  environment: Readonly<Record<string, string>> = { KB_HOME: this.home };

  constructor(server: EmbeddingServer, files: Readonly<Record<string, Entry>>) {
    this.server = server;
    this.write(files);
    this.configure({});
  }

  get indexPath(): string {
    return join(this.home, 'indexes', 'manual.db');
  }

  write(files: Readonly<Record<string, Entry>>): void {
    writeTree(join(this.home, 'docs'), files);
  }

  /** Settings of the embeddings block, beside address and model. */
  configure(settings: Readonly<Record<string, unknown>> | undefined): void {
    const block =
      settings === undefined ? undefined : { base_url: this.server.url, model: 'hashed', ...settings };
    const knowledge = { paths: ['docs'], ...(block === undefined ? {} : { embeddings: block }) };
    // JSON is YAML.
    writeFileSync(join(this.home, 'manual.yaml'), JSON.stringify({ harness: { knowledge } }));
  }

  ingest(options: Partial<IngestKbOptions> = {}): Promise<IngestReport> {
    return ingestKb({ config: 'manual.yaml', cwd: this.home, environment: this.environment, ...options });
  }

  open(environment: Readonly<Record<string, string>> = {}): Promise<Kb> {
    return openKb({
      config: 'manual.yaml',
      cwd: this.home,
      environment: { ...this.environment, ...environment },
    });
  }

  async use<Result>(work: (kb: Kb) => Result | Promise<Result>): Promise<Result> {
    const kb = await this.open();
    try {
      return await work(kb);
    } finally {
      kb.close();
    }
  }

  read<Result>(work: (index: IndexFile) => Result): Result {
    const index = openForReading(this.indexPath);
    try {
      return work(index);
    } finally {
      index.close();
    }
  }

  /** The vector that each chunk's text has in the index, by text. */
  vectors(): Map<string, Float32Array> {
    return this.read((index) => {
      const rows = index.all<{ text: string; vector: Buffer }>(
        'SELECT text, vector FROM chunk JOIN embedding ON embedding.input = chunk.input ORDER BY chunk.id',
      );
      return new Map(
        rows.map(({ text, vector }) => [text, new Float32Array(Uint8Array.from(vector).buffer)]),
      );
    });
  }
}

/** Pages of one section each; `about` is in the text, so that no two are alike. */
export function pages(count: number, about = 'topic'): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `${about}${at}.md`,
      `# Page ${about} ${at}\n\nAll there is to say of ${about}${at} and its ${WORDS[at % WORDS.length]}.\n`,
    ]),
  );
}

const WORDS = ['harbour', 'compiler', 'bread', 'violin', 'glacier', 'ledger', 'beehive', 'telescope'];

/** Every vector in the index is that of its own text, and no text is without one. */
export function expectOwnVectors(base: EmbeddedBase, dimensions = 384): void {
  const vectors = base.vectors();
  expect(base.read(checkIntegrity)).toEqual([]);
  expect(vectors.size).toBe(base.read((index) => index.all('SELECT DISTINCT text FROM chunk')).length);
  for (const [text, vector] of vectors) {
    const own = hashedEmbedding(text, dimensions);
    const likeness = vector.reduce((sum, value, at) => sum + value * (own[at] ?? 0), 0);
    expect(likeness).toBeCloseTo(1, 4);
  }
}

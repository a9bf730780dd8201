// Measures the vector tier on real text: many chunks, their vectors from a deterministic text embedding.
//   npx tsx scripts/bench-vectors.ts [--count 100000] [--text FOLDER]... [--keep FILE]
// Prints medians of query times, the ratio to a plain Float32Array scan in the same process, how many of the exact ten
// nearest the coarse scan finds, and the memory of the process. Builds its index in a temporary folder; --keep builds it
// at a path, or measures the one that is there.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DocPath } from '../src/core/ref.ts';
import { analyse } from '../src/search/query.ts';
import { retrieve } from '../src/search/retrieve.ts';
import { nearestSections } from '../src/search/vector.ts';
import { readCoarse, rebuildCoarse } from '../src/store/coarse.ts';
import { putDocument } from '../src/store/documents.ts';
import { pendingInputs, pinIdentity, putVectors } from '../src/store/embeddings.ts';
import { type IndexFile, openForReading, openForWriting } from '../src/store/index-file.ts';
import { optimise } from '../src/store/maintenance.ts';
import { coarseNearest, exactNearest } from '../src/store/nearest-vectors.ts';
import { recordRankingNumbers } from '../src/store/ranking-numbers.ts';
import { bundle } from '../test/support/bundle.ts';
import { hashedEmbedding } from '../test/support/hashed-embedding.ts';

const DIMENSIONS = 384;
const SCANNED = 20_000;
const IDENTITY = {
  model: 'hashed',
  dimensions: DIMENSIONS,
  queryPrefix: '',
  documentPrefix: '',
  normalised: true,
};
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    text: { type: 'string', multiple: true },
    index: { type: 'string' },
    keep: { type: 'string' },
  },
});
const count = Number(values.count);

/** Paragraphs of Markdown files; when they run out, again with their words in another order. */
function* paragraphs(folders: readonly string[]): Generator<string> {
  const texts = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:md|markdown|mdx)$/u.test(file))
      .flatMap((file) => {
        try {
          return readFileSync(join(folder, file), 'utf8').split(/\n\s*\n/u);
        } catch {
          return []; // a folder called x.md
        }
      }),
  );
  const worth = texts.filter((text) => text.length > 120).map((text) => text.slice(0, 1200));
  if (worth.length === 0) throw new Error('no Markdown paragraphs found; name folders with --text');
  for (let round = 0; ; round += 1) {
    for (const [position, text] of worth.entries()) {
      const other = worth[(position * 7 + round * 13) % worth.length] ?? '';
      yield round === 0 ? text : `${text.slice(0, text.length / 2)} ${other.slice(other.length / 2)}`;
    }
  }
}

function build(path: string): void {
  const index = openForWriting(path);
  const source = paragraphs(values.text ?? ['../shared/testbed', '../shared/corpora']);
  index.transaction(() => {
    for (let at = 0; at < count; at += 10) {
      const chunks = Array.from({ length: 10 }, () => ({
        text: source.next().value ?? '',
        lines: { first: 1, last: 1 },
      }));
      putDocument(index, {
        path: `d${at}.md` as DocPath,
        title: `Document ${at}`,
        hash: '',
        size: 0,
        metadata: {},
        status: 'indexed',
        depends: {},
        sections: chunks.map((chunk, section) => ({
          headings: [`Section ${section}`],
          anchors: [],
          lines: chunk.lines,
          hash: '',
          markdown: '',
          chunks: [chunk],
        })),
      });
    }
    recordRankingNumbers(index);
    optimise(index);
  });
  pinIdentity(index, IDENTITY);
  for (
    let pending = pendingInputs(index, 1000);
    pending.length > 0;
    pending = pendingInputs(index, 1000, pending.at(-1)?.chunkId)
  ) {
    putVectors(
      index,
      pending.map(({ input, text }) => ({ input, vector: hashedEmbedding(text, DIMENSIONS) })),
    );
  }
  rebuildCoarse(index);
  index.close();
}

function median(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? 0;
}

function timeEach<Item>(items: readonly Item[], work: (item: Item) => void): number {
  for (const item of items.slice(0, 10)) work(item);
  return median(
    items.map((item) => {
      const started = performance.now();
      work(item);
      return performance.now() - started;
    }),
  );
}

/** The reference: every vector in memory, compared one by one. */
function plainScan(index: IndexFile): (query: Float32Array) => void {
  const rows = index.all<{ vector: Buffer }>(`SELECT vector FROM embedding ORDER BY id LIMIT ${SCANNED}`);
  const all = new Float32Array(rows.length * DIMENSIONS);
  for (const [at, row] of rows.entries()) {
    all.set(new Float32Array(Uint8Array.from(row.vector).buffer), at * DIMENSIONS);
  }
  return (query) => {
    let best = -1;
    for (let at = 0; at < all.length; at += DIMENSIONS) {
      let sum = 0;
      for (let place = 0; place < DIMENSIONS; place += 1) sum += (all[at + place] ?? 0) * (query[place] ?? 0);
      if (sum > best) best = sum;
    }
  };
}

/** Searches in this process, and prints what it took. */
function measure(path: string): void {
  const index = openForReading(path);
  const stored = index.get<{ n: number }>('SELECT count(*) AS n FROM embedding')?.n ?? 0;
  const every = Math.max(1, Math.floor(count / 100));
  const queries = index
    .all<{ text: string }>('SELECT text FROM chunk WHERE id % ? = 0', every)
    .map(({ text }) => {
      const words = text.split(/\s+/u).slice(3, 15).join(' ');
      return { text: words, vector: hashedEmbedding(words, DIMENSIONS) };
    });
  const vector = timeEach(queries, (query) => nearestSections(index, query.vector, 50));
  const hybrid = timeEach(queries, (query) =>
    retrieve(
      index,
      { kind: 'vectors', tier: 'hybrid', vector: query.vector, identity: IDENTITY },
      { query: analyse(index, query.text), limit: 10, scope: {} },
    ),
  );
  const memory = process.memoryUsage.rss() / 1e6;
  const recall = queries.map((query) => recallOf(index, query.vector));
  const scan =
    timeEach(queries.slice(0, 20), (query) => plainScanOf(index)(query.vector)) * (stored / SCANNED);
  console.log(`vectors ${stored} x ${DIMENSIONS}`);
  console.log(`vector search p50 ${vector.toFixed(1)} ms, hybrid p50 ${hybrid.toFixed(1)} ms`);
  console.log(
    `plain Float32Array scan p50 ${scan.toFixed(1)} ms (${SCANNED} vectors, scaled): ratio ${(vector / scan).toFixed(2)}`,
  );
  console.log(
    `recall@10 of the coarse scan ${(recall.reduce((a, b) => a + b, 0) / recall.length).toFixed(4)}`,
  );
  console.log(`memory of the process while searching ${memory.toFixed(0)} MB`);
  index.close();
}

/** Share of the exact ten nearest texts among the ten that the coarse scan finds. */
function recallOf(index: IndexFile, query: Float32Array): number {
  const coarse = readCoarse(index, DIMENSIONS);
  if (coarse === undefined) throw new Error('the coarse vectors are not those of this index');
  const exact = new Set(exactNearest(index, query, 10).map((one) => one.id));
  const found = coarseNearest(index, coarse, { query, limit: 10, only: undefined });
  return found.filter((one) => exact.has(one.id)).length / exact.size;
}

let plain: ((query: Float32Array) => void) | undefined;
function plainScanOf(index: IndexFile): (query: Float32Array) => void {
  plain ??= plainScan(index);
  return plain;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kb-bench-'));
  // Inside the repository, where the native packages are found.
  const bundled = join(import.meta.dirname, '../node_modules/.cache/kb-bench');
  try {
    const path = values.keep ?? join(folder, 'bench.db');
    if (!existsSync(path)) build(path);
    // In a process of its own, as it is shipped, so that its time and memory are those of searching alone.
    const script = await bundle('scripts/bench-vectors.ts', bundled);
    execFileSync(process.execPath, [script, '--count', String(count), '--index', path], { stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    rmSync(bundled, { recursive: true, force: true });
  }
}

if (values.index === undefined) await main();
else measure(values.index);

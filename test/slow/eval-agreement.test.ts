import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readBeir } from '../../src/bench/beir.ts';
import { mean, metricsOf, relevantIds, trecOrder } from '../../src/bench/metrics.ts';
import { randomFrom } from '../../src/bench/random.ts';
import { formatRun, readRun } from '../../src/bench/trec.ts';
import { temporaryFolder } from '../support/folders.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;
const missing = !hasPython
  ? 'there is no python3'
  : hasShared('ir', 'eval.py')
    ? undefined
    : 'there is no shared/ir';
const collections =
  missing === undefined
    ? readdirSync(sharedPath('ir'), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
    : [];

/** What the reference scorer calls ours. */
const NAMES = {
  'ndcg@10': 'ndcg@10',
  'r@5': 'recall@5',
  'r@10': 'recall@10',
  'r@100': 'recall@100',
  'mrr@10': 'mrr@10',
  map: 'map',
} as const;

describe.skipIf(missing !== undefined)(
  `metrics agree with the reference scorer${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    test('there are collections to agree on', () => expect(collections.length).toBeGreaterThan(5));

    test.each(collections)('on %s, to four digits, with equal scores and missing queries', (name) => {
      const folder = sharedPath('ir', name);
      const { judged, documents } = readBeir(folder);
      const random = randomFrom(name);
      const ids = documents.map(({ id }) => id);
      const drawn = (all: readonly string[]) => all[Math.floor(random() * all.length)] ?? '';
      const run = new Map(
        [...judged]
          .filter(() => random() < 0.9)
          .map(([query, grades]) => {
            const some = new Set([
              ...Array.from({ length: 80 }, () => drawn(ids)),
              ...[...grades.keys()].filter(() => random() < 0.6),
            ]);
            // Few different scores, so that many are equal.
            return [query, [...some].map((id) => ({ id, score: Math.floor(random() * 12) / 4 }))] as const;
          }),
      );
      const file = join(temporaryFolder(), 'run.txt');
      // As another program writes it: formatRun would tell equal scores apart.
      writeFileSync(
        file,
        [...run]
          .flatMap(([query, found]) =>
            found.map(({ id, score }, at) => `${query} Q0 ${id} ${at + 1} ${score} x\n`),
          )
          .join(''),
      );
      expect(scored(judged, file)).toEqual(reference(folder, file));
      // And a run that we write is the same to both.
      const ours = join(temporaryFolder(), 'ours.txt');
      writeFileSync(ours, formatRun(run, 'kb'));
      expect(scored(judged, ours)).toEqual(reference(folder, ours));
    });
  },
);

function scored(
  judged: ReadonlyMap<string, ReadonlyMap<string, number>>,
  file: string,
): Record<string, string> {
  const { run } = readRun(file);
  const all = [...judged]
    .filter(([, grades]) => relevantIds(grades).size > 0)
    .map(([query, grades]) => metricsOf(grades, trecOrder(run.get(query) ?? [])));
  const means = Object.entries(NAMES).map(([theirs, ours]) => [
    theirs,
    mean(all.map((one) => one[ours])).toFixed(4),
  ]);
  return { queries: String(all.length), ...Object.fromEntries(means) };
}

function reference(folder: string, file: string): Record<string, string> {
  const printed = execFileSync(
    'python3',
    [sharedPath('ir', 'eval.py'), 'score', join(folder, 'qrels', 'test.tsv'), file],
    {
      encoding: 'utf8',
    },
  );
  const parts = printed.trim().split(/\s+/u);
  return Object.fromEntries(parts.flatMap((part, at) => (at % 2 === 0 ? [[part, parts[at + 1] ?? '']] : [])));
}

// Measures retrieval on all shared collections and writes docs/benchmarks-retrieval.md from the results:
//   npm run bench -- [NAME...] [--page]
// Results go to bench-results/NAME.json. With --page nothing is measured: the page is written from what is there.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BenchResult } from '../src/bench/result.ts';
import { groupOf } from '../src/bench/tables.ts';
import { COLLECTIONS, OPENVOX } from './scoreboard/collections.ts';
import { measureCollection, measureOpenvox } from './scoreboard/measure.ts';
import { writePage } from './scoreboard/page.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { page: { type: 'boolean' } } });
const RESULTS = 'bench-results';
const shared = resolve(process.env['KB_SHARED'] ?? '../shared');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

async function main(): Promise<void> {
  mkdirSync(RESULTS, { recursive: true });
  const isWanted = (name: string) =>
    values.page !== true && (positionals.length === 0 || positionals.includes(name));
  for (const collection of COLLECTIONS) {
    if (isWanted(collection.name))
      keep(collection.name, await measureCollection(shared, collection, version));
  }
  if (isWanted(OPENVOX.name)) keep(OPENVOX.name, await measureOpenvox(shared, version));
  writePage(RESULTS);
}

function keep(name: string, result: BenchResult): void {
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(result)}\n`);
  const scores = result.tiers.map((tier) => {
    return `${tier.tier} ${groupOf(tier, 'all')?.metrics['ndcg@10'].mean.toFixed(4)}`;
  });
  console.log(`${name}: nDCG@10 ${scores.join(', ')}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});

// npm run parse-budget [-- SIZE]: what hostile pages cost. Each is parsed at a size (characters, a million by default) and
// at twice that. Exits 1 when a page takes over 2 s or 200 MB at the first, or grows more than threefold to the second.
import { parseDocument } from '../src/markdown/parse-document.ts';
import { HOSTILE_PAGES } from '../test/markdown/hostile-pages.ts';

const BUDGET_MS = 2000;
const BUDGET_MB = 200;
/** Twice the text may take twice the time; a garbage collection more or less is no growth. */
const MOST_GROWTH = 3;
const COUNTED_FROM_MS = 1000;
const size = Number(process.argv[2] ?? 1_000_000);

interface Cost {
  readonly ms: number;
  readonly megabytes: number;
}

function costOf(text: string): Cost {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const started = process.cpuUsage();
  const { warnings } = parseDocument(text, { path: 'page.md' });
  const { user, system } = process.cpuUsage(started);
  if (warnings.length > 0) notes.push(warnings[0]?.text ?? '');
  else notes.push('');
  return { ms: (user + system) / 1000, megabytes: (process.memoryUsage().rss - before) / 1e6 };
}

const notes: string[] = [];
let over = 0;
console.log(`${'page'.padEnd(44)}${'ms'.padStart(7)}${'ms x 2'.padStart(9)}${'MB'.padStart(7)}`);
for (const [name, make] of Object.entries(HOSTILE_PAGES)) {
  const once = costOf(make(size));
  const twice = costOf(make(2 * size));
  const grows = twice.ms > COUNTED_FROM_MS && twice.ms > MOST_GROWTH * Math.max(once.ms, COUNTED_FROM_MS / 2);
  const bad = once.ms > BUDGET_MS || once.megabytes > BUDGET_MB || grows;
  if (bad) over += 1;
  const figures = `${once.ms.toFixed(0).padStart(7)}${twice.ms.toFixed(0).padStart(9)}${once.megabytes.toFixed(0).padStart(7)}`;
  console.log(`${name.padEnd(44)}${figures}  ${grows ? 'GROWS ' : bad ? 'OVER ' : ''}${notes.at(-2) ?? ''}`);
}
console.log(
  `${over} of ${Object.keys(HOSTILE_PAGES).length} pages over ${BUDGET_MS} ms or ${BUDGET_MB} MB at ${size} characters, or growing more than ${MOST_GROWTH}-fold to ${2 * size}`,
);
process.exitCode = over > 0 ? 1 : 0;

// npm run measure [-- --runs N] [--write] [--source name=folder ...]: how long the command takes on the OpenVox
// documentation, whole processes, medians, as ratios to programs every machine has. Build first (npm run build) and let
// the machine be idle. --write puts the table into docs/benchmarks.md. Without --source the two sources are looked for in
// KB_SHARED/corpora, or ../shared/corpora.
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const command = join(root, 'dist/kb.js');
const page = join(root, 'docs/benchmarks.md');
const QUERY = 'where does puppet.conf live';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    write: { type: 'boolean', default: false },
    source: { type: 'string', multiple: true },
  },
});
const runs = Number(values.runs);
if (!(Number.isInteger(runs) && runs > 0)) fail(`--runs takes a whole number, not ${values.runs}`);
if (!existsSync(command)) fail('there is no dist/kb.js: npm run build');

const sources = new Map((values.source ?? defaultSources()).map(splitSource));
for (const folder of sources.values()) if (!existsSync(folder)) fail(`there is no folder ${folder}`);

const home = mkdtempSync(join(tmpdir(), 'kb-measure-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
const table = formatTable(measure());
console.log(table);
if (values.write) writePage(table);

/** Each program in turn, round after round, so that a slow minute of the machine falls on all of them. */
function measure() {
  mkdirSync(join(home, 'corpora'));
  copyFileSync(join(root, 'corpora/openvox-docs.yaml'), join(home, 'corpora/openvox-docs.yaml'));
  const ingest = [
    'ingest',
    'openvox-docs',
    ...[...sources].flatMap(([name, folder]) => ['--source', `${name}=${folder}`]),
  ];
  const report = JSON.parse(kb([...ingest, '--json']).output);
  const { base, files } = filesOf(report);
  const grep = () => timed('git', ['grep', '--no-index', '-c', '', '--', ...files], base);
  const programs = {
    grep,
    first: () => {
      rmSync(join(home, 'indexes'), { recursive: true, force: true });
      return kb(ingest);
    },
    again: () => kb(ingest),
    search: () => kb(['search', QUERY]),
    node: () => timed(process.execPath, ['-e', '0'], home),
  };
  const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  for (let round = 0; round <= runs; round += 1) {
    for (const [name, run] of Object.entries(programs)) {
      const { milliseconds } = run();
      if (round > 0) times[name].push(milliseconds); // the first round warms the caches
    }
  }
  const medians = Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
  const size = `${files.length} files, ${report.holds.sections} sections`;
  return { medians, size };
}

function kb(args) {
  return timed(process.execPath, [command, ...args], home);
}

/** A whole process, its start and end included. */
function timed(program, args, cwd) {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('KB_'));
  const started = process.hrtime.bigint();
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...Object.fromEntries(environment), KB_HOME: home },
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  const milliseconds = Number(process.hrtime.bigint() - started) / 1e6;
  if (error !== undefined) throw error;
  if (status !== 0) fail(`${program} ${args.slice(0, 4).join(' ')} ended with ${status}\n${stderr}`);
  return { milliseconds, output: stdout };
}

/** The indexed files on disk, below the one folder that holds all sources. */
function filesOf(report) {
  const all = report.files
    .filter((file) => file.status === 'indexed')
    .map((file) => {
      const [first, ...rest] = file.path.split('/');
      return join(sources.get(first) ?? fail(`no source ${first}`), ...rest);
    });
  let base = dirname(all[0] ?? fail('nothing was indexed'));
  while (!all.every((file) => file.startsWith(`${base}/`))) base = dirname(base);
  return { base, files: all.map((file) => relative(base, file)) };
}

function formatTable({ medians, size }) {
  const { grep, node, first, again, search } = medians;
  const ms = (value) => `${Math.round(value)} ms`;
  const times = (value, unit) => `${(value / unit).toFixed(1)} x`;
  const [cpu] = cpus();
  return [
    `Medians of ${runs} runs over ${size}, with Node ${process.versions.node} on ${availableParallelism()} cores (${cpu?.model.trim() ?? 'unknown'}).`,
    '',
    '| What | Time | Compared with | Ratio |',
    '| --- | --- | --- | --- |',
    `| first ingest | ${ms(first)} | \`git grep -c ''\`, ${ms(grep)} | ${times(first, grep)} |`,
    `| ingest with nothing to do | ${ms(again)} | \`git grep -c ''\`, ${ms(grep)} | ${times(again, grep)} |`,
    `| cold \`kb search\` | ${ms(search)} | \`node -e 0\`, ${ms(node)} | ${times(search, node)} |`,
  ].join('\n');
}

/** Between the two marks of the page. */
function writePage(table) {
  const [start, end] = ['<!-- measured: npm run measure -- --write -->', '<!-- end of measured -->'];
  const text = readFileSync(page, 'utf8');
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from === -1 || to < from) fail(`${page} has no marks to write between`);
  writeFileSync(page, `${text.slice(0, from + start.length)}\n\n${table}\n\n${text.slice(to)}`);
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function defaultSources() {
  const shared = resolve(process.env['KB_SHARED'] ?? join(root, '../shared'));
  return ['openvox-docs', 'puppet-specifications'].map((name) => `${name}=${join(shared, 'corpora', name)}`);
}

function splitSource(text) {
  const at = text.indexOf('=');
  if (at < 1) fail(`--source takes name=folder, not ${text}`);
  return [text.slice(0, at), resolve(text.slice(at + 1))];
}

function fail(message) {
  console.error(`measure: ${message}`);
  process.exit(2);
}

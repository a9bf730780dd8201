import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBeir } from '../../src/bench/beir.ts';
import { buildBeirIndex } from '../../src/bench/beir-index.ts';
import { beirDataset } from '../../src/bench/dataset.ts';
import { METRICS, metricsOf, trecOrder } from '../../src/bench/metrics.ts';
import { answeredBy } from '../../src/bench/rankings.ts';
import { type BenchResult, RESULT } from '../../src/bench/result.ts';
import { encodeId, readRun } from '../../src/bench/trec.ts';
import { type BenchCommandOptions, type BenchHooks, benchCommand } from '../../src/cli/commands/bench.ts';
import type { Context } from '../../src/cli/context.ts';
import { terminalOf } from '../../src/cli/render/terminal.ts';
import { tierLine } from '../../src/search/tier.ts';
import { temporaryFolder, writeTree } from '../support/folders.ts';
import { kbErrorOf, TestBase } from '../support/knowledge-base.ts';

const TOPICS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa'];
const base = new TestBase(
  Object.fromEntries(
    TOPICS.map((topic, at) => [
      `${topic}.md`,
      `# ${topic}\n\nAbout ${topic} and ${TOPICS[(at + 1) % 10]}.\n\n## Setting ${topic}\n\nSet ${topic} to ${at} in the settings file.\n`,
    ]),
  ),
);
const questions = join(base.home, 'questions.jsonl');

beforeAll(async () => {
  await base.ingest();
  const lines = TOPICS.map((topic, at) =>
    JSON.stringify({
      id: `q${at}`,
      kind: at % 2 === 0 ? 'even' : 'odd',
      question: `how is ${topic} set in the settings?`,
      relevant: [
        { path: `${topic}.md`, line: 5, grade: 2 },
        { path: `${topic}.md`, line: 1, grade: 1 },
      ],
    }),
  );
  const unanswerable = { id: 'none', kind: 'none', question: 'why?', relevant: [] };
  writeFileSync(questions, `${lines.join('\n')}\n${JSON.stringify(unanswerable)}\n`);
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function bench(options: BenchCommandOptions, hooks: BenchHooks = {}): Promise<Ran> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const context: Context = {
    environment: base.environment,
    cwd: base.home,
    stdout: terminalOf({}, {}),
    stderr: terminalOf({}, {}),
    signal: new AbortController().signal,
    print: (text) => stdout.push(text),
    say: (text) => stderr.push(text),
  };
  const code = await benchCommand(context, options, hooks);
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

async function resultOf(options: BenchCommandOptions): Promise<BenchResult> {
  return RESULT.parse(JSON.parse((await bench({ ...options, json: true })).stdout));
}

/** Without what may differ from run to run. */
function timeless(result: BenchResult): unknown {
  return {
    ...result,
    created: '',
    tiers: result.tiers.map(({ latency: _, ...tier }) => tier),
  };
}

const REVERSED: BenchHooks = { arrange: (found) => found.toReversed() };

describe('kb bench on questions', () => {
  test('scores what is found, overall and by kind, and counts what is not scored', async () => {
    const result = await resultOf({ questions });
    expect(result.dataset).toMatchObject({ questions: 10, unjudged: 1, missing: [] });
    const [lexical] = result.tiers;
    expect(lexical?.groups.map(({ kind, questions: count }) => [kind, count])).toEqual([
      ['all', 10],
      ['even', 5],
      ['odd', 5],
    ]);
    expect(lexical?.groups[0]?.metrics['success@1'].mean).toBe(1);
    expect(lexical?.recall_by_rank.at(-1)).toBe(1);
    expect(lexical?.latency?.samples.length).toBeGreaterThanOrEqual(50);
    expect(result.machine.cores).toBeGreaterThan(0);
    expect(result.index.identity).toMatch(/^[\da-f]{16}$/u);
  });

  test('gives identical numbers for identical runs', async () => {
    expect(timeless(await resultOf({ questions }))).toEqual(timeless(await resultOf({ questions })));
  });

  test('fails under a baseline when the ranking is broken, and only then', async () => {
    const save = join(base.home, 'before.json');
    expect((await bench({ questions, save })).code).toBe(0);
    const same = await bench({ questions, baseline: save, failUnder: true });
    expect([same.code, same.stdout]).toEqual([
      0,
      expect.stringMatching(/Worse than the baseline\n.*\nlexical +none/u),
    ]);
    const broken = await bench({ questions, baseline: save, failUnder: true }, REVERSED);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toMatch(/lexical +nDCG@10, R@5/u);
    expect((await bench({ questions, baseline: save }, REVERSED)).code).toBe(0);
  });

  test('refuses a baseline of other questions, depth or level, and a file that is none', async () => {
    const save = join(base.home, 'other.json');
    await bench({ questions, save, depth: '20' });
    const refused = (options: BenchCommandOptions) =>
      kbErrorOf(() => bench({ questions, baseline: save, ...options }));
    expect((await refused({})).message).toContain('depth is 20');
    expect((await refused({ depth: '20', level: 'document' })).message).toContain('ranks sections');
    const others = join(base.home, 'others.jsonl');
    writeFileSync(others, readFileSync(questions, 'utf8').replace('alpha', 'alpha beta'));
    expect((await refused({ questions: others, depth: '20' })).message).toContain('questions are others');
    expect((await refused({ baseline: questions })).message).toContain('is no result');
  });

  test('writes a run that scores the same when it is read, beside the tier', async () => {
    const runOut = join(base.home, 'out.run');
    await bench({ questions, runOut });
    const result = await resultOf({ questions, run: [runOut] });
    const [tier, run] = result.tiers;
    expect(run?.groups[0]?.metrics).toEqual(tier?.groups[0]?.metrics);
    expect(run?.groups[0]?.differences?.['ndcg@10']).toEqual({ mean: 0, low: 0, high: 0 });
  });

  test('leaves the section out that a question was taken from', async () => {
    const file = join(base.home, 'taken.jsonl');
    const question = {
      id: 'x',
      kind: 'link',
      question: 'set alpha to 0',
      relevant: [{ path: 'alpha.md', line: 1, grade: 1 }],
    };
    const ranks = async (source: object[]) => {
      writeFileSync(file, `${JSON.stringify({ ...question, source })}\n`);
      const { tiers } = await resultOf({ questions: file });
      return tiers[0]?.answers[0]?.found.map(({ id }) => id) ?? [];
    };
    const all = await ranks([]);
    expect(all[0]).toBe('alpha.md:5');
    const left = await ranks([{ path: 'alpha.md', line: 5 }]);
    expect(left.slice(0, 9)).toEqual(all.slice(1));
    expect(left).not.toContain('alpha.md:5');
  });

  test('names judged sections that are not there, and counts them as not found', async () => {
    const file = join(base.home, 'stale.jsonl');
    writeFileSync(
      file,
      `${JSON.stringify({
        id: 'x',
        kind: 'k',
        question: 'alpha',
        relevant: [
          { path: 'alpha.md', line: 1, grade: 1 },
          { path: 'alpha.md', line: 99, grade: 1 },
        ],
      })}\n`,
    );
    const ran = await bench({ questions: file });
    expect(ran.stderr).toContain('1 judged ids are not in the index and count as not found: alpha.md:99');
    const { tiers } = await resultOf({ questions: file });
    expect(tiers[0]?.groups[0]?.metrics['recall@100'].mean).toBe(0.5);
  });

  test('refuses a tier that cannot answer instead of measuring another under its name', async () => {
    const error = await kbErrorOf(() => bench({ questions, tier: 'lexical,hybrid' }));
    expect(error).toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining('hybrid tier did not answer'),
    });
    const identity = { model: 'm', dimensions: 3, queryPrefix: '', documentPrefix: '', normalised: true };
    const vectors = { kind: 'vectors' as const, vector: undefined, identity };
    expect(answeredBy(tierLine({ ...vectors, tier: 'hybrid' }), 'hybrid')).toBe(true);
    expect(answeredBy(tierLine({ ...vectors, tier: 'vector' }), 'vector')).toBe(true);
    expect(answeredBy(tierLine({ kind: 'degraded', tier: 'vector', reason: 'x' }), 'vector')).toBe(false);
    expect(answeredBy(tierLine({ kind: 'unconfigured' }), 'hybrid')).toBe(false);
    expect(answeredBy(tierLine({ kind: 'unconfigured' }), 'lexical')).toBe(true);
  });

  test.each<[string, BenchCommandOptions]>([
    ['--questions', {}],
    ['--fail-under', { questions: 'x', failUnder: true }],
    ['--tier', { questions: 'x', tier: 'lexcal' }],
    ['--depth', { questions: 'x', depth: '5' }],
  ])('says what is wrong with %s', async (argument, options) => {
    expect((await kbErrorOf(() => bench(options))).details).toEqual({ argument });
  });
});

const CORPUS = [
  { _id: 'u/1 x', title: 'Alpha', text: '# Alpha\n\nAbout alpha.\n\n## Install\n\nInstall alpha with care.' },
  { _id: 'u/2', title: 'Beta', text: '# Beta\n\nInstall beta as alpha.\n\n## Other\n\nNothing of note.' },
  { _id: 'u/3', title: '', text: 'Install gamma; # not a heading' },
];
const FOLDER = {
  'corpus.jsonl': CORPUS.map((document) => `${JSON.stringify(document)}\n`).join(''),
  'queries.jsonl': '{"_id": "q1", "text": "install alpha"}\n{"_id": "q2", "text": "gamma"}\n',
  'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\tu/1 x\t2\nq1\tu/2\t1\nq2\tu/3\t1\n',
};

describe('kb bench on a collection', () => {
  test('ingests every document and ranks documents by their ids', async () => {
    const folder = writeTree(temporaryFolder(), FOLDER);
    const result = await resultOf({ dataset: folder, format: 'markdown' });
    expect(result.index).toMatchObject({ documents: 3, sections: 5 });
    expect(result.index.build_ms).toBeGreaterThan(0);
    expect(result.tiers[0]?.answers.map(({ found }) => found.map(({ id }) => id))).toEqual([
      ['u/1 x', 'u/2', 'u/3'],
      ['u/3'],
    ]);
    expect(result.tiers[0]?.groups[0]?.metrics['ndcg@10'].mean).toBe(1);
    const words = await resultOf({ dataset: folder, format: 'text' });
    expect(words.index).toMatchObject({ documents: 3, sections: 3 });
  });

  test('keeps its index where it is told to, and goes by the collection as it is now', async () => {
    const folder = writeTree(temporaryFolder(), FOLDER);
    const work = temporaryFolder();
    await bench({ dataset: folder, work });
    writeTree(folder, { 'corpus.jsonl': `${JSON.stringify(CORPUS[2])}\n` });
    const result = await resultOf({ dataset: folder, work });
    expect(result.index.documents).toBe(1);
    expect(result.dataset.missing).toEqual(['u/1 x', 'u/2']);
    expect(existsSync(work)).toBe(true);
  });

  test('agrees with a run file scored by the metrics alone', async () => {
    const folder = writeTree(temporaryFolder(), FOLDER);
    const runOut = join(base.home, 'collection.run');
    const result = RESULT.parse(JSON.parse((await bench({ dataset: folder, runOut, json: true })).stdout));
    const { run } = readRun(runOut);
    const beir = readBeir(folder);
    for (const answer of result.tiers[0]?.answers ?? []) {
      const judged = new Map(
        [...(beir.judged.get(answer.question) ?? [])].map(([id, grade]) => [encodeId(id), grade]),
      );
      const scores = metricsOf(judged, trecOrder(run.get(answer.question) ?? []));
      for (const metric of METRICS) expect(scores[metric]).toBeCloseTo(answer.metrics[metric], 12);
    }
  });

  test('leaves nothing behind', async () => {
    const beir = readBeir(writeTree(temporaryFolder(), FOLDER));
    const signal = new AbortController().signal;
    const index = await buildBeirIndex(beir, { format: 'text', environment: {}, signal });
    const kb = await index.open({});
    const { located } = kb;
    expect(beirDataset(beir, index.ids, 'document').questions).toHaveLength(2);
    kb.close();
    expect(existsSync(located.indexPath ?? '')).toBe(true);
    index.leave();
    expect(existsSync(located.workspace.indexesDir)).toBe(false);
  });
});

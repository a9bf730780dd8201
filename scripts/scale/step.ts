// One step of scripts/scale.ts, in a process of its own: step.ts ingest|kb|fts5|minisearch HOME QUESTIONS
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import MiniSearch from 'minisearch';
import { percentile } from '../../src/bench/bootstrap.ts';
import { mean, ndcg } from '../../src/bench/metrics.ts';
import { type Question, readQuestions } from '../../src/bench/questions.ts';
import { ingestKb } from '../../src/kb/ingest-kb.ts';
import { openKb } from '../../src/kb.ts';

export interface IngestMeasure {
  readonly ms: number;
  /** Largest resident set, MB. */
  readonly memoryMb: number;
  readonly sections: number;
  readonly documents: number;
  readonly indexBytes: number;
  readonly textBytes: number;
}

export interface SearchMeasure {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly memoryMb: number;
  readonly questions: number;
  /** nDCG@10 on the part of the corpus that was not changed. */
  readonly ndcg: number;
  /** Building an index in memory; 0 where there is one on disk. */
  readonly buildMs: number;
}

const NAME = 'scale';
const TOP = 10;
const ROUNDS = 3;
/** A slow search is timed for fewer rounds, at least one. */
const BUDGET_MS = 60_000;

const [, , name = '', home = '', file = ''] = process.argv;
const questions = readQuestions(file).filter(({ relevant }) => relevant.length > 0);
const where = { cwd: home, environment: { KB_HOME: home } };

async function main(): Promise<IngestMeasure | SearchMeasure> {
  if (name === 'ingest') return measureIngest();
  if (name === 'kb') return measureKb();
  return name === 'fts5' ? measureFts5() : measureMinisearch();
}

/** From nothing: an ingest of what has not changed says nothing, and one that replaces everything does twice the work. */
async function measureIngest(): Promise<IngestMeasure> {
  const docs = join(home, 'docs');
  rmSync(join(home, 'indexes'), { recursive: true, force: true });
  const report = await ingestKb({ ...where, kb: docs, name: NAME });
  const index = join(home, 'indexes', `${NAME}.db`);
  const sizes = readdirSync(docs, { recursive: true, encoding: 'utf8' }).map((path) =>
    statSync(join(docs, path)),
  );
  const textBytes = sizes.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0);
  const { sections, documents } = report.holds;
  return {
    ms: report.ms,
    memoryMb: memory(),
    sections,
    documents,
    indexBytes: statSync(index).size,
    textBytes,
  };
}

async function measureKb(): Promise<SearchMeasure> {
  const kb = await openKb({ ...where, kb: NAME });
  const measured = await measureSearch(async (text) => {
    const { hits } = await kb.search({ text, topK: TOP });
    return hits.map((hit) => `${hit.path}:${hit.lines.first}`);
  });
  kb.close();
  return measured;
}

/** What a first version of such a program would do: every word of the question, best ten rows by bm25. */
function measureFts5(): Promise<SearchMeasure> {
  const database = openIndex();
  database.exec(
    `CREATE VIRTUAL TABLE temp.plain
     USING fts5 (title, path, body, content = '', tokenize = 'porter unicode61 remove_diacritics 2');
     INSERT INTO temp.plain (rowid, title, path, body)
     SELECT chunk.id, title, headings, text FROM chunk
     JOIN section ON section.id = section_id JOIN document ON document.id = document_id`,
  );
  const best = database
    .prepare<string[], { id: number }>(
      `SELECT rowid AS id FROM temp.plain WHERE plain MATCH ? ORDER BY rank LIMIT ${TOP}`,
    )
    .safeIntegers(false);
  const place = database.prepare<number[], { path: string; line: number }>(
    `SELECT path, section.first_line AS line FROM chunk JOIN section ON section.id = section_id
     JOIN document ON document.id = document_id WHERE chunk.id = ?`,
  );
  return measureSearch((text) => {
    const expression = wordsOf(text)
      .map((word) => `"${word}"`)
      .join(' OR ');
    const ids = best.all(expression).map((row) => row.id);
    return ids.flatMap((id) => {
      const found = place.get(id);
      return found === undefined ? [] : [`${found.path}:${found.line}`];
    });
  });
}

function measureMinisearch(): Promise<SearchMeasure> {
  const database = openIndex();
  const rows = database
    .prepare<[], { id: number; path: string; line: number; title: string; headings: string; text: string }>(
      `SELECT chunk.id AS id, path, section.first_line AS line, title, headings, text FROM chunk
       JOIN section ON section.id = section_id JOIN document ON document.id = document_id`,
    )
    .iterate();
  const places = new Map<number, string>();
  const started = performance.now();
  const index = new MiniSearch<{ id: number; title: string; headings: string; text: string }>({
    fields: ['title', 'headings', 'text'],
  });
  for (const { id, path, line, title, headings, text } of rows) {
    places.set(id, `${path}:${line}`);
    index.add({ id, title, headings, text });
  }
  const buildMs = performance.now() - started;
  return measureSearch(
    (text) =>
      index
        .search(text, { combineWith: 'OR', boost: { title: 3, headings: 2 } })
        .slice(0, TOP)
        .map(({ id }) => places.get(id as number) ?? ''),
    buildMs,
  );
}

/** Times every question after one round of warm-up; `search` gives `path:line` of the best sections. */
async function measureSearch(
  search: (text: string) => Promise<string[]> | string[],
  buildMs = 0,
): Promise<SearchMeasure> {
  const times: number[] = [];
  const scores: number[] = [];
  const begun = performance.now();
  for (let round = 0; round <= ROUNDS; round += 1) {
    if (round > 1 && performance.now() - begun > BUDGET_MS) break;
    for (const question of questions) {
      const started = performance.now();
      const found = await search(question.question);
      if (round > 0) times.push(performance.now() - started);
      else scores.push(scoreOf(question, found));
    }
  }
  const [p50 = 0, p95 = 0, p99 = 0] = [0.5, 0.95, 0.99].map((share) => percentile(times, share));
  return { p50, p95, p99, memoryMb: memory(), questions: questions.length, ndcg: mean(scores), buildMs };
}

/** Several chunks of a section count once; a document is known by the end of its path, in the copy that is as it was. */
function scoreOf(question: Question, found: readonly string[]): number {
  const judged = new Map(question.relevant.map((one) => [`${one.path}:${one.line}`, one.grade]));
  const ids = found.map((place) => {
    const known = [...judged.keys()].find((id) => place.startsWith('copy-0/') && place.endsWith(`/${id}`));
    return known ?? place;
  });
  return ndcg(judged, [...new Set(ids)], TOP);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function openIndex(): Database.Database {
  const database = new Database(join(home, 'indexes', `${NAME}.db`), { readonly: true });
  database.pragma('mmap_size = 268435456');
  return database;
}

function memory(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

main().then(
  (measured) => console.log(JSON.stringify(measured)),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);

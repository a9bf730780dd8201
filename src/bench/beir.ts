import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isFolder } from '../config/file-status.ts';
import { KbError } from '../core/errors.ts';
import { broken, type Line, parseObject, parseUnique, readLines } from './lines.ts';

export interface BeirDocument {
  readonly id: string;
  /** May be empty. */
  readonly title: string;
  readonly text: string;
}

export interface BeirDataset {
  readonly name: string;
  /** SHA-256 (hex) over the three files. */
  readonly hash: string;
  readonly documents: readonly BeirDocument[];
  readonly queries: ReadonlyMap<string, string>;
  /** Grade by document by query; only queries that are there. */
  readonly judged: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

const FOLDER =
  'name a folder that holds corpus.jsonl, queries.jsonl and qrels/test.tsv; --split names other judgments';

/** Reads a BEIR folder: `corpus.jsonl`, `queries.jsonl`, `qrels/SPLIT.tsv`. A broken line is an error with file and line. */
export function readBeir(folder: string, split = 'test'): BeirDataset {
  const files = [
    join(folder, 'corpus.jsonl'),
    join(folder, 'queries.jsonl'),
    join(folder, 'qrels', `${split}.tsv`),
  ];
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw noDataset(folder, missing);
  const [corpus = '', queryFile = '', qrels = ''] = files;
  const documents = parseUnique(readLines(corpus, FOLDER), parseDocument, '_id');
  const queries = new Map(
    parseUnique(readLines(queryFile, FOLDER), parseQuery, '_id').map(({ id, text }) => [id, text] as const),
  );
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file)).update('\0');
  return {
    name: basename(resolve(folder)),
    hash: hash.digest('hex'),
    documents,
    queries,
    judged: readJudgments(qrels, queries),
  };
}

function noDataset(folder: string, missing: string): KbError {
  const qrels = join(folder, 'qrels');
  const splits = isFolder(qrels)
    ? readdirSync(qrels)
        .filter((name) => name.endsWith('.tsv'))
        .map((name) => name.slice(0, -'.tsv'.length))
    : [];
  const others = splits.length > 0 ? `; judgments there are: ${splits.join(', ')}` : '';
  return new KbError(
    'usage-invalid',
    `${folder} is no BEIR folder: there is no ${missing}${others}`,
    { argument: folder },
    { hint: FOLDER },
  );
}

function parseDocument(line: Line): BeirDocument {
  const { _id, title = '', text } = parseObject(line);
  if (typeof _id !== 'string' || typeof text !== 'string' || typeof title !== 'string')
    throw broken(line, 'wants _id, title and text as text');
  return { id: _id, title, text };
}

function parseQuery(line: Line): { id: string; text: string } {
  const { _id, text } = parseObject(line);
  if (typeof _id !== 'string' || typeof text !== 'string') throw broken(line, 'wants _id and text as text');
  return { id: _id, text };
}

/** Three columns, tabs between them; a first line of column names is skipped. */
function readJudgments(file: string, queries: ReadonlyMap<string, string>): Map<string, Map<string, number>> {
  const judged = new Map<string, Map<string, number>>();
  for (const [position, line] of readLines(file, FOLDER).entries()) {
    const columns = line.text.split('\t');
    const [query, document, grade] = columns;
    if (columns.length !== 3 || query === undefined || document === undefined)
      throw broken(line, 'wants query id, document id and grade, with tabs between');
    const value = Number(grade);
    if (grade === undefined || grade.trim() === '' || !Number.isInteger(value)) {
      if (position === 0) continue;
      throw broken(line, `the grade "${grade}" is no whole number`);
    }
    if (!queries.has(query)) continue;
    const grades = judged.get(query) ?? new Map<string, number>();
    grades.set(document, value);
    judged.set(query, grades);
  }
  return judged;
}

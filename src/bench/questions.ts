import { broken, isObject, type Line, parseObject, parseUnique, readLines } from './lines.ts';

export interface SectionPlace {
  /** Path of the document, or its end from a folder on. */
  readonly path: string;
  /** Line of the section's heading, from 1. */
  readonly line: number;
}

export interface RelevantSection extends SectionPlace {
  readonly grade: number;
}

export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly relevant: readonly RelevantSection[];
  /** Sections left out of the results before they are scored: what the question was taken from, word for word. */
  readonly source?: readonly SectionPlace[];
}

/** What a file of questions holds, for errors. */
export const QUESTIONS =
  'make one from the documents with kb bench --make-questions FILE; each line is a JSON object with id, kind, question and relevant, a list of path, line and grade';

/** Reads questions beside a corpus, one JSON object a line. A broken line is an error with file and line. */
export function readQuestions(file: string): Question[] {
  return parseUnique(readLines(file, QUESTIONS), parseQuestion, 'id');
}

function parseQuestion(line: Line): Question {
  const { id, kind, question, relevant, source } = parseObject(line);
  if (
    typeof id !== 'string' ||
    typeof kind !== 'string' ||
    typeof question !== 'string' ||
    !Array.isArray(relevant)
  ) {
    throw broken(line, 'wants id, kind and question as text and relevant as a list');
  }
  if (source !== undefined && !Array.isArray(source)) throw broken(line, 'wants source as a list');
  return {
    id,
    kind,
    question,
    relevant: relevant.map((entry: unknown) => parseRelevant(entry, line)),
    ...(source === undefined ? {} : { source: source.map((entry: unknown) => parsePlace(entry, line)) }),
  };
}

function parseRelevant(entry: unknown, line: Line): RelevantSection {
  if (isObject(entry) && typeof entry['grade'] === 'number') {
    return { ...parsePlace(entry, line), grade: entry['grade'] };
  }
  throw broken(line, 'each relevant section wants path, line and grade');
}

function parsePlace(entry: unknown, line: Line): SectionPlace {
  if (isObject(entry)) {
    const { path, line: first } = entry;
    if (typeof path === 'string' && typeof first === 'number') return { path, line: first };
  }
  throw broken(line, 'each section wants path and line');
}

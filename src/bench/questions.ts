import { readFileSync } from 'node:fs';
import { KbError } from '../core/errors.ts';

export interface RelevantSection {
  /** Path of the document, or its end from a folder on. */
  readonly path: string;
  /** Line of the section's heading, from 1. */
  readonly line: number;
  readonly grade: number;
}

export interface Question {
  readonly id: string;
  readonly kind: string;
  readonly question: string;
  readonly relevant: readonly RelevantSection[];
}

/** Reads questions beside a corpus, one JSON object a line. A broken line is an error with file and line. */
export function readQuestions(file: string): Question[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new KbError('usage-invalid', `${file} cannot be read: ${String(error)}`, { argument: file });
  }
  return text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseQuestion(line, `${file}:${index + 1}`)]));
}

function parseQuestion(line: string, place: string): Question {
  const value = parseJson(line, place);
  const { id, kind, question, relevant } = value;
  if (
    typeof id !== 'string' ||
    typeof kind !== 'string' ||
    typeof question !== 'string' ||
    !Array.isArray(relevant)
  ) {
    throw broken(place, 'wants id, kind and question as text and relevant as a list');
  }
  return { id, kind, question, relevant: relevant.map((entry: unknown) => parseRelevant(entry, place)) };
}

function parseRelevant(entry: unknown, place: string): RelevantSection {
  if (isObject(entry)) {
    const { path, line, grade } = entry;
    if (typeof path === 'string' && typeof line === 'number' && typeof grade === 'number')
      return { path, line, grade };
  }
  throw broken(place, 'each relevant section wants path, line and grade');
}

function parseJson(line: string, place: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (isObject(value)) return value;
  } catch (error) {
    throw broken(place, error instanceof Error ? error.message : 'not JSON');
  }
  throw broken(place, 'not a JSON object');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function broken(place: string, problem: string): KbError {
  return new KbError('usage-invalid', `${place}: ${problem}`, { argument: place });
}

import { KbError } from '../core/errors.ts';
import { readText } from './files.ts';

export interface Line {
  readonly text: string;
  /** `file:line`, for errors. */
  readonly place: string;
  /** What such a file holds, for errors. */
  readonly hint: string;
}

/** Lines with something in them, each with its place. `hint` says what such a file holds. */
export function readLines(file: string, hint: string): Line[] {
  return readText(file, hint)
    .split(/\r\n?|\n/u)
    .map((text, index) => ({ text, place: `${file}:${index + 1}`, hint }))
    .filter((line) => line.text.trim() !== '');
}

/** The JSON object on a line. Throws `usage-invalid` with file and line. */
export function parseObject(line: Line): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    throw broken(line, error instanceof Error ? error.message : 'not JSON');
  }
  if (isObject(value)) return value;
  throw broken(line, 'not a JSON object');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function broken({ place, hint }: Line, problem: string): KbError {
  return new KbError('usage-invalid', `${place}: ${problem}`, { argument: place }, { hint });
}

/** Each line's item; two of one id are an error that names both lines. `key` is what the id is called in the file. */
export function parseUnique<Item extends { readonly id: string }>(
  lines: readonly Line[],
  parse: (line: Line) => Item,
  key: string,
): Item[] {
  const places = new Map<string, string>();
  return lines.map((line) => {
    const item = parse(line);
    const before = places.get(item.id);
    if (before !== undefined) throw broken(line, `the ${key} "${item.id}" is that of ${before} too`);
    places.set(item.id, line.place);
    return item;
  });
}

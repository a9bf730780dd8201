import { readFileSync } from 'node:fs';
import { KbError } from '../core/errors.ts';

export interface Line {
  readonly text: string;
  /** `file:line`, for errors. */
  readonly place: string;
}

/** Text of a file a person named. Throws `usage-invalid` where it cannot be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/u, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new KbError('usage-invalid', `${file} cannot be read: ${reason}`, { argument: file });
  }
}

/** Lines with something in them, each with its place. */
export function readLines(file: string): Line[] {
  return readText(file)
    .split(/\r\n?|\n/u)
    .map((text, index) => ({ text, place: `${file}:${index + 1}` }))
    .filter((line) => line.text.trim() !== '');
}

/** The JSON object on a line. Throws `usage-invalid` with file and line. */
export function parseObject({ text, place }: Line): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(place, error instanceof Error ? error.message : 'not JSON');
  }
  if (isObject(value)) return value;
  throw broken(place, 'not a JSON object');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function broken(place: string, problem: string): KbError {
  return new KbError('usage-invalid', `${place}: ${problem}`, { argument: place });
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
    if (before !== undefined) throw broken(line.place, `the ${key} "${item.id}" is that of ${before} too`);
    places.set(item.id, line.place);
    return item;
  });
}

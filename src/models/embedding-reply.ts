import { isRecord, parseJson, textOf } from './json.ts';

/** What a reply with status 200 turned out to be. */
export type EmbeddingReply =
  /** As they came, one a text, in the order of the texts; not yet checked as vectors. */
  | {
      readonly kind: 'vectors';
      readonly vectors: readonly ArrayLike<number>[];
      readonly model: string | undefined;
    }
  /** An error in spite of the status. */
  | { readonly kind: 'error' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** @param count how many texts were sent; as many vectors must be there, each for one of them */
export function readReply(text: string, count: number): EmbeddingReply {
  const value = parseJson(text);
  if (value === undefined) return malformed(notJson(text));
  if (isRecord(value) && isError(value)) return { kind: 'error' };
  const data = isRecord(value) ? value['data'] : undefined;
  if (!Array.isArray(data)) return malformed('there is no list "data" in it');
  if (data.length !== count) return malformed(`${data.length} vectors came for ${count} texts`);
  const places = placesOf(data);
  if (typeof places === 'string') return malformed(places);
  const vectors = new Array<ArrayLike<number>>(count);
  for (const [position, item] of data.entries()) {
    const place = places[position] ?? 0;
    const numbers = numbersOf(isRecord(item) ? item['embedding'] : undefined);
    if (typeof numbers === 'string') return malformed(`the vector of text ${place + 1} ${numbers}`);
    vectors[place] = numbers;
  }
  return { kind: 'vectors', vectors, model: isRecord(value) ? textOf(value['model']) : undefined };
}

function malformed(reason: string): EmbeddingReply {
  return { kind: 'malformed', reason };
}

function isError(value: Readonly<Record<string, unknown>>): boolean {
  if ('data' in value && Array.isArray(value['data'])) return false;
  const error = value['error'];
  if (error !== undefined && error !== null && error !== false && error !== '') return true;
  return value['object'] === 'error' || 'detail' in value || ('message' in value && !('data' in value));
}

/** Python servers write NaN into what they call JSON. */
function notJson(text: string): string {
  if (/[[,]\s*-?(?:NaN|Infinity)\b/u.test(text)) return 'a vector holds values that are no finite numbers';
  return text.trimStart().startsWith('<') ? 'it is a web page' : 'it is no JSON';
}

/** Which text each item is for, by `index`; by position only where no item has one. In words what is wrong. */
function placesOf(data: readonly unknown[]): readonly number[] | string {
  const given = data.map((item) => (isRecord(item) ? item['index'] : undefined));
  if (given.every((index) => index === undefined || index === null)) return given.map((_, index) => index);
  const seen = new Set<number>();
  for (const index of given) {
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= data.length) {
      return `a vector has the index ${JSON.stringify(index ?? null)} where 0 to ${data.length - 1} were sent`;
    }
    if (seen.has(index)) return `two vectors have the index ${index}`;
    seen.add(index);
  }
  return given.map(Number);
}

/** Numbers of a float list or of base64 (32-bit floats, little-endian); in words what is wrong. */
function numbersOf(embedding: unknown): ArrayLike<number> | string {
  if (typeof embedding === 'string') return decoded(embedding);
  if (!Array.isArray(embedding)) return 'is missing, or no list of numbers';
  // llama.cpp's own endpoint wraps each vector in a list of its own.
  const only: unknown = embedding[0];
  const numbers: readonly unknown[] = embedding.length === 1 && Array.isArray(only) ? only : embedding;
  return numbers.every((value) => typeof value === 'number')
    ? (numbers as readonly number[])
    : 'holds values that are no numbers';
}

function decoded(base64: string): Float32Array | string {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 0 || bytes.length % 4 !== 0 || !/^[\w+/=-]*$/u.test(base64)) {
    return 'is text that is not base64 of 32-bit floats';
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => view.getFloat32(index * 4, true));
}

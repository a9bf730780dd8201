import type { Json } from '../core/chat.ts';

const MAX_DEPTH = 16;
const BARE_KEY = /[A-Za-z0-9_-]+/uy;
const BARE_VALUE = /[^\s,\]}#]+(?: \d\d:\d\d[^\s,\]}#]*)?/uy;
const BLANKS = /(?:[ \t]|#[^\n]*)*/uy;
const BLANKS_AND_ENDS = /(?:[ \t\r\n]|#[^\n]*)*/uy;

type Table = Map<string, Value>;
type Value = Json | Table | Value[];

export interface ReadToml {
  readonly values: Readonly<Record<string, Json>>;
  /** Why the rest was not read. */
  readonly problem?: string;
}

/** TOML as data: tables, lists, strings, numbers, dates (as text). Reads up to the first fault. Never throws. */
export function readToml(text: string): ReadToml {
  const reader = new TomlReader(text);
  try {
    reader.read();
    return { values: toRecord(reader.root) };
  } catch (error) {
    const problem = error instanceof TomlError ? error.message : 'it cannot be read';
    return { values: toRecord(reader.root), problem };
  }
}

class TomlError extends Error {}

function toRecord(table: Table): Record<string, Json> {
  return Object.fromEntries([...table].map(([key, value]) => [key, toJson(value)]));
}

function toJson(value: Value): Json {
  if (value instanceof Map) return toRecord(value);
  return Array.isArray(value) ? value.map(toJson) : value;
}

class TomlReader {
  readonly root: Table = new Map();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): void {
    let table = this.root;
    for (this.#skip(BLANKS_AND_ENDS); this.#at < this.#text.length; this.#skip(BLANKS_AND_ENDS)) {
      if (this.#text.startsWith('[', this.#at)) table = this.#header();
      else this.#pair(table);
      this.#skip(BLANKS);
      if (this.#at < this.#text.length && !/[\r\n]/u.test(this.#text.charAt(this.#at))) throw this.#error();
    }
  }

  #header(): Table {
    const list = this.#text.startsWith('[[', this.#at);
    this.#at += list ? 2 : 1;
    const keys = this.#keys();
    this.#expect(list ? ']]' : ']');
    const last = keys.pop() ?? '';
    const parent = this.#tableAt(this.root, keys);
    if (!list) return this.#tableAt(parent, [last]);
    const entries = parent.get(last);
    const table: Table = new Map();
    if (Array.isArray(entries)) (entries as Value[]).push(table);
    else parent.set(last, [table]);
    return table;
  }

  #pair(table: Table, depth = 0): void {
    const keys = this.#keys();
    this.#expect('=');
    const last = keys.pop() ?? '';
    this.#tableAt(table, keys).set(last, this.#value(depth));
  }

  #tableAt(from: Table, keys: readonly string[]): Table {
    if (keys.length > MAX_DEPTH) throw this.#error();
    let table = from;
    for (const key of keys) {
      const held = table.get(key);
      const inner = Array.isArray(held) ? (held as Value[]).at(-1) : held;
      const next: Table = inner instanceof Map ? inner : new Map();
      if (next !== inner) table.set(key, next);
      table = next;
    }
    return table;
  }

  #keys(): string[] {
    const keys: string[] = [];
    do {
      this.#skip(BLANKS);
      const quote = this.#text.charAt(this.#at);
      keys.push(quote === '"' || quote === "'" ? this.#string() : this.#take(BARE_KEY));
      this.#skip(BLANKS);
    } while (this.#accept('.'));
    return keys;
  }

  #value(depth: number): Value {
    this.#skip(BLANKS);
    if (depth > MAX_DEPTH) throw this.#error();
    const first = this.#text.charAt(this.#at);
    if (first === '"' || first === "'") return this.#string();
    if (first === '[') return this.#list(depth);
    if (first === '{') return this.#inlineTable(depth);
    return scalar(this.#take(BARE_VALUE));
  }

  #list(depth: number): Value[] {
    this.#at += 1;
    const items: Value[] = [];
    for (this.#skip(BLANKS_AND_ENDS); !this.#accept(']'); this.#skip(BLANKS_AND_ENDS)) {
      items.push(this.#value(depth + 1));
      this.#skip(BLANKS_AND_ENDS);
      if (!this.#accept(',') && this.#text.charAt(this.#at) !== ']') throw this.#error();
    }
    return items;
  }

  #inlineTable(depth: number): Table {
    this.#at += 1;
    const table: Table = new Map();
    for (this.#skip(BLANKS_AND_ENDS); !this.#accept('}'); this.#skip(BLANKS_AND_ENDS)) {
      this.#pair(table, depth + 1);
      this.#skip(BLANKS_AND_ENDS);
      if (!this.#accept(',') && this.#text.charAt(this.#at) !== '}') throw this.#error();
    }
    return table;
  }

  #string(): string {
    const quote = this.#text.charAt(this.#at);
    const long = this.#text.startsWith(quote.repeat(3), this.#at);
    const mark = long ? quote.repeat(3) : quote;
    const start = this.#at + mark.length;
    let end = start;
    while (!this.#text.startsWith(mark, end)) {
      const character = this.#text.charAt(end);
      if (character === '' || (!long && /[\r\n]/u.test(character))) throw this.#error();
      end += quote === '"' && character === '\\' ? 2 : 1;
    }
    this.#at = end + mark.length;
    const inner = this.#text.slice(start, end).replace(/^\r?\n/u, '');
    return quote === '"' ? unescaped(inner) : inner;
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw this.#error();
    this.#at += found.length;
    return found;
  }

  #accept(mark: string): boolean {
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#accept(mark)) throw this.#error();
  }

  #error(): TomlError {
    return new TomlError(`not understood in line ${this.#text.slice(0, this.#at).split('\n').length} of it`);
  }
}

function scalar(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  const plain = text.replace(/(?<=\d)_(?=\d)/gu, '');
  return /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/u.test(plain) ? Number(plain) : text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  e: '\u001B',
};

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u(?<short>[\dA-Fa-f]{4})|U(?<long>[\dA-Fa-f]{8})|(?<end>[ \t]*\r?\n\s*)|(?<one>[\s\S]))/gu,
    (...found) => {
      const groups = found.at(-1) as Record<string, string | undefined>;
      const code = Number.parseInt(groups['short'] ?? groups['long'] ?? '', 16);
      if (!Number.isNaN(code)) return code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD';
      if (groups['end'] !== undefined) return '';
      const one = groups['one'] ?? '';
      return ESCAPES[one] ?? one;
    },
  );
}

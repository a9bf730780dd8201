/**
 * Reads calls written as Python: `[search(query="a b", top_k=3), read(ref='x')]`, as LFM2 and Llama models do. Literals
 * only: strings, numbers, True, False, None, lists and dicts.
 */

export interface WrittenCall {
  readonly name: string;
  readonly input: unknown;
}

const TOKEN =
  /\s*(?:(?<text>"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_][\w.-]*)|(?<sign>[()[\]{},=:]))/uy;
const DEPTH_MAX = 50;
const WORDS: Readonly<Record<string, unknown>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' };

interface Token {
  readonly kind: 'text' | 'number' | 'name' | 'sign';
  readonly value: string;
}

class NotALiteral extends Error {}

/** The calls, or undefined when the text is not such a list (or a single call) and nothing else. */
export function parseLiteralCalls(text: string): WrittenCall[] | undefined {
  try {
    const reader = new Reader(cut(text.trim()));
    const calls = reader.calls();
    return calls.length > 0 && reader.atEnd ? calls : undefined;
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

function cut(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const groups = TOKEN.exec(text)?.groups;
    const found = (['text', 'number', 'name', 'sign'] as const).find((kind) => groups?.[kind] !== undefined);
    if (groups === undefined || found === undefined) throw new NotALiteral();
    tokens.push({ kind: found, value: groups[found] ?? '' });
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get atEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  calls(): WrittenCall[] {
    if (!this.#skip('[')) return [this.#call()];
    return this.#list(']', () => this.#call());
  }

  #call(): WrittenCall {
    const name = this.#next();
    if (name.kind !== 'name' || !this.#skip('(')) throw new NotALiteral();
    const pairs = this.#list(')', () => {
      const key = this.#next();
      if (key.kind !== 'name' || !this.#skip('=')) throw new NotALiteral();
      return [key.value, this.#value(0)] as const;
    });
    return { name: name.value, input: Object.fromEntries(pairs) };
  }

  #value(depth: number): unknown {
    if (depth > DEPTH_MAX) throw new NotALiteral();
    if (this.#skip('[')) return this.#list(']', () => this.#value(depth + 1));
    if (this.#skip('{')) {
      const pairs = this.#list('}', () => {
        const key = this.#value(depth + 1);
        if (typeof key !== 'string' || !this.#skip(':')) throw new NotALiteral();
        return [key, this.#value(depth + 1)] as const;
      });
      return Object.fromEntries(pairs);
    }
    const token = this.#next();
    if (token.kind === 'text') return unquote(token.value);
    if (token.kind === 'number') return Number(token.value);
    if (token.kind === 'name' && Object.hasOwn(WORDS, token.value)) return WORDS[token.value];
    throw new NotALiteral();
  }

  #list<Item>(close: string, item: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.#skip(close)) {
      items.push(item());
      if (this.#skip(',')) continue;
      if (!this.#skip(close)) throw new NotALiteral();
      break;
    }
    return items;
  }

  #next(): Token {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token === undefined) throw new NotALiteral();
    return token;
  }

  #skip(sign: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || token.value !== sign) return false;
    this.#at += 1;
    return true;
  }
}

function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/gu, (_, code: string | undefined, character: string) =>
      code === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
    );
}

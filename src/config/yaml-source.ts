import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLError,
} from 'yaml';

/** Where a value stands in a YAML file: keys of mappings and indexes of lists from the top down. */
export type KeyPath = readonly (string | number)[];

/** A YAML file as data, with the way back to its lines. */
export interface YamlSource {
  /** Undefined when the text could not be read as YAML at all. */
  readonly data: unknown;
  readonly problems: readonly { readonly line: number; readonly text: string }[];
  /** 1-based line of the value at this path, or of the nearest thing around it that exists. */
  lineOf(path: KeyPath): number;
  /** 1-based line of the key itself. */
  keyLineOf(path: KeyPath): number;
}

/** More aliases than any settings file needs, few enough that nested ones cannot fill the memory. */
const MAX_ALIASES = 100;

/** Levels below which everything that reads the data may call itself. */
const MAX_DEPTH = 100;
const TOO_DEEP = 'is nested too deeply to be a settings file';

/** Reads YAML 1.2. Never throws: what is wrong with the text is in `problems`, which repeat none of its values. */
export function parseYaml(text: string): YamlSource {
  try {
    return readYaml(text);
  } catch (error) {
    const reason = error instanceof RangeError ? TOO_DEEP : 'cannot be read as YAML';
    const problems = [{ line: 1, text: reason }];
    return { data: undefined, problems, lineOf: () => 1, keyLineOf: () => 1 };
  }
}

function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    logLevel: 'error',
  });
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const problems = [...document.errors, ...document.warnings].map((error) => ({
    line: lineAt(error.pos[0]),
    text: describe(error, text),
  }));
  const contents = document.contents;
  let data: unknown;
  if (problems.every((problem) => problem.text.startsWith('the key '))) {
    try {
      data = document.toJS({ maxAliasCount: MAX_ALIASES });
    } catch (error) {
      const isDeep = error instanceof RangeError;
      problems.push({
        line: 1,
        text: isDeep ? TOO_DEEP : 'uses aliases (*name) that are missing or unfold to too much',
      });
    }
    if (isDeeperThan(data, MAX_DEPTH)) {
      problems.push({ line: 1, text: TOO_DEEP });
      data = undefined;
    }
  }
  return {
    data,
    problems,
    lineOf: (path) => lineAt(offsetOf(contents, path, false)),
    keyLineOf: (path) => lineAt(offsetOf(contents, path, true)),
  };
}

/** Level by level, each value once: aliases make one value stand in many places. */
function isDeeperThan(data: unknown, depth: number): boolean {
  let level = new Set<unknown>([data]);
  for (let left = depth; level.size > 0; left -= 1) {
    if (left === 0) return true;
    const next = [...level].flatMap((value) =>
      value !== null && typeof value === 'object' ? Object.values(value) : [],
    );
    level = new Set(next.filter((value) => value !== null && typeof value === 'object'));
  }
  return false;
}

function describe(error: YAMLError, text: string): string {
  switch (error.code) {
    case 'DUPLICATE_KEY': {
      const key = /^(?:"[^"]*"|'[^']*'|[^\s:,{}]+)/u.exec(text.slice(error.pos[0], error.pos[0] + 200))?.[0];
      return `the key ${key ?? ''} stands here a second time`;
    }
    case 'TAB_AS_INDENT':
      return 'a tab is used as indentation: YAML accepts only spaces';
    case 'MULTIPLE_DOCS':
      return 'holds a second document (---): one file describes one knowledge base';
    case 'TAG_RESOLVE_FAILED':
      return 'uses a tag (!name): only plain text, numbers, true, false, lists and mappings are accepted';
    default:
      // The parser reports the end of its stack as if it were a mistake of spelling.
      if (error.message.includes('call stack')) return TOO_DEEP;
      return `YAML syntax: ${error.message.split('\n')[0] ?? ''}`;
  }
}

function offsetOf(contents: Node | null, path: KeyPath, ofKey: boolean): number {
  let node: unknown = contents;
  let offset = startOf(contents) ?? 0;
  for (const step of path) {
    const inner = stepInto(node, step);
    if (inner === undefined) return offset;
    offset = startOf(inner.key) ?? offset;
    node = inner.value;
  }
  // A mapping or list begins on the line after its key, and the key is where a person looks.
  return ofKey || !isScalar(node) || node.value === null ? offset : (startOf(node) ?? offset);
}

/** What stands under a key or index, and the node that leads to it. */
function stepInto(node: unknown, step: string | number): { key: unknown; value: unknown } | undefined {
  if (isMap(node)) return findPair(node.items, step);
  const item = isSeq(node) ? node.items[Number(step)] : undefined;
  return item === undefined ? undefined : { key: item, value: item };
}

function findPair(items: readonly Pair[], step: string | number): Pair | undefined {
  return items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(step));
}

function startOf(node: unknown): number | undefined {
  return node !== null && typeof node === 'object' && 'range' in node && Array.isArray(node.range)
    ? (node.range[0] as number)
    : undefined;
}

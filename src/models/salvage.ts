import type { ToolSpec } from '../core/chat.ts';
import { isRecord, jsonState, parseJson, textOf } from './json.ts';
import { parseLiteralCalls, type WrittenCall } from './literal-calls.ts';

/** What a whole visible message turned out to be. `cut`: a call that breaks off before its end. */
export type Salvage =
  | { readonly kind: 'calls'; readonly calls: readonly WrittenCall[] }
  | { readonly kind: 'cut' }
  | { readonly kind: 'text' };

const TEXT: Salvage = { kind: 'text' };
/** Keys a call may have as bare JSON; any other makes it an answer that happens to be JSON. */
const CALL_KEYS = new Set(['id', 'type', 'name', 'arguments', 'parameters', 'function', 'tool_calls']);

/**
 * Finds tool calls a model wrote as text because its server did not understand them. Strict, so that nothing quoted in
 * an answer is ever run: the whole message must be calls (no prose, no fence), each to a declared tool.
 */
export function salvageCalls(text: string, tools: readonly ToolSpec[]): Salvage {
  const message = text.trim();
  const found = readMessage(message, tools);
  if (found === 'cut') return tools.some((tool) => message.includes(tool.name)) ? { kind: 'cut' } : TEXT;
  if (found === undefined || found.length === 0) return TEXT;
  const declared = found.every((call) => tools.some((tool) => tool.name === call.name));
  return declared ? { kind: 'calls', calls: found } : TEXT;
}

type Reading = readonly WrittenCall[] | 'cut' | undefined;

function readMessage(message: string, tools: readonly ToolSpec[]): Reading {
  if (message.startsWith('<tool_call>'))
    return readBlocks(message, '<tool_call>', '</tool_call>', (body) => readBody(body, tools));
  if (message.startsWith('<|tool_call_start|>')) {
    return readBlocks(message, '<|tool_call_start|>', '<|tool_call_end|>', (body) => readBody(body, tools));
  }
  if (message.startsWith('<function=')) return readFunctions(message, tools);
  if (message.startsWith('<|python_tag|>')) return readBody(message.slice('<|python_tag|>'.length), tools);
  if (message.startsWith('[TOOL_CALLS]')) return readMistral(message);
  if (message.startsWith('{') || message.startsWith('[')) return readJson(message);
  return undefined;
}

/** Blocks between marks, nothing but blanks between them. The last closing mark may be missing: servers swallow it. */
function readBlocks(message: string, open: string, close: string, read: (body: string) => Reading): Reading {
  const calls: WrittenCall[] = [];
  let rest = message;
  while (rest !== '') {
    if (!rest.startsWith(open)) return open.startsWith(rest) ? calls : undefined;
    const end = rest.indexOf(close, open.length);
    const found = read(rest.slice(open.length, end < 0 ? undefined : end));
    if (!Array.isArray(found)) return end < 0 ? found : undefined;
    calls.push(...found);
    rest = end < 0 ? '' : rest.slice(end + close.length).trimStart();
  }
  return calls;
}

function readBody(body: string, tools: readonly ToolSpec[]): Reading {
  const text = body.trim();
  if (text.startsWith('<function=')) return readFunctions(text, tools);
  const calls = readJson(text);
  if (calls !== undefined && calls !== 'cut') return calls;
  const literal = parseLiteralCalls(text);
  if (literal !== undefined) return literal;
  const open = text === '' || jsonState(text) === 'open' || text.lastIndexOf('(') > text.lastIndexOf(')');
  return open ? 'cut' : undefined;
}

/** `<function=name><parameter=key>value</parameter></function>`, one or several. */
function readFunctions(message: string, tools: readonly ToolSpec[]): Reading {
  const calls: WrittenCall[] = [];
  let rest = message;
  while (rest !== '') {
    const whole = /^<function=([^>\s]+)>([\s\S]*?)<\/function>\s*/u.exec(rest);
    if (whole === null) return rest.startsWith('<function=') ? 'cut' : undefined;
    const name = whole[1] ?? '';
    const input = readParameters(
      whole[2] ?? '',
      tools.find((tool) => tool.name === name),
    );
    if (input === undefined) return undefined;
    calls.push({ name, input });
    rest = rest.slice(whole[0].length);
  }
  return calls;
}

function readParameters(body: string, tool: ToolSpec | undefined): Record<string, unknown> | undefined {
  const pairs: [string, unknown][] = [];
  const rest = body.replace(
    /<parameter=([^>\s]+)>([\s\S]*?)<\/parameter>/gu,
    (_, key: string, value: string) => {
      pairs.push([key, typed(value.replace(/^\r?\n|\r?\n$/gu, ''), tool, key)]);
      return '';
    },
  );
  return rest.trim() === '' ? Object.fromEntries(pairs) : undefined;
}

/** In this form every value is text; the tool's schema says which should be something else. */
function typed(value: string, tool: ToolSpec | undefined, key: string): unknown {
  const properties = tool?.inputSchema['properties'];
  const property = isRecord(properties) ? properties[key] : undefined;
  const type = isRecord(property) ? property['type'] : undefined;
  if (type === undefined || type === 'string') return value;
  return parseJson(value) ?? value;
}

/** `[TOOL_CALLS][{…}]` or `[TOOL_CALLS]name{…}`, the latter repeated. */
function readMistral(message: string): Reading {
  const bodies = message.split('[TOOL_CALLS]').map((body) => body.trim());
  const calls: WrittenCall[] = [];
  for (const body of bodies.slice(1)) {
    const named = /^([\w.-]+)\s*(?:\[ARGS\])?\s*(\{[\s\S]*)$/u.exec(body);
    const found = named === null ? readJson(body) : readNamed(named[1] ?? '', named[2] ?? '');
    if (found === undefined || found === 'cut') return found;
    calls.push(...found);
  }
  return calls;
}

function readNamed(name: string, text: string): Reading {
  const input = parseJson(text);
  if (input !== undefined) return [{ name, input }];
  return jsonState(text) === 'open' ? 'cut' : undefined;
}

/** `{"name", "arguments"}`, `{"tool_calls": […]}`, `{"type": "function", "function": {…}}`, or a list of those. */
function readJson(text: string): Reading {
  const value = parseJson(text);
  if (value !== undefined) return callsIn(value);
  const looksLikeCall = /^[{[][\s\S]{0,40}"(?:name|tool_calls|function|type)"/u.test(text);
  return looksLikeCall && jsonState(text) === 'open' ? 'cut' : undefined;
}

/** @param depth lists and wrappers around this value; a call is never deeper than in `[{"tool_calls": [{"function": …}]}]` */
function callsIn(value: unknown, depth = 0): readonly WrittenCall[] | undefined {
  if (depth > 4) return undefined;
  if (Array.isArray(value)) {
    const all = value.map((item) => callsIn(item, depth + 1));
    return all.every((calls) => calls !== undefined) ? all.flat() : undefined;
  }
  if (!isRecord(value) || Object.keys(value).some((key) => !CALL_KEYS.has(key))) return undefined;
  if (Array.isArray(value['tool_calls'])) return callsIn(value['tool_calls'], depth + 1);
  if (isRecord(value['function'])) return callsIn(value['function'], depth + 1);
  const name = textOf(value['name']);
  const input = value['arguments'] ?? value['parameters'];
  if (name === undefined || input === undefined) return undefined;
  return [{ name, input }];
}

/** Reading JSON whose shape nobody has promised: what a server sends, what a model writes. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper nesting than any server or tool call needs; what walks a value afterwards would overflow the stack. */
const DEPTH_MAX = 200;

/** The parsed value, or undefined when the text is not JSON (no JSON text parses to undefined) or nested without end. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, DEPTH_MAX) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Level by level, so that the depth costs no stack. */
function isDeeper(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

/** A text that says something; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A count of tokens as reported; 0 for what is no count. */
export function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

/** Whether JSON text is whole, breaks off inside a string or bracket (`open`), or is wrong in itself (`broken`). */
export function jsonState(text: string): 'complete' | 'open' | 'broken' {
  if (parseJson(text) !== undefined) return 'complete';
  const bare = text.replace(/"(?:[^"\\]|\\[\s\S])*"/gu, '');
  const opened = bare.match(/[{[]/gu)?.length ?? 0;
  const closed = bare.match(/[}\]]/gu)?.length ?? 0;
  return bare.includes('"') || opened > closed ? 'open' : 'broken';
}

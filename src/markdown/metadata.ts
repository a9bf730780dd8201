import type { Json } from '../core/chat.ts';

/** Values of one header; a header that expands to more (by aliases) is cut. */
const MAX_VALUES = 20_000;
const MAX_DEPTH = 32;

/** A parsed header as plain JSON: dates as ISO text, numbers JSON cannot hold as text, anything else left out. */
export function toMetadata(data: unknown): Readonly<Record<string, Json>> {
  const budget = { values: MAX_VALUES };
  const json = toJson(data, 0, budget);
  return isRecord(json) ? json : {};
}

function isRecord(json: Json | undefined): json is { readonly [key: string]: Json } {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function toJson(value: unknown, depth: number, budget: { values: number }): Json | undefined {
  budget.values -= 1;
  if (budget.values < 0 || depth > MAX_DEPTH) return undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) return undefined;
  return Array.isArray(value) ? toArray(value, depth, budget) : toObject(value, depth, budget);
}

function toArray(items: readonly unknown[], depth: number, budget: { values: number }): Json {
  return items.flatMap((item) => {
    const json = toJson(item, depth + 1, budget);
    return json === undefined ? [] : [json];
  });
}

function toObject(value: object, depth: number, budget: { values: number }): Json {
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const json = toJson(item, depth + 1, budget);
    if (json !== undefined) entries.push([key, json]);
  }
  return Object.fromEntries(entries);
}

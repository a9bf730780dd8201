const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };
const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/u;

/** What {@link parseDuration} reads, for messages. */
export const DURATION_FORMS = 'a duration such as 500ms, 120s, 2m or 1h (a plain number is seconds)';

/** Seconds of `120s`, `2m`, `1h`, `500ms` or a plain number of seconds; undefined for anything else. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const found = DURATION.exec(value.trim());
  if (found === null) return undefined;
  return Number(found[1]) * (UNITS[found[2] ?? 's'] ?? 1);
}

/** Inverse of {@link parseDuration}, in the largest unit that keeps the number whole. */
export function formatDuration(seconds: number): string {
  if (seconds > 0 && seconds % 3600 === 0) return `${seconds / 3600}h`;
  if (seconds > 0 && seconds % 60 === 0) return `${seconds / 60}m`;
  return Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;
}

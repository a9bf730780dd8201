import type { Json } from '../core/chat.ts';
import type { Unit } from './visible-units.ts';

type Metadata = Readonly<Record<string, Json>>;

/** Keys whose values landing pages are made of. */
const SHOWN = [
  'description',
  'summary',
  'lead',
  'excerpt',
  'overview',
  'hero',
  'features',
  'cards',
  'sections',
];
/** Keys below them that hold words, not addresses and settings. */
const WORDS =
  /^(?:title|name|text|tagline|details|description|heading|subtitle|summary|label|content|body|quote)$/u;
const MAX_DEPTH = 6;
const MAX_UNITS = 500;

/** What a site shows of the header of a page that has no text of its own. */
export function headerUnits(metadata: Metadata): Unit[] {
  const words = SHOWN.flatMap((key) => {
    const value = metadata[key];
    return typeof value === 'string' ? [value] : wordsIn(value, 0);
  });
  return words
    .map((text) =>
      text
        .replace(/<[^<>]{0,500}>/gu, ' ')
        .replace(/\s+/gu, ' ')
        .trim(),
    )
    .filter((text) => text !== '')
    .slice(0, MAX_UNITS)
    .map((text) => ({ lines: [{ text, line: 0 }], gap: '\n' as const }));
}

function wordsIn(value: Json | undefined, depth: number): string[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item: Json) => wordsIn(item, depth + 1));
  return Object.entries(value).flatMap(([key, item]) => {
    if (typeof item === 'string') return WORDS.test(key) ? [item] : [];
    return wordsIn(item, depth + 1);
  });
}

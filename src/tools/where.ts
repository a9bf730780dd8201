import * as z from 'zod';
import { type FieldFilter, parseFieldFilter } from '../core/scope.ts';

const MAX_FILTERS = 10;

/** The parameter that limits a tool to documents by their front matter. */
export function whereInput() {
  const filter = z
    .string({ error: 'must be text: key=value' })
    .refine((text) => parseFieldFilter(text) !== undefined, 'must be key=value');
  return z
    .array(filter, { error: 'must be a list of key=value' })
    .max(MAX_FILTERS, `must be at most ${MAX_FILTERS}`)
    .optional()
    .describe(
      'only documents whose front matter has all of these values, each key=value, for example tags=security',
    );
}

export function filtersOf(where: readonly string[]): FieldFilter[] {
  return where.flatMap((text) => parseFieldFilter(text) ?? []);
}

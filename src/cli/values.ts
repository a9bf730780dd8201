import { KbError } from '../core/errors.ts';
import { type FieldFilter, parseFieldFilter } from '../core/scope.ts';

/** Words of the command line as one text. Throws usage-invalid when there is nothing in it. */
export function parseText(command: string, name: string, words: readonly string[]): string {
  const text = words.join(' ');
  if (text.trim() !== '') return text;
  throw new KbError(
    'usage-invalid',
    `the ${name} is empty`,
    { argument: name },
    { hint: `kb ${command} --help` },
  );
}

/** A whole number from the command line. Throws usage-invalid that names the option and the range. */
export function parseWhole(
  option: string,
  text: string,
  range: { readonly min: number; readonly max: number },
): number {
  const value = Number(text);
  if (/^\d+$/u.test(text) && value >= range.min && value <= range.max) return value;
  throw new KbError(
    'usage-invalid',
    `${option} takes a whole number from ${range.min} to ${range.max}, not "${text}"`,
    {
      argument: option,
    },
  );
}

/** One of a few words. Throws usage-invalid that names the option and the words. */
export function parseChoice<Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new KbError('usage-invalid', `${option} takes ${choices.join(', ')}, not "${text}"`, {
    argument: option,
  });
}

/** `--where key=value`, repeatable. Throws usage-invalid for anything else. */
export function parseWhere(texts: readonly string[]): FieldFilter[] {
  return texts.map((text) => {
    const filter = parseFieldFilter(text);
    if (filter !== undefined) return filter;
    throw new KbError(
      'usage-invalid',
      `--where takes key=value, not "${text}"`,
      { argument: '--where' },
      { hint: 'for example --where tags=security' },
    );
  });
}

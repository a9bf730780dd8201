/** A number of a text in one spelling, with its sign, and its unit where it is one we know. */
export interface Quantity {
  /** As written. */
  readonly text: string;
  /** No digit grouping, decimal point. */
  readonly value: string;
  /** What the unit can be, one name for all its spellings; empty for none. */
  readonly units: readonly string[];
}

const UNITS: Readonly<Record<string, string>> = {
  ms: 'ms msec millisecond milliseconds',
  s: 's sec secs second seconds',
  min: 'm min mins minute minutes',
  h: 'h hr hrs hour hours',
  d: 'd day days',
  w: 'w week weeks',
  month: 'month months',
  y: 'y yr yrs year years',
  b: 'byte bytes',
  kb: 'kb k kilobyte kilobytes',
  kib: 'kib k kibibyte kibibytes',
  mb: 'mb m megabyte megabytes',
  mib: 'mib m mebibyte mebibytes',
  gb: 'gb g gigabyte gigabytes',
  gib: 'gib g gibibyte gibibytes',
  tb: 'tb t terabyte terabytes',
  '%': '% percent',
};

/** `30m` can be minutes or megabytes: a spelling names every unit it may stand for. */
const UNITS_OF = new Map<string, readonly string[]>();
for (const [unit, names] of Object.entries(UNITS)) {
  for (const name of names.split(' ')) UNITS_OF.set(name, [...(UNITS_OF.get(name) ?? []), unit]);
}

/** A single letter is a unit only right behind the digits. */
function unitsOf(suffix: string): readonly string[] {
  const name = suffix.replace(/^[\s-]/u, '').toLowerCase();
  return name.length === 1 && name !== '%' && suffix.length > 1 ? [] : (UNITS_OF.get(name) ?? []);
}

const WORDS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const WORD_VALUE = new Map([
  ...WORDS.map((word, value) => [word, String(value)] as const),
  ...(['thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const).map(
    (word, index) => [word, String(30 + index * 10)] as const,
  ),
]);

/** Not inside a word or a dotted version; `8.15.2`, `1,000`, `10:30` and `-1` are each one number. */
const NUMBER =
  /(?<![\p{L}\p{N}_.])(?:[vV]|(?<sign>(?<=^|[\s(=:,"'`[])[-−])?)(?<digits>\d{1,3}(?:[,'’_\u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.:]\d+)*(?:,\d{1,2}(?!\d))?)(?<unit>[\s-]?(?:%|\p{L}+))?/gu;
const GROUPED = /^\d{1,3}(?:[,'’_\u00a0\u202f]\d{3})+(?:\.\d+)?$/u;

export function quantitiesIn(text: string): readonly Quantity[] {
  return [...latinDigits(text).matchAll(NUMBER)].map((found) => {
    const { sign, digits = '', unit: suffix = '' } = found.groups ?? {};
    const units = unitsOf(suffix);
    return {
      text: `${sign ?? ''}${digits}${units.length === 0 ? '' : suffix}`,
      value: `${sign === undefined ? '' : '-'}${canonical(digits)}`,
      units,
    };
  });
}

/** Digits of every script as 0 to 9: each script has its ten in a row, beginning with zero. */
function latinDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let below = 0;
    while (/^\p{Nd}$/u.test(String.fromCodePoint(code - below - 1))) below += 1;
    return String(below % 10);
  });
}

function canonical(digits: string): string {
  return GROUPED.test(digits) ? digits.replace(/[,'’_\u00a0\u202f]/gu, '') : digits.replace(',', '.');
}

/** The numbers a source holds, also those in words, and the parts of `8080:80`. */
export class QuantitySet {
  readonly #units = new Map<string, Set<string>>();

  constructor(text: string) {
    for (const { value, units } of quantitiesIn(text)) {
      this.#add(value, units);
      for (const part of value.split(':')) this.#add(part, units);
    }
    for (const found of text.toLowerCase().matchAll(/\p{L}+/gu)) {
      const value = WORD_VALUE.get(found[0]);
      if (value === undefined) continue;
      const next = /^[\s-](\p{L}+)/u.exec(text.slice(found.index + found[0].length, found.index + 40))?.[1];
      this.#add(value, unitsOf(next ?? ''));
    }
  }

  /** The number is there, and not only with other units than the one asked for. */
  has({ value, units }: Quantity): boolean {
    const held = this.#units.get(value);
    if (held === undefined) return false;
    return units.length === 0 || held.has('') || units.some((unit) => held.has(unit));
  }

  #add(value: string, units: readonly string[]): void {
    const held = this.#units.get(value) ?? new Set<string>();
    for (const unit of units.length === 0 ? [''] : units) held.add(unit);
    this.#units.set(value, held);
  }
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Address,
  formatAddress,
  isRef,
  makeRef,
  parseAddress,
  REF_LENGTH,
  type Ref,
} from '../../src/core/ref.ts';

const AWKWARD = [
  'abcdef',
  'abc234',
  './abcdef',
  '././abcdef',
  '#abcdef',
  '(#abcdef)',
  'docs/c#.md',
  'docs/100%.md',
  'docs/100%25.md',
  'docs/%23.md',
  ' docs/a.md',
  'docs/a.md ',
  'docs/a b.md',
  '\ta.md\n',
  'a\0b.md',
  'docs/[x] (y).md',
  'docs/😀.md',
  'docs/gâteau.md',
  'docs/gâteau.md'.normalize('NFD'),
  '\u00a0a.md\u3000',
  '.',
  '..',
  '../../etc/passwd',
];

const anyPath = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.string({ minLength: 1, unit: fc.constantFrom('a', '2', '#', '%', ' ', '\t', '.', '/', '5', '(', ')') }),
  fc.constantFrom(...AWKWARD),
);
/** An anchor as it stands in a URL: no blanks. */
const anyAnchor = fc
  .oneof(fc.string({ minLength: 1, unit: 'binary' }), fc.constantFrom('a#b', '%23', 'a%20b', '-1', 'é'))
  .filter((anchor) => anchor.trim() === anchor);

describe('an address', () => {
  test('is read back as it was written, whatever the path and the anchor', () => {
    fc.assert(
      fc.property(anyPath, fc.option(anyAnchor, { nil: undefined }), (path, anchor) => {
        const address: Address =
          anchor === undefined ? { kind: 'path', path } : { kind: 'path', path, anchor };
        expect(parseAddress(formatAddress(address))).toEqual(address);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(AWKWARD)('of a file called %j is read back', (path) => {
    for (const address of [
      { kind: 'path', path },
      { kind: 'path', path, anchor: 'x' },
    ] as const) {
      expect(parseAddress(formatAddress(address))).toEqual(address);
    }
  });

  test('that is a ref is read in every form people and models write it', () => {
    for (const text of ['abc234', '#abc234', '(#abc234)', ' (#abc234)\n', '#abc234)', '(#abc234']) {
      expect(parseAddress(text)).toEqual({ kind: 'ref', ref: 'abc234' });
    }
  });

  test('of blanks names nothing', () => {
    for (const text of ['', ' ', '\n\t']) expect(parseAddress(text)).toBeUndefined();
  });

  test('without an anchor after its # is the whole document', () => {
    expect(parseAddress('docs/a.md#')).toEqual({ kind: 'path', path: 'docs/a.md' });
  });
});

describe('a ref', () => {
  const name = fc.record({
    path: fc.string({ unit: 'binary' }),
    headings: fc.array(fc.string({ unit: 'binary' })),
    occurrence: fc.nat(50),
  });

  test('is the same for the same section, and a ref by its own grammar', () => {
    fc.assert(
      fc.property(name, (section) => {
        const ref = makeRef(section, () => false);
        expect(ref).toHaveLength(REF_LENGTH);
        expect(isRef(ref)).toBe(true);
        expect(makeRef(structuredClone(section), () => false)).toBe(ref);
      }),
    );
  });

  test('grows by a character for each shorter one that is taken, and stays a ref', () => {
    fc.assert(
      fc.property(name, fc.integer({ min: 0, max: 46 }), (section, collisions) => {
        const taken = new Set<Ref>();
        for (let count = 0; count < collisions; count += 1)
          taken.add(makeRef(section, (ref) => taken.has(ref)));
        const ref = makeRef(section, (candidate) => taken.has(candidate));
        expect(ref).toHaveLength(REF_LENGTH + collisions);
        expect(isRef(ref)).toBe(true);
        for (const shorter of taken) expect(ref.startsWith(shorter)).toBe(true);
      }),
    );
  });

  test('is another one for another path, heading or occurrence', () => {
    const base = { path: 'a.md', headings: ['A', 'B'], occurrence: 0 };
    const others = [
      { ...base, path: 'b.md' },
      { ...base, headings: ['A'] },
      { ...base, headings: ['A > B'] },
      { ...base, occurrence: 1 },
    ];
    const refs = [base, ...others].map((section) => makeRef(section, () => false));
    expect(new Set(refs).size).toBe(refs.length);
  });

  test('does not depend on how the file system spells the path', () => {
    const section = { path: 'gâteau.md'.normalize('NFC'), headings: [], occurrence: 0 };
    const same = { ...section, path: section.path.normalize('NFD') };
    expect(makeRef(section, () => false)).toBe(makeRef(same, () => false));
  });

  test('that stays taken at every length is a bug, not an endless loop', () => {
    expect(() => makeRef({ path: 'a', headings: [], occurrence: 0 }, () => true)).toThrow(/no free ref/u);
  });
});

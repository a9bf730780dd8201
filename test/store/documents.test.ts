import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allDocuments,
  documentsUnder,
  putDocument,
  removeDocument,
  setAnchors,
} from '../../src/store/documents.ts';
import { chunksUnder, chunksWithStem } from '../../src/store/lexical.ts';
import { checkIntegrity } from '../../src/store/maintenance.ts';
import { chunksById, sectionByRef, sectionsOfDocument } from '../../src/store/sections.ts';
import { matches } from '../support/match.ts';
import { document, openNew, rowCounts } from './support.ts';

const refs = (index: ReturnType<typeof openNew>, path: string) =>
  sectionsOfDocument(index, path).map((section) => section.ref);

describe('a document that is put again', () => {
  const first = document('a.md', [
    ['', 'before'],
    ['One', 'first'],
    ['Two', 'second'],
  ]);

  test('unchanged keeps every ref and leaves no row behind', () => {
    const index = openNew();
    putDocument(index, first);
    const [before, counts] = [refs(index, 'a.md'), rowCounts(index)];
    putDocument(index, first);
    expect(refs(index, 'a.md')).toEqual(before);
    expect(rowCounts(index)).toEqual(counts);
    expect(checkIntegrity(index)).toEqual([]);
    index.close();
  });

  test('with other text keeps the refs, and the old words are gone', () => {
    const index = openNew();
    putDocument(index, first);
    const before = refs(index, 'a.md');
    putDocument(
      index,
      document('a.md', [
        ['', 'before'],
        ['One', 'changed'],
        ['Two', 'second'],
      ]),
    );
    expect(refs(index, 'a.md')).toEqual(before);
    expect(matches(index, 'first')).toEqual([]);
    expect(chunksWithStem(index, 'first')).toBe(0);
    expect(chunksWithStem(index, 'chang')).toBe(1);
    expect(sectionByRef(index, before[1] ?? '')?.markdown).toBe('changed');
    index.close();
  });

  test('with a section more keeps the refs of the others', () => {
    const index = openNew();
    putDocument(index, first);
    const [before, one, two] = refs(index, 'a.md');
    putDocument(
      index,
      document('a.md', [
        ['', 'before'],
        ['Zero', 'new'],
        ['One', 'first'],
        ['Two', 'second'],
      ]),
    );
    const after = refs(index, 'a.md');
    expect([after[0], after[2], after[3]]).toEqual([before, one, two]);
    expect(new Set(after).size).toBe(4);
    index.close();
  });

  test('with headings that repeat gives each its own ref, the same ones every time', () => {
    const index = openNew();
    const repeated = document('a.md', [
      ['Example', 'one'],
      ['Example', 'two'],
      ['Example', 'three'],
    ]);
    putDocument(index, repeated);
    const before = refs(index, 'a.md');
    expect(new Set(before).size).toBe(3);
    putDocument(index, repeated);
    expect(refs(index, 'a.md')).toEqual(before);
    index.close();
  });
});

test('the same headings in two documents have different refs', () => {
  const index = openNew();
  putDocument(index, document('a.md', [['One', 'x']]));
  putDocument(index, document('b.md', [['One', 'x']]));
  expect(refs(index, 'a.md')).not.toEqual(refs(index, 'b.md'));
  index.close();
});

test('whatever is put and removed, no row is left without its counterpart', () => {
  const text = fc.constantFrom('', 'alpha beta', 'gamma', 'delta '.repeat(50));
  const sections = fc.array(fc.tuple(fc.constantFrom('', 'A', 'B'), text), { maxLength: 5 });
  const step = fc.tuple(fc.constantFrom('a.md', 'b.md', 'c.md'), fc.option(sections, { nil: undefined }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const index = openNew();
      try {
        const expected = new Map<string, number>();
        for (const [path, content] of steps) {
          if (content === undefined) removeDocument(index, path);
          else putDocument(index, document(path, content));
          expected.set(path, content?.length ?? 0);
        }
        expect(checkIntegrity(index)).toEqual([]);
        for (const [path, count] of expected) expect(sectionsOfDocument(index, path)).toHaveLength(count);
        for (const one of allDocuments(index)) removeDocument(index, one.path);
        expect(Object.values(rowCounts(index))).toEqual([0, 0, 0, 0]);
        expect(matches(index, 'alpha OR beta OR gamma OR delta')).toEqual([]);
        expect(chunksWithStem(index, 'alpha')).toBe(0);
      } finally {
        index.close();
      }
    }),
    { numRuns: 25 },
  );
});

describe('documents under a path', () => {
  const paths = [
    'docs/a.md',
    'docs/sub/b.md',
    'docs-private/c.md',
    'docs.md',
    'docs0/d.md',
    "it's/e.md",
    '100%/f.md',
    '100x/g.md',
    'a_b/h.md',
    'axb/i.md',
    'gâteau/j.md',
  ];
  const index = openNew();
  for (const path of paths) putDocument(index, document(path, [['Same', 'equal words']]));

  test.each([
    ['docs', ['docs/a.md', 'docs/sub/b.md']],
    ['docs/', ['docs/a.md', 'docs/sub/b.md']],
    ['./docs//', ['docs/a.md', 'docs/sub/b.md']],
    ['docs/sub', ['docs/sub/b.md']],
    ['docs/a.md', ['docs/a.md']],
    ['doc', []],
    ["it's", ["it's/e.md"]],
    ['100%', ['100%/f.md']],
    ['a_b', ['a_b/h.md']],
    ['gâteau'.normalize('NFD'), ['gâteau/j.md']],
    ["' OR 1 --", []],
    ['', [...paths].sort()],
    ['.', [...paths].sort()],
  ])('%j are those at or below it, at folder boundaries', (path, expected) => {
    expect(documentsUnder(index, path).map((one) => one.path)).toEqual(expected);
    const under = chunksUnder(index, { path });
    const chunks = matches(index, 'equal').filter(({ id }) => under === undefined || under[id] === 1);
    expect(chunks).toHaveLength(expected.length);
  });
});

test('anchors are renamed in place, refs and text stay', () => {
  const index = openNew();
  putDocument(
    index,
    document('a.md', [
      ['One', 'x'],
      ['Two', 'y'],
    ]),
  );
  const before = sectionsOfDocument(index, 'a.md');
  setAnchors(index, 'a.md', [['one-new'], ['two-new', 'second']]);
  setAnchors(index, 'nowhere.md', [['x']]);
  expect(sectionsOfDocument(index, 'a.md')).toEqual([
    { ...before[0], anchors: ['one-new'] },
    { ...before[1], anchors: ['two-new', 'second'] },
  ]);
  index.close();
});

test('chunks come in the order they are asked for, unknown ones left out', () => {
  const index = openNew();
  putDocument(
    index,
    document('a.md', [
      ['A', 'x'],
      ['B', 'y'],
      ['C', 'z'],
    ]),
  );
  const ids = matches(index, 'x OR y OR z').map((match) => match.id);
  const wanted = [...ids].reverse();
  expect(chunksById(index, [...wanted, 999_999]).map((chunk) => chunk.id)).toEqual(wanted);
  index.close();
});

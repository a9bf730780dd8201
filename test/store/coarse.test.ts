import { describe, expect, test } from 'vitest';
import type { DocPath } from '../../src/core/ref.ts';
import { nearestSections } from '../../src/search/vector.ts';
import { readCoarse, rebuildCoarse } from '../../src/store/coarse.ts';
import { putDocument } from '../../src/store/documents.ts';
import { settleInputs } from '../../src/store/embedding-inputs.ts';
import { pendingInputs, pinIdentity, putVectors } from '../../src/store/embeddings.ts';
import { type IndexFile, openForReading, openForWriting } from '../../src/store/index-file.ts';
import { coarseNearest, exactNearest } from '../../src/store/nearest-vectors.ts';
import { refuseVectorExtension } from '../../src/store/vector-extension.ts';
import { temporaryFolder } from '../support/folders.ts';

const DIMENSIONS = 48;

/** Numbers from -1 to 1, always the same. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    yield state / 0x80000000;
  }
}

/** A common way, as texts of one corpus have it, and a way of its own. */
function unit(source: Generator<number>): Float32Array {
  const raw = Float32Array.from(
    { length: DIMENSIONS },
    (_, at) => (at % 5 === 0 ? 2 : 0) + (source.next().value ?? 0),
  );
  const length = Math.sqrt(raw.reduce((sum, value) => sum + value * value, 0));
  return raw.map((value) => value / length);
}

function addPages(index: IndexFile, folder: string, count: number): void {
  index.transaction(() => {
    for (let page = 0; page * 100 < count; page += 1) {
      putDocument(index, {
        path: `${folder}/p${page}.md` as DocPath,
        title: folder,
        hash: '',
        size: 0,
        metadata: {},
        status: 'indexed',
        depends: {},
        sections: Array.from({ length: Math.min(100, count - page * 100) }, (_, at) => ({
          headings: [`S${at}`],
          anchors: [],
          lines: { first: 1, last: 1 },
          hash: '',
          markdown: '',
          chunks: [{ text: `${folder} ${page} ${at}`, lines: { first: 1, last: 1 } }],
        })),
      });
    }
  });
}

function embedAll(index: IndexFile, source: Generator<number>): void {
  settleInputs(index, false);
  for (let found = pendingInputs(index, 5000); found.length > 0; found = pendingInputs(index, 5000))
    putVectors(
      index,
      found.map(({ input }) => ({ input, vector: unit(source) })),
    );
}

describe('an index of many vectors', () => {
  const path = `${temporaryFolder()}/many.db`;
  const writer = openForWriting(path);
  const source = numbers(7);
  addPages(writer, 'a', 24_000);
  addPages(writer, 'b', 3);
  pinIdentity(writer, {
    model: 'm',
    dimensions: DIMENSIONS,
    queryPrefix: '',
    documentPrefix: '',
    normalised: true,
  });
  embedAll(writer, source);
  writer.transaction(() => rebuildCoarse(writer));

  test('finds by two bits a component nearly all that an exact look finds', () => {
    const index = openForReading(path);
    const coarse = readCoarse(index, DIMENSIONS);
    if (coarse === undefined) throw new Error('no coarse vectors');
    let found = 0;
    for (let round = 0; round < 20; round += 1) {
      const query = unit(source);
      const exact = exactNearest(index, query, 10).map((one) => one.id);
      const near = coarseNearest(index, coarse, { query, limit: 10, only: undefined }).map((one) => one.id);
      found += near.filter((id) => exact.includes(id)).length;
    }
    expect(found / 200).toBeGreaterThanOrEqual(0.98);
    index.close();
  });

  test('gives the same without sqlite-vec', () => {
    const fast = openForReading(path);
    const plain = openForReading(path);
    refuseVectorExtension(plain, 'not here');
    for (let round = 0; round < 5; round += 1) {
      const query = unit(source);
      const sections = (index: IndexFile) => nearestSections(index, query, 20).map((one) => one.sectionId);
      expect(sections(plain)).toEqual(sections(fast));
      const ids = (index: IndexFile) => exactNearest(index, query, 20).map((one) => one.id);
      expect(ids(plain)).toEqual(ids(fast));
    }
    fast.close();
    plain.close();
  });

  test('looks only below a path, be there three vectors or more than are compared exactly', () => {
    const index = openForReading(path);
    const query = unit(source);
    const under = (folder: string, limit: number) =>
      nearestSections(index, query, limit, { path: folder }).map((one) => one.sectionId);
    const pathsOf = (ids: readonly number[]) =>
      new Set(
        ids.map(
          (id) =>
            index.get<{ path: string }>(
              'SELECT path FROM section JOIN document ON document.id = document_id WHERE section.id = ?',
              id,
            )?.path[0],
        ),
      );
    expect(under('b', 5)).toHaveLength(3);
    expect(pathsOf(under('b', 5))).toEqual(new Set(['b']));
    expect(pathsOf(under('a', 50))).toEqual(new Set(['a']));
    expect(under('a', 50)).toHaveLength(50);
    index.close();
  });

  test('shows a reader what another connection has written since, with the coarse row behind and renewed', () => {
    const reader = openForReading(path);
    const target = unit(source);
    nearestSections(reader, target, 5);
    addPages(writer, 'c', 1);
    const [added] = pendingInputs(writer, 10);
    if (added === undefined) throw new Error('nothing was added');
    putVectors(writer, [{ input: added.input, vector: target }]);
    expect(readCoarse(reader, DIMENSIONS)).toBeUndefined();
    expect(nearestSections(reader, target, 1)[0]?.likeness).toBeCloseTo(1, 4);
    writer.transaction(() => rebuildCoarse(writer));
    expect(readCoarse(reader, DIMENSIONS)?.ids).toHaveLength(24_004);
    expect(nearestSections(reader, target, 1)[0]?.likeness).toBeCloseTo(1, 4);
    reader.close();
  });
});

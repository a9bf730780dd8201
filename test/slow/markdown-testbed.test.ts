import { describe, expect, test } from 'vitest';
import { CHUNK_CHARACTERS } from '../../src/markdown/chunk.ts';
import {
  headingLines,
  joinSections,
  longestChunk,
  markdownFiles,
  parseFile,
  referenceHeadings,
  testbedFile,
} from '../markdown/shared-data.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const there = hasShared('testbed') && hasShared('testbed-truth');

describe.skipIf(!there)('the whole test bed (skipped: no ../shared)', () => {
  test('joined from its sections is every file, and no chunk is too long', () => {
    const files = markdownFiles(sharedPath('testbed'), /\.(?:md|markdown|mdx|txt|text)$/u);
    expect(files.length).toBeGreaterThan(3700);
    for (const file of files) {
      const document = parseFile(file);
      expect(joinSections(file.text, document) === file.text, file.path).toBe(true);
      expect(longestChunk(document), file.path).toBeLessThanOrEqual(CHUNK_CHARACTERS);
      expect(
        document.warnings.filter(({ text }) => text.startsWith('read as plain text')),
        file.path,
      ).toEqual([]);
    }
  });

  test('has the headings of the reference split in 99 % of its files', () => {
    const reference = [...referenceHeadings()];
    const differing = reference.filter(
      ([key, headings]) => headingLines(parseFile(testbedFile(key))).join() !== headings.join(),
    );
    expect(reference.length).toBeGreaterThan(3600);
    expect(differing.length).toBeLessThanOrEqual(reference.length / 100);
  });
});

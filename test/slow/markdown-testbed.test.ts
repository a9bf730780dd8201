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
  unexplained,
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

  test('has the headings of the reference split, and others only where the site shows others', () => {
    const reference = [...referenceHeadings()];
    expect(reference.length).toBeGreaterThan(3600);
    let alike = 0;
    const wrong = reference.flatMap(([key, headings]) => {
      const file = testbedFile(key);
      const document = parseFile(file);
      const own = headingLines(document);
      alike += own.join() === headings.join() ? 1 : 0;
      return unexplained(file, document, headings).map((heading) => `${key} ${heading}`);
    });
    // biome-ignore lint/suspicious/noConsole: the figure is what the test is run for
    console.log(`headings of the reference split in ${alike} of ${reference.length} files`);
    expect(alike / reference.length).toBeGreaterThan(0.98);
    expect(wrong).toEqual([]);
  });
});

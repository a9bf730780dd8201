import { describe, expect, test } from 'vitest';
import { assignAnchors } from '../../src/markdown/anchors.ts';
import { CHUNK_CHARACTERS } from '../../src/markdown/chunk.ts';
import { detectAnchorRule, pageOfSite } from '../../src/markdown/detect-anchor-rule.ts';
import { LinkResolver } from '../../src/markdown/link-resolver.ts';
import { hasShared, sharedPath } from '../support/shared.ts';
import {
  headingLines,
  joinSections,
  longestChunk,
  markdownFiles,
  parseFile,
  referenceHeadings,
  testbedFile,
} from './shared-data.ts';

const there = hasShared('corpora/openvox-docs') && hasShared('testbed-truth');

describe.skipIf(!there)('real pages (skipped: no ../shared)', () => {
  test('joined from their sections are the files, and no chunk is too long', () => {
    const files = markdownFiles(sharedPath('corpora'));
    expect(files.length).toBeGreaterThan(450);
    for (const file of files) {
      const document = parseFile(file);
      expect(joinSections(file.text, document) === file.text, file.path).toBe(true);
      expect(longestChunk(document), file.path).toBeLessThanOrEqual(CHUNK_CHARACTERS);
    }
  });

  test('link to anchors that are there: all 751 links of a page to its own or a near page', () => {
    const pages = markdownFiles(sharedPath('corpora/openvox-docs')).map((file) => ({
      path: file.path,
      document: parseFile(file),
    }));
    const resolver = new LinkResolver(pages.map(({ path }) => path));
    const anchors = new Map(
      pages.map(({ path, document }) => [path, new Set(assignAnchors(document, 'kramdown').flat())]),
    );
    const links = pages.flatMap(({ path, document }) =>
      document.links.filter(({ target }) => !target.startsWith('/')).map((link) => ({ ...link, path })),
    );
    const found = links.filter((link) => resolver.resolve(link.path, link.target) !== undefined);
    const broken = found.filter(({ path, target, fragment }) => {
      const page = resolver.resolve(path, target);
      return page === undefined || anchors.get(page)?.has(fragment) !== true;
    });
    expect(broken).toEqual([]);
    expect(found.length).toBeGreaterThanOrEqual(751);
    const asked = { rule: 'github', asksSpelling: true } as const;
    expect(detectAnchorRule(pages.map(({ document }) => pageOfSite(document, asked))).rule).toBe('kramdown');
  });

  test('have the headings of the reference split: every file of one corpus, every tenth of the others', () => {
    const reference = [...referenceHeadings()].filter(
      ([key], at) => (at % 10 === 0 && !NOT_COMMONMARK.test(key)) || key.startsWith('puppet-specifications/'),
    );
    expect(reference.length).toBeGreaterThan(300);
    for (const [key, headings] of reference) {
      const file = testbedFile(key);
      const document = parseFile(file);
      expect(headingLines(document), key).toEqual(headings);
      expect(joinSections(file.text, document) === file.text, key).toBe(true);
    }
  });
});

/**
 * Pages that CommonMark, which the reference is, reads otherwise than their sites: front matter after a blank line,
 * after a comment or between long fences, and headings right under tags.
 */
const NOT_COMMONMARK =
  /OPA-Gatekeeper|zh\/blog\/_posts\/2015-05-00-Appc|ko\/includes|announcing-etcd-3\.4|^(?:kubernetes-community\/elections|mintlify-docs|react-dev|terraform-google)\//u;

import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, test } from 'vitest';
import {
  bodyStartOf,
  headingLines,
  type MarkdownFile,
  markdownFiles,
  parseFile,
  unexplained,
} from '../markdown/shared-data.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const remark = unified().use(remarkParse).use(remarkGfm);

/** Remark is quadratic in the length of some pages. */
const LONGEST = 200_000;

/** `line:level` of the top-level headings, as remark sees the text after the front matter. */
function remarkHeadings(text: string, bodyStart: number): string[] {
  const lines = text.slice(0, bodyStart).split(/\r\n?|\n/u).length - 1;
  return remark
    .parse(text.slice(bodyStart))
    .children.flatMap((node) =>
      node.type === 'heading' ? [`${(node.position?.start.line ?? 0) + lines}:${node.depth}`] : [],
    );
}

function compare(name: string, files: readonly MarkdownFile[]): void {
  let compared = 0;
  let alike = 0;
  const wrong: string[] = [];
  for (const file of files) {
    if (file.text.length > LONGEST) continue;
    const document = parseFile(file);
    const own = headingLines(document);
    const headings = remarkHeadings(file.text, bodyStartOf(file.text, document));
    compared += 1;
    alike += own.join() === headings.join() ? 1 : 0;
    wrong.push(...unexplained(file, document, headings).map((heading) => `${file.path} ${heading}`));
  }
  // biome-ignore lint/suspicious/noConsole: the figure is what the test is run for
  console.log(`headings where remark sees them in ${alike} of ${compared} files of ${name}`);
  expect(wrong).toEqual([]);
}

describe.skipIf(!hasShared('corpora'))('headings are where remark sees them (skipped: no ../shared)', () => {
  test.each(['corpora', 'testbed'])('in every file of the %s, or where the site shows others', (name) => {
    compare(name, markdownFiles(sharedPath(name)));
  });
});

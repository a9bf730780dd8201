import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, test } from 'vitest';
import { headingLines, type MarkdownFile, markdownFiles, parseFile } from '../markdown/shared-data.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const remark = unified().use(remarkParse).use(remarkGfm);

/** Remark is quadratic in the length of some pages. */
const LONGEST = 400_000;

/** `line:level` of the top-level headings, as remark sees the text after the front matter. */
function remarkHeadings(text: string, bodyStart: number): string[] {
  const lines = text.slice(0, bodyStart).split(/\r\n?|\n/u).length - 1;
  return remark
    .parse(text.slice(bodyStart))
    .children.flatMap((node) =>
      node.type === 'heading' ? [`${(node.position?.start.line ?? 0) + lines}:${node.depth}`] : [],
    );
}

function compare(files: readonly MarkdownFile[]): void {
  for (const file of files) {
    if (file.text.length > LONGEST) continue;
    const document = parseFile(file);
    expect(headingLines(document), file.path).toEqual(remarkHeadings(file.text, document.bodyStart));
  }
}

describe.skipIf(!hasShared('corpora'))('headings are where remark sees them (skipped: no ../shared)', () => {
  test('in the corpora', () => {
    compare(markdownFiles(sharedPath('corpora')));
  });

  test('in every fifth file of the test bed', () => {
    compare(markdownFiles(sharedPath('testbed')).filter((_, at) => at % 5 === 0));
  });
});

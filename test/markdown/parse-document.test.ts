import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHUNK_CHARACTERS } from '../../src/markdown/chunk.ts';
import { parseDocument } from '../../src/markdown/parse-document.ts';
import { headingLines, joinSections, longestChunk } from './shared-data.ts';

function parse(text: string) {
  return parseDocument(text, { path: 'page.md' });
}

function paths(text: string): string[] {
  return parse(text).sections.map((section) => section.headings.join('>'));
}

/** Lines that make blocks begin, end and nest, so that random pages are interesting ones. */
const LINE = fc.constantFrom(
  ...[
    '',
    '',
    '  ',
    '# A',
    '## B {#b}',
    'C',
    '===',
    '---',
    '> q',
    '> # q',
    '- i',
    '  - j',
    '    code',
    '```',
    '~~~',
    '<div>',
  ],
  ...[
    '</div>',
    '<!--',
    '-->',
    '{% raw %}',
    '{% endraw %}',
    '{% comment %}',
    '{% endcomment %}',
    '| a | b |',
    '|---|---|',
  ],
  ...[
    '[r]: x#y',
    '[^1]: n',
    '{: #i }',
    '<a id="k"></a>',
    '\uFEFF',
    '+++',
    '1.',
    '*',
    'text `x` [a](b#c)',
    '\u2028',
    '\0',
    '[^1] used',
    '!!! note "T"',
    '    body',
    ':::tip[T]',
    ':::',
    '<Tabs>',
    '  <Tab label="x">',
    '</Tabs>',
    '```{note}',
    '$$',
    '%% x',
    '{/* c',
    '*/}',
    '<table><tr><th>h',
    '</td></tr></table>',
    "import A from './a.mdx';",
    'export const a = {',
    '![[note]]',
    '--8<-- "a.md"',
    '{{< highlight sh >}}',
    '{{< /highlight >}}',
  ],
);
const END = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
const PAGE = fc
  .array(fc.tuple(LINE, END), { maxLength: 40 })
  .map((lines) => lines.map(([line, end]) => line + end).join(''));

describe('parseDocument', () => {
  test.each([
    ['any text', fc.string({ unit: 'binary', maxLength: 200 })],
    ['any page', PAGE],
  ])('of %s: sections joined are the file, lines and chunks lie inside them', (_, pages) => {
    fc.assert(
      fc.property(pages, (text) => {
        const document = parse(text);
        expect(joinSections(text, document)).toBe(text);
        const lastLine = text.split(/\r\n?|\n/u).length;
        let next = 0;
        for (const section of document.sections) {
          expect(section.lines.first).toBeGreaterThan(next);
          expect(section.lines.last).toBeGreaterThanOrEqual(section.lines.first);
          expect(section.lines.last).toBeLessThanOrEqual(lastLine);
          next = section.lines.last;
          for (const chunk of section.chunks) {
            expect(chunk.text.trim()).not.toBe('');
            expect(chunk.lines.first).toBeGreaterThanOrEqual(section.lines.first);
            expect(chunk.lines.last).toBeLessThanOrEqual(section.lines.last);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('gives the same sections whatever ends the lines', () => {
    const text =
      '---\ntitle: T\n---\n\nintro\n\n# A\n\n```\n# no\n```\n\n## B {#x}\n\n| a |\n|---|\n| b |\n\nSet\n---\n';
    const plain = parse(text);
    for (const end of ['\r\n', '\r']) {
      const other = parse(text.replaceAll('\n', end));
      expect(
        other.sections.map(({ headings, explicitAnchors, lines, chunks }) => ({
          headings,
          explicitAnchors,
          lines,
          chunks,
        })),
      ).toEqual(
        plain.sections.map(({ headings, explicitAnchors, lines, chunks }) => ({
          headings,
          explicitAnchors,
          lines,
          chunks,
        })),
      );
    }
  });

  test('counts no other character as a line end', () => {
    expect(headingLines(parse('a\u2028b\u2029c\fd\u0085\n\n# H\n'))).toEqual(['3:1']);
  });

  test.each([
    ['skipped levels', '# R\n### S\n## T\n### U\n', ['R', 'R>S', 'R>T', 'R>T>U']],
    ['text before the first heading', 'a\n\n# R\n', ['', 'R']],
    ['several H1', '# A\n## B\n# C\n## D\n', ['A', 'A>B', 'C', 'C>D']],
    ['a start below H1', '### A\n## B\n', ['A', 'B']],
    ['headings underlined', 'A\n===\n\nB\nand more\n---\n', ['A', 'A>B and more']],
    ['headings without words', '# A\n\n####\n\n![](x.png)\n---\n', ['A', 'A>![](x.png)']],
    ['the alt text of an image where there are no words', '## ![Logo](x.png)\n', ['Logo']],
  ])('makes heading paths of %s', (_, text, wanted) => {
    expect(paths(text)).toEqual(wanted);
  });

  test.each([
    ['fences', '```\n# a\n```\n~~~sh\n# b\n```\n# c\n~~~\n'],
    ['indented code', 'x\n\n    # a\n'],
    ['a fence in a list item', '- x\n\n    ```\n    # a\n    ```\n'],
    ['blockquotes and lists', '> # a\n\n- # b\n'],
    ['comments', '<!--\n# a\n\n# b\n-->\n'],
    ['a comment that holds half a fence', '<!--\n```\n# a\n-->\n\ntext\n'],
    ['HTML blocks', '<pre>\n# a\n\n# b\n</pre>\n'],
    ['hash marks without a blank', '#a\n##b\n'],
    ['other blanks after the mark', '##\u00A0a\n##\u3000b\n'],
  ])('sees no heading in %s', (_, text) => {
    expect(headingLines(parse(text))).toEqual([]);
  });

  test('sees headings right after a paragraph, a comment or a table', () => {
    expect(headingLines(parse('x\n# a\n<!-- c -->\n# b\n| a |\n|---|\n# c\n   ## d\n'))).toEqual([
      '2:1',
      '4:1',
      '7:1',
      '8:2',
    ]);
  });

  test('names what a person should mend, with its line in the file', () => {
    expect(parse('---\na: b\n---\n\n# A\n\n```\nrest\n').warnings).toEqual([
      { line: 7, text: 'code fence is not closed' },
    ]);
    expect(parse('# A\n\n<!-- rest\n\n# B\n').warnings).toEqual([{ line: 3, text: 'comment is not closed' }]);
    expect(parse('# A\n\n> ```\n> code\n\nafter\n').warnings).toEqual([
      { line: 3, text: 'code fence is not closed' },
    ]);
    expect(parse('```\na\n```\n- ```\n  b\n  ```\n').warnings).toEqual([]);
  });

  test('lists links to fragments and leaves those out that are code or lead elsewhere', () => {
    const text =
      '[a](b.md#c) [d](#e)\n![f](g.svg#h) `[i](j#k)` <https://l/#m> [n](https://o#p)\n\n> [q]\n> [q]: r#s "t"\n\n| [u](v#w) |\n|---|\n\n## [x](y#z)\n\n```\n[i](j#k)\n```\n[no](fragment#)\n';
    expect(parse(text).links).toEqual([
      { target: 'b.md', fragment: 'c', line: 1 },
      { target: '', fragment: 'e', line: 1 },
      { target: 'v', fragment: 'w', line: 7 },
      { target: 'y', fragment: 'z', line: 10 },
    ]);
    expect(parse('[a]: b.html#c\n[A]: d#e\n').links).toEqual([
      { target: 'b.html', fragment: 'c', line: 1 },
      { target: 'd', fragment: 'e', line: 2 },
    ]);
  });

  test('of an empty or blank file has no section', () => {
    for (const text of ['', '\n', ' \r\n\t', '\uFEFF', '\uFEFF\n', '---\na: b\n---\n\n']) {
      expect(parse(text)).toMatchObject({ sections: [], bodyStart: text.length });
    }
  });

  test('of a page of remarks or tags alone has a section without words', () => {
    expect(parse('<!-- only a remark -->\n').sections[0]?.chunks).toEqual([]);
    expect(parse('{% include x.html %}\n').sections[0]?.chunks).toEqual([]);
    expect(parse('-\n\n-\n').sections).toHaveLength(1);
  });

  test('lets a heading without words be found: by its children, or by its own chunk', () => {
    const [first, second, third] = parse('# A\n\n## B\n\n# C {#c}\n').sections;
    expect(first?.chunks).toEqual([]);
    expect(second?.chunks).toEqual([{ text: 'B', lines: { first: 3, last: 3 } }]);
    expect(third?.chunks).toEqual([{ text: 'C', lines: { first: 5, last: 5 } }]);
  });

  test('turns a text that nests beyond reason into one section of plain text', () => {
    const text = `# A\n\n${'>'.repeat(100)} a\n${'word\n'.repeat(20_000)}`;
    const document = parse(text);
    expect(document.warnings).toEqual([{ line: 1, text: expect.stringContaining('read as plain text') }]);
    expect(document.sections).toHaveLength(1);
    expect(joinSections(text, document)).toBe(text);
    expect(document.sections[0]?.chunks.at(-1)?.text).toContain('word');
  });
});

describe('hostile pages', () => {
  const N = 60_000;
  const fill = (part: string): string => part.repeat(Math.floor(N / part.length));
  const rows = (count: number, row: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => row(index)).join('\n');
  const cases: Record<string, string> = {
    bullets: `${'* '.repeat(8000)}a`,
    quotes: `${fill('> ')}a`,
    'nested lists': rows(1000, (row) => `${' '.repeat(2 * (row % 300))}- a`),
    brackets: fill('['),
    'nested links': `${'['.repeat(N / 6)}a${'](b)'.repeat(N / 6)}`,
    'open targets': fill('[a]('),
    'open titles': fill('[a](b "'),
    emphasis: fill('a**b*c_ '),
    'backtick runs': Array.from({ length: 400 }, (_, run) => '`'.repeat(run + 1)).join(' '),
    'open tags': fill('<a b="'),
    'open comments': fill('a <!-- '),
    'open Liquid tags': `${fill('{% a ')}%}`,
    'open raw tags': fill('{% raw %}'),
    'open outputs': `${fill('{{ a ')}}}`,
    scripts: fill('<script>'),
    'attribute lists': `# a ${fill('{#a}')}`,
    definitions: rows(20_000, (row) => `[a${row}]: b 'c`),
    'wide table': `${fill('|a').slice(0, 12_000)}\n${fill('|-').slice(0, 12_000)}\n${fill('|\n')}`,
    headings: fill('#\n'),
    'long heading': `# ${fill('word ')}`,
    'data URI': `![Fig](data:image/png;base64,${fill('A')})`,
    'one JSON line': `[${fill('{"Input":"de8f50a1"},')}]`,
    'one word': fill('x'),
    'one CJK run': fill('漢'),
    surrogates: fill('\uD83D\uDE00'),
    'front matter': `---\na: ${'['.repeat(N / 2)}\n---\n`,
    'unclosed front matter': `---\n${fill('a: b\n')}`,
    blanks: `${fill(' ')}x`,
  };

  test.each(Object.keys(cases))('cost bounded time and lose nothing: %s', (name) => {
    const text = cases[name] ?? '';
    const started = performance.now();
    const document = parse(text);
    expect(performance.now() - started).toBeLessThan(4000);
    expect(joinSections(text, document)).toBe(text);
    expect(longestChunk(document)).toBeLessThanOrEqual(CHUNK_CHARACTERS);
  });

  test('replace a payload and keep the words and lines around it', () => {
    const [section] = parse(
      `before\n\n![Fig](data:image/png;base64,${'A'.repeat(2_000_000)})\n\nafter\n`,
    ).sections;
    expect(section?.chunks).toEqual([{ text: 'before\n\nFig\n\nafter', lines: { first: 1, last: 5 } }]);
  });
});

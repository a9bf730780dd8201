import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAnswerText, renderMarkdown } from '../../../src/cli/render/markdown.ts';
import { textOfHtml } from '../../../src/cli/render/markup.ts';
import type { Terminal } from '../../../src/cli/render/terminal.ts';
import { widthOf } from '../../../src/cli/render/width.ts';
import { acts, linksAreClosed, PIPE, PLAIN, RICH, seen, shown, WRONG_PIPE } from './support.ts';

const plain = (markdown: string, columns = 60) => renderMarkdown(markdown, { ...PLAIN, columns });
const rich = (markdown: string) => shown(renderMarkdown(markdown, RICH));

describe('Markdown on a terminal', () => {
  test('has headings, styles and links', () => {
    expect(rich('# A `b`\n\n## C\n\n*d* **e** ~~f~~ [g *h*](https://e.org/x)')).toBe(
      [
        '{4}{1}A {22}{24}{36}{4}{1}b{22}{24}{39}',
        '',
        '{1}C{22}',
        '',
        '{3}d{23} {1}e{22} {9}f{29} <a https://e.org/x>{4}g {24}</a><a https://e.org/x>{3}{4}h{24}{23}</a>',
      ].join('\n'),
    );
  });

  test('keeps the signs where there are no styles', () => {
    expect(plain('# A `b`\n\n### C\n\n*d* **e** ~~f~~ `` g`h ``')).toBe(
      '# A `b`\n\n### C\n\n*d* **e** ~~f~~ `` g`h ``',
    );
  });

  test('shows the target of a link that cannot be clicked, unless the text is the target', () => {
    expect(plain('[a](https://e.org/x) <https://e.org/y> www.e.org/z me@e.org')).toBe(
      'a (https://e.org/x) https://e.org/y www.e.org/z me@e.org',
    );
    expect(plain('[a](../b c.md#d "t") [e](#f) [g][h] [i]\n\n[h]: https://e.org/h')).toBe(
      '[a](../b c.md#d "t") e g (https://e.org/h) [i]',
    );
    expect(plain('[a](<../b c.md#d> "t")')).toBe('a (../b%20c.md#d)');
  });

  test('never opens a target with another scheme', () => {
    expect(rich('[a](javascript:alert(1)) ![b](data:image/png;base64,AAAA) <vbscript:x>')).toBe(
      'a {2}b{22} vbscript:x',
    );
  });

  test('shows the target beside a text that pretends to be another one', () => {
    expect(rich('[https://bank.example](https://evil.example/)')).toBe(
      '<a https://evil.example/>{4}https://bank.example{24}</a>{2} (https://evil.example/){22}',
    );
  });

  test('sets in lists, ordered lists, tasks and what they hold', () => {
    const markdown = [
      '9. nine\n10. ten\n\n    more\n    - a\n    - b',
      '- [x] done\n- [ ] to do',
      '* one two three four\n  > quote\n\n      code\n* five',
    ].join('\n\n***\n\n');
    expect(plain(markdown, 24).split(/\n\n─+\n\n/u)).toEqual([
      ' 9. nine\n\n10. ten\n\n    more\n\n    • a\n    • b',
      '• [x] done\n• [ ] to do',
      '• one two three four\n\n  │ quote\n\n      code\n\n• five',
    ]);
  });

  test('keeps code as it is', () => {
    expect(plain('```sh\na  b   \n\n\tc *d* <e> &amp;\n```')).toBe('    a  b   \n\n    \tc *d* <e> &amp;');
  });

  test('aligns tables, and tells them row by row where they are too wide', () => {
    const table = '| a | right | c |\n|:-:|--:|---|\n| 日本語 | 1 | |\n| x | 22 | `y \\| z` |';
    expect(plain(table)).toBe(
      ['  a    │ right │ c', '───────┼───────┼────────', '日本語 │     1 │', '  x    │    22 │ `y | z`'].join(
        '\n',
      ),
    );
    expect(plain(table, 16)).toBe('a: 日本語\nright: 1\n\na: x\nright: 22\nc: `y | z`');
    expect(plain('| setting | what |\n|---|---|\n| runinterval | how often it runs |', 18)).toBe(
      'setting:\n  runinterval\nwhat: how often\n  it runs',
    );
  });

  test('shows the words of HTML without its tags, and placeholders as they are', () => {
    expect(
      plain('<details>\n<summary>More</summary>\n\nA<br>b <b>c</b> &lt;d&gt; <certname>\n\n</details>'),
    ).toBe('More\n\nA\nb c <d> <certname>');
    expect(plain('<!-- hidden -->\n\n<script>\nalert(1)\n</script>\n\nshown')).toBe('shown');
  });

  test('puts footnotes at the end and shows images as their text', () => {
    expect(plain('a[^n] ![chart](x.png) ![](y.png)\n\n[^n]: Note.\n\n    More.')).toBe(
      'a[^n] chart (image)\n\n[^n]: Note.\n\n  More.',
    );
  });

  test('breaks text by the width of its characters', () => {
    expect(plain('日本語のとても長い文章、ここに。', 12)).toBe('日本語のとて\nも長い文章、\nここに。');
    expect(plain('a b\\\nc  \nd\ne')).toBe('a b\nc\nd e');
  });
});

describe('citation markers', () => {
  const citations = new Map([
    [1, 'https://e.org/1'],
    [2, undefined],
  ]);
  const cite = (markdown: string) => shown(renderMarkdown(markdown, RICH, { citations }));

  test('open their sources', () => {
    expect(cite('So [1][2]. Not [3].')).toBe('So <a https://e.org/1>[1]</a>[2]. Not [3].');
    expect(cite('**So [1]**')).toBe('{1}So {22}<a https://e.org/1>{1}[1]{22}</a>');
  });

  test('cannot be led elsewhere by the answer', () => {
    const open = '<a https://e.org/1>[1]</a>';
    expect(cite('So [1].\n\n[1]: https://evil.example')).toBe(`So ${open}.`);
    expect(cite('So [1][].\n\n[1]: https://evil.example')).toBe(`So ${open}.`);
    expect(cite('So [x][1].\n\n[1]: https://evil.example')).toBe(`So [x]${open}.`);
    expect(cite('So [1](https://evil.example).')).toBe(`So ${open}{2} (https://evil.example){22}.`);
    expect(cite('So [\\[1\\]](https://evil.example).')).toBe(`So ${open.replace('[1]', '{4}[1]{24}')}.`);
  });

  test('are plain text in other Markdown', () => {
    expect(rich('So [1].')).toBe('So [1].');
  });
});

describe('an answer text', () => {
  test('is Markdown in a pipe and laid out on a terminal', () => {
    expect(formatAnswerText('# a\n\n* b\u001b[31m', PIPE)).toBe('# a\n\n* b[31m');
    expect(formatAnswerText('* b', RICH)).toBe('• b');
  });
});

describe('any text', () => {
  const terminals: Terminal[] = [RICH, PLAIN, PIPE, WRONG_PIPE, { ...RICH, columns: 1 }];
  const sign = fc.constantFrom(
    ...[
      '*',
      '**',
      '_',
      '`',
      '```\n',
      '[',
      ']',
      '(',
      ')',
      '![',
      '<',
      '>',
      '> ',
      '- ',
      '1. ',
      '# ',
      '| ',
      '|\n|-|-|\n',
    ],
    ...[
      '\n',
      '\n\n',
      '    ',
      '~~',
      '\u001b[35m',
      '\u001b]8;;https://x\u0007',
      '\u009b',
      '&#27;',
      '&#x202e;',
      '\\',
      'a',
      ' ',
    ],
    ...[
      'https://e.org/',
      'javascript:x',
      '[^1]',
      '[^1]: ',
      '[x]: ',
      '日本',
      '👩‍👧',
      '<b>',
      '<!--',
      '<br>',
      '[1]',
      '\r',
    ],
  );
  const markdown = fc
    .array(fc.oneof(sign, sign, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 40 })
    .map((parts) => parts.join(''));

  test('renders without acting on the terminal, with every link closed', () => {
    fc.assert(
      fc.property(markdown, fc.constantFrom(...terminals), (text, terminal) => {
        for (const citations of [undefined, new Map([[1, 'https://e.org/1']])]) {
          const painted = renderMarkdown(text, terminal, citations === undefined ? {} : { citations });
          expect(acts(painted)).toBe(false);
          expect(linksAreClosed(painted)).toBe(true);
          if (!terminal.isTty) expect(painted).toBe(seen(painted));
        }
      }),
      { numRuns: 600 },
    );
  });

  test('has no line of prose wider than the terminal unless it is one word', () => {
    const prose = fc.array(
      fc.oneof(fc.lorem({ maxCount: 12 }), fc.constantFrom('日本語の文章、です。', '👩‍👧 **b c**')),
    );
    fc.assert(
      fc.property(
        prose,
        fc.constantFrom('', '> ', '- ', '  1. ', '# '),
        fc.integer({ min: 5, max: 90 }),
        (parts, prefix, columns) => {
          const lines = seen(renderMarkdown(prefix + parts.join(' '), { ...RICH, columns })).split('\n');
          for (const line of lines.filter((found) => widthOf(found) > columns)) {
            expect(line.replace(/^(?:│|•|1\.)/u, '').trim()).not.toMatch(/ /u);
          }
        },
      ),
    );
  });

  test.each([
    ['quotes', `${'> '.repeat(5000)}a`],
    ['lists', `${'- '.repeat(5000)}a`],
    ['lists over lines', Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n')],
    ['emphasis', '*a **b '.repeat(5000)],
    ['brackets', '['.repeat(10_000)],
    ['comments', '<!--'.repeat(20_000)],
    ['scripts', '<script>'.repeat(10_000)],
    ['a long text', 'word '.repeat(60_000)],
  ])('renders however deep or long: %s', (_, text) => {
    const painted = renderMarkdown(text, RICH);
    expect(acts(painted)).toBe(false);
    expect(linksAreClosed(painted)).toBe(true);
  });

  test('is shown as written where it is nested too deeply to lay out', () => {
    expect(renderMarkdown(`${'- '.repeat(5000)}end\u001b[2J`, RICH)).toBe(`${'- '.repeat(5000)}end[2J`);
  });
});

describe('the text of HTML', () => {
  test.each([
    ['a < b && c <d', 'a < b && c <d'],
    ['<p class="x">a</p>b', '\na\nb'],
    ['<name> <your-name> <b>', '<name> <your-name> '],
    ['<!-- a --> b <!-- c', ' b '],
    ['<style>p{}</style>x<script>y', 'x'],
    ['&lt;b&gt; &amp;lt; &copy;', '<b> &lt; &copy;'],
    ['<B>x</B ><hr/>', 'x\n'],
  ])('%j is %j', (html, text) => {
    expect(textOfHtml(html)).toBe(text);
  });
});

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProgress } from '../../../src/cli/render/progress.ts';
import { span, textOf, wrap } from '../../../src/cli/render/spans.ts';
import { renderRows } from '../../../src/cli/render/table.ts';
import { cutTo, padTo, widthOf } from '../../../src/cli/render/width.ts';
import { acts, linksAreClosed, PIPE, PLAIN, RICH, shown } from './support.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('width', () => {
  test.each([
    ['', 0],
    ['puppet', 6],
    ['“naïve” – café…', 15],
    ['日本語', 6],
    ['한국', 4],
    ['\u1112\u1161\u11ab', 2],
    ['e\u0301', 1],
    ['👩‍👩‍👧 ok', 5],
    ['🇩🇪', 2],
    ['❤', 1],
    ['❤\ufe0f', 2],
    ['กำ', 2],
    ['a\u200bb', 2],
    ['ＡＢ', 4],
  ])('of %j is %i', (text, expected) => {
    expect(widthOf(text)).toBe(expected);
  });

  test('cuts between characters and never beyond the room', () => {
    expect(cutTo('configuration', 8)).toBe('configu…');
    expect(cutTo('日本語', 5)).toBe('日本…');
    expect(cutTo('日本語', 4)).toBe('日…');
    expect(cutTo('abc', 3)).toBe('abc');
    expect(cutTo('abc', 0)).toBe('');
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, columns) => {
        expect(widthOf(cutTo(text, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test('pads on either side', () => {
    expect([padTo('日', 4), padTo('日', 4, 'right'), padTo('a', 4, 'center')]).toEqual([
      '日  ',
      '  日',
      ' a  ',
    ]);
  });
});

describe('wrapping', () => {
  const lines = (text: string, width: number) => wrap([span(text)], width).map(textOf);

  test('breaks at blanks, between wide characters, and not inside a word', () => {
    expect(lines('one two three', 7)).toEqual(['one two', 'three']);
    expect(lines('see https://example.org/long now', 6)).toEqual(['see', 'https://example.org/long', 'now']);
    expect(lines('日本語です。', 6)).toEqual(['日本語', 'です。']);
    expect(lines('日本。', 4)).toEqual(['日', '本。']);
    expect(lines('a\nb', 9)).toEqual(['a', 'b']);
    expect(lines('   ', 9)).toEqual([]);
  });

  test('keeps a word together that changes its look inside', () => {
    const spans = [span('ab '), span('con', ['bold']), span('fig'), span(' x')];
    expect(wrap(spans, 7).map(textOf)).toEqual(['ab', 'config', 'x']);
  });

  test('loses no character but blanks, and is wider only for one word', () => {
    const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 30 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 40 }), (parts, width) => {
        const text = parts.join(' ').replace(/[\n\t]/gu, ' ');
        const wrapped = lines(text, width);
        expect(wrapped.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
        for (const line of wrapped.filter((found) => widthOf(found) > width)) expect(line).not.toContain(' ');
      }),
    );
  });
});

describe('rows', () => {
  const columns = [
    { title: 'path', shrinkTo: 6 },
    { title: 'files', align: 'right' as const },
    { title: 'url' },
  ];
  const rows = [
    ['docs/日本/a-long-file-name.md', '7', { text: 'here', url: 'https://e.org/' }],
    ['a.md', '1234', ''],
  ];

  test('are aligned and whole in a pipe', () => {
    expect(renderRows(rows, columns, { ...PIPE, columns: 20 }).split('\n')).toEqual([
      'path                           files  url',
      'docs/日本/a-long-file-name.md      7  here',
      'a.md                            1234',
    ]);
  });

  test('are cut to a terminal, only where a column may be', () => {
    expect(renderRows(rows, columns, { ...PLAIN, columns: 30 })).toBe(
      ['path               files  url', 'docs/日本/a-long…      7  here', 'a.md                1234'].join(
        '\n',
      ),
    );
    expect(shown(renderRows(rows, columns, { ...RICH, columns: 22 }).split('\n')[1] ?? '')).toBe(
      'docs/日…       7  <a https://e.org/>here</a>',
    );
  });

  test('stand cell below cell where a narrow terminal has no room for them side by side', () => {
    const pairs = [
      ['index', '/home/somebody/indexes/a-knowledge-base.db'],
      ['documents', '439'],
    ];
    expect(renderRows(pairs, [{}, {}], { ...PLAIN, columns: 30 })).toBe(
      ['index', '  /home/somebody/indexes/a-knowledge-base.db', 'documents', '  439'].join('\n'),
    );
    expect(renderRows(pairs, [{}, {}], { ...PLAIN, columns: 60 })).toContain('documents  439');
    expect(renderRows(pairs, [{}, {}], { ...PIPE, columns: 30 })).toContain('documents  439');
  });

  test('fit any narrow terminal, but for a word that is longer', () => {
    const line = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, line), { minLength: 1 }),
        fc.integer({ min: 4, max: 59 }),
        (cells, width) => {
          const text = renderRows(cells, [{}, { shrinkTo: 20 }], { ...PLAIN, columns: width });
          for (const one of text.split('\n').map((found) => found.trim()))
            if (one.includes(' ')) expect(widthOf(one)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  test('carry nothing that acts and stay one line each', () => {
    const cell = fc.oneof(anyText, fc.record({ text: anyText, url: fc.webUrl() }));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (cells) => {
        const text = renderRows(cells, [{ shrinkTo: 3 }, { align: 'right' }], RICH);
        expect(acts(text)).toBe(false);
        expect(linksAreClosed(text)).toBe(true);
        expect(text.split('\n')).toHaveLength(Math.max(1, cells.length));
      }),
    );
  });
});

describe('progress', () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  beforeEach(() => {
    written.length = 0;
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('shows at most ten lines a second, the newest last, and leaves the line empty', () => {
    const progress = createProgress(stream, PLAIN);
    for (let file = 1; file <= 500; file += 1) {
      progress.update(`file ${file}`);
      vi.advanceTimersByTime(2);
    }
    vi.advanceTimersByTime(200);
    expect(written.length).toBeLessThanOrEqual(11);
    expect(written.at(-1)).toMatch(/file 500$/u);
    progress.done();
    progress.update('late');
    vi.advanceTimersByTime(1000);
    expect(written.at(-1)).toBe(`\r${' '.repeat(8)}\r`);
  });

  test('covers the longer text before, stays inside the columns and writes no escapes', () => {
    const progress = createProgress(stream, { ...RICH, columns: 10 });
    progress.update('a long\u001b[2J name of a file');
    vi.advanceTimersByTime(150);
    progress.update('b');
    expect(written).toEqual(['\ra long[2…', '\rb        ']);
  });

  test('does nothing where there is no terminal', () => {
    const progress = createProgress(stream, PIPE);
    progress.update('x');
    progress.done();
    expect(written).toEqual([]);
  });
});

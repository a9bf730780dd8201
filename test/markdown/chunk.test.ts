import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHUNK_CHARACTERS, CHUNK_WORDS, sizeOf } from '../../src/markdown/chunk.ts';
import { parseDocument } from '../../src/markdown/parse-document.ts';

function chunks(markdown: string) {
  return parseDocument(markdown, { path: 'page.md' }).sections.flatMap((section) => section.chunks);
}

function prose(words: number, tag = 'w'): string {
  return Array.from({ length: words }, (_, word) => `${tag}${word}`).join(' ');
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}

describe('chunks', () => {
  test('are one for a section that fits, with its lines in the file', () => {
    const text = `---\ntitle: T\n---\n# A\n\n${prose(140, 'a')}\n\n- ${prose(100, 'b')}\n- c\n\n\n## B\n\nx\n`;
    expect(chunks(text).map(({ lines }) => lines)).toEqual([
      { first: 6, last: 9 },
      { first: 14, last: 14 },
    ]);
    expect(chunks(text)[0]?.text).toBe(`${prose(140, 'a')}\n\n- ${prose(100, 'b')}\n- c`);
  });

  test('are cut between paragraphs, about equal in size', () => {
    const paragraphs = Array.from({ length: 8 }, (_, part) => prose(50, `p${part}x`));
    const list = chunks(`# A\n\n${paragraphs.join('\n\n')}\n`);
    expect(list.map(({ text }) => text)).toEqual([
      paragraphs.slice(0, 4).join('\n\n'),
      paragraphs.slice(4).join('\n\n'),
    ]);
    expect(list.map(({ lines }) => lines)).toEqual([
      { first: 3, last: 9 },
      { first: 11, last: 17 },
    ]);
  });

  test('repeat the header of a table that is cut, and cite the rows they hold', () => {
    const rows = Array.from(
      { length: 200 },
      (_, row) => `| name-${row} | ${row} | value of row ${row} | x |`,
    );
    const list = chunks(`| Name | Number | Value | Mark |\n|---|---|---|---|\n${rows.join('\n')}\n`);
    expect(list.length).toBeGreaterThan(3);
    for (const { text, lines } of list) {
      const [header, ...shown] = text.split('\n');
      expect(header).toBe('Name | Number | Value | Mark');
      expect(shown.at(-1)).toBe(
        `name-${lines.last - 3} | ${lines.last - 3} | value of row ${lines.last - 3} | x`,
      );
    }
    const hit = list.find(({ text }) => text.includes('name-150 '));
    expect(hit?.lines.first).toBeLessThanOrEqual(153);
    expect(hit?.lines.last).toBeGreaterThanOrEqual(153);
    expect(list.flatMap(({ text }) => text.split('\n').slice(1))).toHaveLength(200);
  });

  test('cut a long listing at its lines', () => {
    const code = Array.from({ length: 300 }, (_, line) => `  call_${line}(argument);`);
    const list = chunks(`\`\`\`c\n${code.join('\n')}\n\`\`\`\n`);
    expect(list.map(({ text }) => text).join('\n')).toBe(code.join('\n'));
    for (const { text, lines } of list) expect(text.split('\n')).toHaveLength(lines.last - lines.first + 1);
  });

  test('cut a paragraph at sentences, and one without any at words', () => {
    const sentences = Array.from({ length: 60 }, (_, at) => `This is sentence number ${at} of all.`);
    const bySentence = chunks(`${sentences.join(' ')}\n`).map(({ text }) => text);
    expect(bySentence.length).toBeGreaterThan(1);
    for (const text of bySentence) expect(text).toMatch(/^This .*all\.$/u);
    const list = chunks(`# Long\n\n${prose(60_000)}\n`);
    expect(list.map(({ text }) => text).join(' ')).toBe(prose(60_000));
    expect(list.length).toBeGreaterThanOrEqual(200);
  });

  test('cut one giant word at a hard limit, never inside a character', () => {
    const word = '😀漢x'.repeat(40_000);
    const list = chunks(`${word}\n`);
    expect(list.map(({ text }) => text).join('')).toBe(word);
    for (const { text } of list) expect(text).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/u);
  });

  test('cut Chinese at its full stops', () => {
    const list = chunks(`${'这是一个没有空格的句子。'.repeat(200)}\n`);
    expect(list.map(({ text }) => text).join('')).toBe('这是一个没有空格的句子。'.repeat(200));
    for (const { text } of list) expect(text.endsWith('。')).toBe(true);
  });

  test('never exceed their limit and never lose a word, whatever the page holds', () => {
    const word = fc.oneof(
      fc.constantFrom('a', 'Bee.', '`c d`', '漢字', '| x', '😀'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
    );
    const block = fc
      .tuple(
        fc.constantFrom('', '', '- ', '> ', '```\n', '| a | b |\n|---|---|\n| '),
        fc.array(word, { maxLength: 800 }),
      )
      .map(([mark, words]) => mark + words.join(' '));
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        for (const { text } of chunks(blocks.join('\n\n'))) {
          expect(text.length).toBeLessThanOrEqual(CHUNK_CHARACTERS);
          expect(sizeOf(text)).toBeLessThanOrEqual(CHUNK_WORDS);
        }
      }),
      { numRuns: 100 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.stringMatching(/^[a-z]{1,12}$/u), { minLength: 1, maxLength: 700 }), {
          minLength: 1,
          maxLength: 5,
        }),
        (paragraphs) => {
          const text = paragraphs.map((words) => words.join(' ')).join('\n\n');
          expect(chunks(text).flatMap((chunk) => wordsOf(chunk.text))).toEqual(wordsOf(text));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('of two equal passages lie where each stands', () => {
    const list = chunks('# A\n\nRestart the agent.\n\n# B\n\nRestart the agent.\n');
    expect(list.map(({ lines }) => lines.first)).toEqual([3, 7]);
  });
});

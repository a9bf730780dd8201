import { describe, expect, test } from 'vitest';
import { seen } from './seen.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** What is found of a page whose bytes are not what they seem; the pages hold characters that a fixture file would lose. */
describe('bytes', () => {
  test('1, 2: byte order marks at the head and in the middle are no text, and header and lines are found', () => {
    expect(seen(bytes('\uFEFF---\ntitle: T\n---\n# A\ncsi\uFEFFPlugin\n'))).toBe(
      'title: T {"title":"T"}\n4-5 A #a\n| csiPlugin',
    );
  });

  test.each([
    ['3: CRLF', '\r\n'],
    ['5: a lone CR', '\r'],
  ])('FM-6: %s ends lines like LF', (_, end) => {
    const text = '---\ntitle: T\ntags: [a]\n---\n# A\n\nx\n\n## B\ny\n';
    expect(seen(bytes(text.replaceAll('\n', end)))).toBe(seen(bytes(text)));
  });

  test('4: line ends may be mixed, the closing fence of the header too', () => {
    expect(seen(bytes('---\ntitle: T\r\n---\r\n# A\nx\r\n## B\ry\n'))).toBe(
      'title: T {"title":"T"}\n4-5 A #a\n| x\n6-7 A > B #b\n| y',
    );
  });

  test('5: CR CR LF is a line and a blank one', () => {
    expect(seen(bytes('a\r\r\nb\n# C\nx\n'))).toBe('title: C\n1-3\n| a\n|\n| b\n4-5 C #c\n| x');
  });

  test('6: UTF-16 is read by its mark, and said', () => {
    const little = Buffer.from('\uFEFF# Ä\n\ntext\n', 'utf16le');
    expect(seen(little)).toBe('title: Ä\n1-3 Ä #ä\n| text\n! decoded as UTF-16LE');
    expect(seen(Buffer.from(little).swap16())).toMatch(/1-3 Ä #ä\n\| text\n! decoded as UTF-16BE/u);
  });

  test('7, 8: a stray byte is replaced and named by its line, a committed U+FFFD is not', () => {
    const stray = new Uint8Array([...bytes('# A\n\nbe'), 0xa6, 0xa6, ...bytes('fore\n')]);
    expect(seen(stray)).toBe(
      'title: A\n1-3 A #a\n| be\uFFFD\uFFFDfore\n! bytes that are not UTF-8 replaced in line 3',
    );
    expect(seen(bytes('# A\n\nbe\uFFFDfore\n'))).toBe('title: A\n1-3 A #a\n| be\uFFFDfore');
  });

  test('9: control characters are no text, and no separator but CR and LF ends a line', () => {
    expect(seen(bytes('a\u0008b \u001e\n\u2028### Not\n\fx\u0085y\n# C\nz\n'))).toBe(
      'title: C\n1-3\n| ab\n| ### Not\n| xy\n4-5 C #c\n| z',
    );
  });

  test('10: marks that hide in words are not searched', () => {
    expect(
      seen(bytes('## Komponenten&shy;eigen\nzero\u200Bwidth \u200Eright\u200F soft\u00ADhyphen\n')),
    ).toBe('1-2 Komponenteneigen #komponenteneigen\n| zerowidth right softhyphen');
  });

  test('11: an empty file and a blank one hold nothing', () => {
    expect(seen(new Uint8Array())).toBe('');
    expect(seen(bytes(' \n\n\t\n'))).toBe('');
  });

  test('14: the last line needs no end', () => {
    expect(seen(bytes('# A\n\nlast'))).toBe('title: A\n1-3 A #a\n| last');
  });

  test('147, ING-11: payloads are a mark, and the lines after them keep their numbers', () => {
    expect(seen(bytes(`a\n\n![Fig](data:image/png;base64,${'A'.repeat(2_000_000)})\n\n# B\nc\n`))).toBe(
      'title: B\n1-4\n| a\n|\n| Fig\n5-6 B #b\n| c',
    );
  });

  test('148: of a line of data the head is searched, and that is said', () => {
    const line = `[${'{"in":"de8f50a1","out":17},'.repeat(30_000)}]`;
    const found = seen(bytes(`# A\n\n${line}\n\n## B\nx\n`));
    expect(found).toContain(`! line 3: ${line.length} characters of data, the first 20004 indexed`);
    expect(found).toContain('5-6 A > B #b\n| x');
    expect(found.length).toBeLessThan(25_000);
  });

  test('32: words said over and over are kept a few times', () => {
    const found = seen(bytes(`# A\n\nstart ${'org '.repeat(15_000)}end\n`));
    expect(found.length).toBeLessThan(200);
    expect(found).toMatch(/start (?:org ){5,8}end/u);
  });
});

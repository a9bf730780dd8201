import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeBytes } from '../../src/markdown/decode-bytes.ts';

describe('decodeBytes', () => {
  test('gives valid UTF-8 back unchanged, byte order mark and all line ends included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeBytes(Buffer.from(text)).text).toBe(text);
      }),
    );
    expect(decodeBytes(Buffer.from('\uFEFFa\r\nb\rc\u2028d')).text).toBe('\uFEFFa\r\nb\rc\u2028d');
  });

  test('reads UTF-16 of either order by its mark', () => {
    const little = Buffer.from('\uFEFF# Käse\r\n', 'utf16le');
    const big = Buffer.from(little).swap16();
    expect(decodeBytes(little)).toEqual({
      text: '\uFEFF# Käse\r\n',
      notes: ['decoded as UTF-16LE'],
      binary: false,
    });
    expect(decodeBytes(big)).toEqual({
      text: '\uFEFF# Käse\r\n',
      notes: ['decoded as UTF-16BE'],
      binary: false,
    });
  });

  test('replaces invalid bytes and names their line, not that of a U+FFFD in the source', () => {
    const bytes = Buffer.concat([
      Buffer.from('ok \uFFFD\r\nb\r- '),
      Buffer.from([0xa6, 0xa6]),
      Buffer.from(' end\n'),
    ]);
    expect(decodeBytes(bytes)).toEqual({
      text: 'ok \uFFFD\r\nb\r- \uFFFD\uFFFD end\n',
      notes: ['bytes that are not UTF-8 replaced in line 3'],
      binary: false,
    });
  });

  test('tells binary data from text with a stray NUL', () => {
    const image = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.alloc(64),
    ]);
    expect(decodeBytes(image).binary).toBe(true);
    expect(decodeBytes(Buffer.from('UTF-16 without a mark', 'utf16le')).binary).toBe(true);
    expect(decodeBytes(Buffer.from(`one \0 in ${'many words '.repeat(50)}`)).binary).toBe(false);
    expect(decodeBytes(new Uint8Array()).binary).toBe(false);
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof decodeBytes(bytes).text).toBe('string');
      }),
    );
  });
});

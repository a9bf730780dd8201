import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashBytes, hashSection } from '../../src/store/content-hash.ts';

test('a text has one hash, whatever its line ends', () => {
  const lines = fc.array(fc.string({ unit: 'grapheme' }).map((line) => line.replace(/[\r\n]/gu, '')));
  fc.assert(
    fc.property(lines, (texts) => {
      const hashes = ['\n', '\r\n', '\r'].map((end) => hashBytes(Buffer.from(texts.join(end))));
      expect(new Set(hashes).size).toBe(1);
      expect(hashSection(texts.join('\r\n'))).toBe(hashSection(texts.join('\n')));
    }),
  );
});

test('other bytes have another hash, text or not', () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((data) => data.filter((byte) => byte !== 13));
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(hashBytes(Buffer.from(a)) === hashBytes(Buffer.from(b))).toBe(Buffer.compare(a, b) === 0);
    }),
  );
});

test('letters of UTF-16 that hold a byte 13 are not taken for line ends', () => {
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  expect(hashBytes(utf16('\u0d15'))).not.toBe(hashBytes(utf16('\u0a15')));
});

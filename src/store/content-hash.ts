import { createHash } from 'node:crypto';

const CARRIAGE_RETURN = 13;

/** SHA-256 (hex) of a file's bytes with line ends as LF: a checkout with CRLF is the same document. */
export function hashBytes(bytes: Buffer): string {
  const hash = createHash('sha256');
  if (bytes.includes(CARRIAGE_RETURN) && !isUtf16(bytes))
    hash.update(bytes.toString('latin1').replace(/\r\n?/gu, '\n'), 'latin1');
  else hash.update(bytes);
  return hash.digest('hex');
}

/** There a byte 13 may be half of a letter. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  return mark === 0xfffe || mark === 0xfeff;
}

const SECTION_HASH_LENGTH = 16;

/** Start of the SHA-256 (hex) of a section's source, line ends as LF: what a citation carries. */
export function hashSection(markdown: string): string {
  return createHash('sha256')
    .update(markdown.replace(/\r\n?/gu, '\n'))
    .digest('hex')
    .slice(0, SECTION_HASH_LENGTH);
}

/** What vectors are stored by: the text of a chunk, and the heading path where that is embedded with it. */
export function hashInput(title: string, text: string): string {
  return createHash('sha256').update(title).update('\0').update(text).digest('base64url');
}

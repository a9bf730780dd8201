import { hash } from 'node:crypto';

const CARRIAGE_RETURN = 13;

/** SHA-256 (hex) of a file's bytes with line ends as LF: a checkout with CRLF is the same document. */
export function hashBytes(bytes: Buffer): string {
  if (!bytes.includes(CARRIAGE_RETURN) || isUtf16(bytes)) return hash('sha256', bytes, 'hex');
  const unix = bytes.toString('latin1').replace(/\r\n?/gu, '\n');
  return hash('sha256', Buffer.from(unix, 'latin1'), 'hex');
}

/** There a byte 13 may be half of a letter. */
function isUtf16(bytes: Buffer): boolean {
  const mark = bytes.length >= 2 ? bytes.readUInt16BE(0) : 0;
  return mark === 0xfffe || mark === 0xfeff;
}

const SECTION_HASH_LENGTH = 16;

/** Start of the SHA-256 (hex) of a section's source, line ends as LF: what a citation carries. */
export function hashSection(markdown: string): string {
  return hash('sha256', markdown.replace(/\r\n?/gu, '\n'), 'hex').slice(0, SECTION_HASH_LENGTH);
}

/** What vectors are stored by: the text of a chunk, and the heading path where that is embedded with it. */
export function hashInput(title: string, text: string): string {
  return hash('sha256', `${title}\0${text}`, 'base64url');
}

export interface DecodedText {
  /** A leading byte order mark is kept (as U+FEFF), so that valid UTF-8 encodes back to the same bytes. */
  readonly text: string;
  /** What a person should know about the encoding. */
  readonly notes: readonly string[];
  /** True when the bytes are no text; `text` is then of no use. */
  readonly binary: boolean;
}

/** More NUL characters than one in this many, and at least two, are taken for binary data. */
const NUL_SHARE = 1000;

/** File bytes as text: UTF-8, or UTF-16 when its byte order mark says so. Never throws. */
export function decodeBytes(bytes: Uint8Array): DecodedText {
  const wide = utf16Label(bytes);
  if (wide !== undefined) {
    const text = new TextDecoder(wide, { ignoreBOM: true }).decode(bytes);
    return { text, notes: [`decoded as ${wide.toUpperCase()}`], binary: isBinary(text) };
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, notes: [], binary: isBinary(text) };
  } catch {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const lines = invalidLines(bytes);
    const where =
      lines.length > 1 ? `line ${lines[0]} and ${lines.length - 1} more` : `line ${lines[0] ?? 1}`;
    return { text, notes: [`bytes that are not UTF-8 replaced in ${where}`], binary: isBinary(text) };
  }
}

function utf16Label(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

function isBinary(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('\0'); at !== -1; at = text.indexOf('\0', at + 1)) count += 1;
  return count >= 2 && count * NUL_SHARE > text.length;
}

/** Lines (from 1) that hold invalid bytes. U+FFFD already committed in the source is valid and not among them. */
function invalidLines(bytes: Uint8Array): number[] {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const invalid: number[] = [];
  let start = 0;
  for (let line = 1; start < bytes.length; line += 1) {
    const end = lineEnd(bytes, start);
    try {
      decoder.decode(bytes.subarray(start, end));
    } catch {
      invalid.push(line);
    }
    start = end;
  }
  return invalid;
}

function lineEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] === 0x0a) return at + 1;
    if (bytes[at] === 0x0d) return bytes[at + 1] === 0x0a ? at + 2 : at + 1;
  }
  return bytes.length;
}

/**
 * Control characters that could act on a terminal or hide text: C0 but tab and newline, DEL, C1, and the
 * bidirectional overrides and isolates (CVE-2021-42574).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu;
const IS_UNSAFE = new RegExp(UNSAFE.source, 'u');

/** Text of a document or a model, safe to print: no escapes, no overrides. CRLF and lone CR become LF. */
export function stripControls(text: string): string {
  // Nearly every text has none: one look is enough. CR is one of them.
  if (!IS_UNSAFE.test(text)) return text;
  return text.replace(/\r\n?/gu, '\n').replace(UNSAFE, '');
}

/** Characters per token of English prose in common tokenizers is about 4; 3.5 keeps code and names inside the estimate. */
const CHARACTERS_PER_TOKEN = 3.5;

/** Estimated tokens of a text; CJK and other wide scripts count about one token a character. */
export function estimateTokens(text: string): number {
  const wide =
    text.match(/[\u0e00-\u0eff\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/gu)?.length ?? 0;
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN + wide);
}

import { estimateTokens } from '../core/text.ts';

/** A page of text that holds at most `tokens` (estimated), ending between lines where it can, never inside a character. */
export function cutText(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let low = 0;
  let high = Math.min(text.length, Math.max(0, tokens) * 4 + 4);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  const line = text.lastIndexOf('\n', low) + 1;
  const end = line > low * 0.6 ? line : low;
  return text.slice(0, end - (isHighSurrogate(text, end - 1) ? 1 : 0));
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}

import type { LineRange, Section } from '../core/document.ts';
import { estimateTokens, stripControls } from '../core/text.ts';
import type { StoredChunk } from '../store/sections.ts';

export interface Content {
  readonly text: string;
  readonly cut: boolean;
}

/**
 * Shares a token limit among sections: small ones get all they need, what is left is split evenly among the
 * larger. Deterministic; the sum never exceeds the limit.
 */
export function shareTokens(needs: readonly number[], limit: number): number[] {
  const shares = needs.map(() => 0);
  let left = limit;
  const bySize = needs
    .map((need, index) => ({ need, index }))
    .sort((a, b) => a.need - b.need || a.index - b.index);
  for (const [position, { need, index }] of bySize.entries()) {
    const share = Math.min(need, Math.floor(left / (bySize.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

/**
 * A section's source, or the lines of it around its best chunk that fit into `tokens`, with a mark where it was cut.
 * Where not even the mark fits, nothing; `cut` then says so alone.
 */
export function cutSection(section: Section, chunk: StoredChunk, tokens: number): Content {
  const text = stripControls(section.markdown).trimEnd();
  if (estimateTokens(text) <= tokens) return { text, cut: false };
  const lines = text.split('\n');
  const { last } = section.lines;
  // Not the section's own first line: text before the first heading counts its front matter too.
  const first = last + 1 - lineCount(section.markdown);
  const mark = (shown: LineRange) =>
    `[cut: lines ${shown.first}-${shown.last} of ${section.lines.first}-${last}; read ${section.ref} for the rest]`;
  const room = tokens - estimateTokens(`\n${mark({ first: last, last })}`);
  if (room <= 0) return { text: '', cut: true };
  const start = Math.max(0, Math.min(chunk.lines.first - first, lines.length - 1));
  const shown = growWindow(lines, start, room);
  const range = { first: first + (shown?.from ?? start), last: first + (shown?.to ?? start) };
  const kept =
    shown === undefined ? clip(lines[start] ?? '', room) : lines.slice(shown.from, shown.to + 1).join('\n');
  return { text: `${kept}\n${mark(range)}`, cut: true };
}

/** Lines of a text, an unfinished last one included. */
function lineCount(text: string): number {
  const ends = text.match(/\r\n?|\n/gu)?.length ?? 0;
  return ends + (/[\r\n]$/u.test(text) ? 0 : 1);
}

/** Downwards first, since a chunk is read from its first line; then upwards with what room is left. */
function growWindow(
  lines: readonly string[],
  start: number,
  room: number,
): { from: number; to: number } | undefined {
  const cost = (line: number) => estimateTokens(`${lines[line] ?? ''}\n`);
  let used = cost(start);
  if (used > room) return undefined;
  let from = start;
  let to = start;
  while (to + 1 < lines.length && used + cost(to + 1) <= room) {
    to += 1;
    used += cost(to);
  }
  while (from > 0 && used + cost(from - 1) <= room) {
    from -= 1;
    used += cost(from);
  }
  return { from, to };
}

/** The start of a line too long for the room: whole words where the first one fits, never half a code point. */
function clip(line: string, tokens: number): string {
  let fits = 0;
  for (let beyond = line.length; fits + 1 < beyond; ) {
    const middle = Math.floor((fits + beyond) / 2);
    if (estimateTokens(line.slice(0, middle)) <= tokens) fits = middle;
    else beyond = middle;
  }
  const start = line.slice(0, fits);
  const words = start.replace(/\s\S*$/u, '');
  return (words.trim() === '' ? start : words).replace(/[\ud800-\udbff]$/u, '');
}

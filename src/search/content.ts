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

/** A section's source, or the lines of it around its best chunk that fit into `tokens`, with a mark where it was cut. */
export function cutSection(section: Section, chunk: StoredChunk, tokens: number): Content {
  const text = stripControls(section.markdown).trimEnd();
  if (estimateTokens(text) <= tokens) return { text, cut: false };
  const lines = text.split('\n');
  const mark = (shown: LineRange) =>
    `[cut: lines ${shown.first}-${shown.last} of ${section.lines.first}-${section.lines.last}; read ${section.ref} for the rest]`;
  const room = tokens - estimateTokens(mark(section.lines)) - 1;
  const start = Math.max(0, Math.min(chunk.lines.first - section.lines.first, lines.length - 1));
  const shown = growWindow(lines, start, room);
  if (shown === undefined)
    return { text: `${clip(lines[start] ?? '', room)}\n${mark(oneLine(section, start))}`, cut: true };
  const range = { first: section.lines.first + shown.from, last: section.lines.first + shown.to };
  return { text: `${lines.slice(shown.from, shown.to + 1).join('\n')}\n${mark(range)}`, cut: true };
}

function oneLine(section: Section, line: number): LineRange {
  return { first: section.lines.first + line, last: section.lines.first + line };
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

/** The start of a line too long for the room, cut between code points. */
function clip(line: string, tokens: number): string {
  let text = '';
  for (const word of line.split(/(?<=\s)/u)) {
    if (estimateTokens(text + word) > tokens) break;
    text += word;
  }
  if (text !== '') return text;
  return [...line.slice(0, Math.max(0, tokens * 2))].slice(0, Math.max(0, tokens)).join('');
}

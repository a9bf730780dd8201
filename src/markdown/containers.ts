const BULLET = /^(?:[-+*]|\d{1,9}[.)])(?=\s|$)/u;

/** A line without the marks of the blockquotes around it and of the list items that begin on it. */
export function cutContainers(line: string, quotes: number, items: number): { bullet: string; text: string } {
  let bullet = '';
  let text = line;
  let quotesLeft = quotes;
  let itemsLeft = items;
  while (quotesLeft > 0 || itemsLeft > 0) {
    const rest = text.trimStart();
    const mark = itemsLeft > 0 ? BULLET.exec(rest)?.[0] : undefined;
    if (mark !== undefined) {
      bullet += bullet === '' ? mark : ` ${mark}`;
      text = rest.slice(mark.length);
      itemsLeft -= 1;
    } else if (quotesLeft > 0 && rest.startsWith('>')) {
      text = rest.slice(1);
      quotesLeft -= 1;
    } else break;
  }
  return { bullet, text };
}

/** Code without the indentation of its fence; code by indentation without what all its lines share. */
export function dedent(lines: readonly string[], fence: string | undefined): readonly string[] {
  const width = fence === undefined ? sharedIndent(lines) : indentOf(fence);
  if (width === 0) return lines;
  return lines.map((line) => line.slice(Math.min(width, indentOf(line))));
}

function sharedIndent(lines: readonly string[]): number {
  let width = Number.POSITIVE_INFINITY;
  for (const line of lines) if (line.trim() !== '') width = Math.min(width, indentOf(line));
  return Number.isFinite(width) ? width : 0;
}

function indentOf(line: string): number {
  let width = 0;
  while (line.charAt(width) === ' ' || line.charAt(width) === '\t') width += 1;
  return width;
}

/** Cells of a table row, split at pipes that no backslash precedes (GFM splits inside code as well). */
export function splitCells(row: string): string[] {
  const text = row.trim();
  const cells: string[] = [];
  let cell = '';
  let from = 0;
  for (let at = text.indexOf('|'); at !== -1; at = text.indexOf('|', at + 1)) {
    if (text.charAt(at - 1) === '\\') {
      cell += text.slice(from, at - 1);
      from = at;
    } else {
      cells.push(cell + text.slice(from, at));
      cell = '';
      from = at + 1;
    }
  }
  cells.push(cell + text.slice(from));
  if (cells[0]?.trim() === '' && cells.length > 1) cells.shift();
  if (cells.at(-1)?.trim() === '' && cells.length > 1) cells.pop();
  return cells;
}

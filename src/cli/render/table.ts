import { span, textOf as textOfLine, wrap } from './spans.ts';
import { linkPainted, oneLine, stylesOf, type Terminal } from './terminal.ts';
import { cutTo, padTo, widthOf } from './width.ts';

export interface Column {
  /** Shown above the column; no titles at all make no header line. */
  readonly title?: string;
  readonly align?: 'left' | 'right';
  /** Narrowest this column may be cut to on a terminal, in cells; without it the column is never cut. */
  readonly shrinkTo?: number;
}

export type Cell =
  | string
  | { readonly text: string; readonly url?: string | undefined; readonly dim?: boolean };

const GAP = '  ';
/** Below this many cells columns that don't fit side by side stand one below the other. */
const NARROW = 60;

/**
 * Rows in aligned columns, one line a row, no line end after the last. On a terminal the widest columns that
 * may shrink are cut with `…` to fit; in a pipe nothing is cut.
 */
export function renderRows(
  rows: readonly (readonly Cell[])[],
  columns: readonly Column[],
  terminal: Terminal,
): string {
  const titles = columns.map((column) => column.title ?? '');
  const texts = rows.map((row) => columns.map((_, index) => textOf(row[index])));
  const shown = titles.some((title) => title !== '') ? [titles, ...texts] : texts;
  const natural = columns.map((_, index) =>
    shown.reduce((width, row) => Math.max(width, widthOf(row[index] ?? '')), 0),
  );
  const widths = terminal.isTty ? fitted(natural, columns, terminal.columns) : natural;
  const styles = stylesOf(terminal);
  if (terminal.isTty && terminal.columns < NARROW && lineWidth(widths) > terminal.columns)
    return stacked(rows, terminal);

  function line(row: readonly string[], paint: (text: string, index: number) => string): string {
    const last = row.reduce((found, text, index) => (text === '' ? found : index), 0);
    return row
      .slice(0, last + 1)
      .map((text, index) => {
        const width = widths[index] ?? 0;
        const cut = cutTo(text, width);
        const align = columns[index]?.align ?? 'left';
        const blanks = padTo(cut, width, align).length - cut.length;
        const painted = paint(cut, index);
        if (align === 'right') return ' '.repeat(blanks) + painted;
        return index === last ? painted : painted + ' '.repeat(blanks);
      })
      .join(GAP);
  }

  const header = shown === texts ? [] : [line(titles, (text) => styles.dim(text))];
  const body = texts.map((row, number) =>
    line(row, (text, index) => {
      const cell = rows[number]?.[index];
      if (cell === undefined || typeof cell === 'string') return text;
      return linkPainted(terminal, cell.dim === true ? styles.dim(text) : text, cell.url);
    }),
  );
  return [...header, ...body].join('\n');
}

/** One cell a line, those after the first set in, long ones wrapped. */
function stacked(rows: readonly (readonly Cell[])[], terminal: Terminal): string {
  const styles = stylesOf(terminal);
  return rows
    .flatMap((row) =>
      row.flatMap((cell, index) => {
        const text = textOf(cell);
        const indent = index === 0 ? '' : GAP;
        const { url, dim } = typeof cell === 'object' ? cell : { url: undefined, dim: false };
        if (text === '') return [];
        const lines = wrap([span(text)], Math.max(1, terminal.columns - indent.length));
        return lines
          .map(textOfLine)
          .map((line) => indent + linkPainted(terminal, dim === true ? styles.dim(line) : line, url));
      }),
    )
    .join('\n');
}

function lineWidth(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1));
}

function textOf(cell: Cell | undefined): string {
  return oneLine(typeof cell === 'object' ? cell.text : (cell ?? ''));
}

/** Takes cells from whichever column that may shrink is widest, until the line fits or none may. */
function fitted(natural: readonly number[], columns: readonly Column[], room: number): number[] {
  const widths = [...natural];
  for (let excess = lineWidth(widths) - room; excess > 0; excess -= 1) {
    const widest = columns.reduce((found, column, index) => {
      const spare = (widths[index] ?? 0) > (column.shrinkTo ?? Number.POSITIVE_INFINITY);
      return spare && (widths[index] ?? 0) > (widths[found] ?? -1) ? index : found;
    }, -1);
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

import type { AlignType, Table } from 'mdast';
import { type InlineContext, inline } from './markdown-inline.ts';
import { type Line, paint, type Span, span, textOf, wrap } from './spans.ts';
import { widthOf } from './width.ts';

const GAP = ' │ ';
const CROSS = '─┼─';

interface Layout {
  readonly widths: readonly number[];
  readonly align: readonly AlignType[];
}

/** A table in aligned columns; where it is wider than `width`, one record of `header: value` lines a row. */
export function tableLines(table: Table, width: number, context: InlineContext): string[] {
  const [header = [], ...rows] = table.children.map((row) =>
    row.children.map((cell) => oneLineOf(inline(cell.children, context))),
  );
  const count = Math.max(header.length, ...rows.slice(0, 1).map((row) => row.length));
  const widths = Array.from({ length: count }, (_, column) =>
    [header, ...rows].reduce((most, row) => Math.max(most, widthOf(textOf(row[column] ?? []))), 1),
  );
  const total = widths.reduce((sum, cells) => sum + cells, GAP.length * (count - 1));
  if (total > width && rows.length > 0) return records(header, rows, width, context);
  const layout = { widths, align: table.align ?? [] };
  const titles = header.map((cell) => bold(cell));
  return [
    paint(rowLine(titles, layout), context.terminal),
    paint([span(widths.map((cells) => '─'.repeat(cells)).join(CROSS), ['dim'])], context.terminal),
    ...rows.map((row) => paint(rowLine(row, layout), context.terminal)),
  ];
}

function bold(cell: Line): Span[] {
  return cell.map((part) => ({ ...part, marks: [...part.marks.filter((mark) => mark !== 'bold'), 'bold'] }));
}

/** A cell is one line whatever its text holds (`<br>`, entities). */
function oneLineOf(cell: readonly Span[]): Line {
  return cell.map((part) => ({ ...part, text: part.text.replaceAll('\n', ' ') }));
}

function rowLine(row: readonly Line[], { widths, align }: Layout): Line {
  const cells = widths.map((width, column) => padded(row[column] ?? [], width, align[column]));
  const line = cells.flatMap((cell, column) => (column === 0 ? cell : [span(GAP, ['dim']), ...cell]));
  return trimmedEnd(line);
}

function padded(cell: Line, width: number, align: AlignType | undefined): Line {
  const room = Math.max(0, width - widthOf(textOf(cell)));
  const shares = { left: 0, center: Math.floor(room / 2), right: room };
  const before = shares[align ?? 'left'];
  return [span(' '.repeat(before)), ...cell, span(' '.repeat(room - before))].filter(
    (part) => part.text !== '',
  );
}

/** Blanks at the end of a line are noise when it is copied. */
function trimmedEnd(line: Line): Line {
  const last = line.at(-1);
  if (last === undefined) return line;
  const text = last.text.trimEnd();
  return text === '' ? trimmedEnd(line.slice(0, -1)) : [...line.slice(0, -1), { ...last, text }];
}

function records(
  header: readonly Line[],
  rows: readonly (readonly Line[])[],
  width: number,
  context: InlineContext,
): string[] {
  return rows.flatMap((row, number) => {
    const lines = row.flatMap((cell, column) => {
      if (textOf(cell).trim() === '') return [];
      const title = header[column] ?? [];
      const label = textOf(title).trim() === '' ? [] : [...bold(title), span(': ')];
      // The value is wrapped under its label, set in so that the labels stand out.
      return wrap([...label, ...cell], Math.max(1, width - 2)).map((line, index) =>
        paint(index === 0 ? line : [span('  '), ...line], context.terminal),
      );
    });
    return number === 0 ? lines : ['', ...lines];
  });
}

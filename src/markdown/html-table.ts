/** Characters for private use mark where rows and cells begin while the tags between them are read. */
const ROW = '\uE000';
const CELL = '\uE001';
const HEAD = '\uE002';
const MARKS = /[\uE000-\uE002]/gu;
const HAS_ROWS = /<t[rdh](?=[\s>])/iu;

export interface TableRow {
  /** Cells joined by ` | `. */
  readonly text: string;
  /** Line (from 0 within the block) of its first word. */
  readonly line: number;
  /** All its cells are heads of columns. */
  readonly head: boolean;
}

export function hasRows(html: string): boolean {
  return HAS_ROWS.test(html);
}

/** The rows of an HTML table. `read` gives the words of HTML and keeps its line ends and all other characters. */
export function tableRows(html: string, read: (html: string) => string): TableRow[] {
  const marked = html
    .replace(MARKS, '')
    .replace(/<\/?tr(?=[\s>])/giu, `${ROW}$&`)
    .replace(/<td(?=[\s>])/giu, `${CELL}$&`)
    .replace(/<th(?=[\s>])/giu, `${HEAD}$&`);
  const rows: TableRow[] = [];
  let line = 0;
  for (const row of read(marked).split(ROW)) {
    const blank = row.length - row.replace(/^[\s\uE001\uE002]+/u, '').length;
    const text = row
      .split(/[\uE001\uE002]/u)
      .map((cell) => cell.replace(/\s+/gu, ' ').trim())
      .filter((cell) => cell !== '')
      .join(' | ');
    if (text !== '') {
      rows.push({
        text,
        line: line + countEnds(row.slice(0, blank)),
        head: row.includes(HEAD) && !row.includes(CELL),
      });
    }
    line += countEnds(row);
  }
  return rows;
}

function countEnds(text: string): number {
  return text.split('\n').length - 1;
}

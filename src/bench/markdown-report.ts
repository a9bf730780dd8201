import type { BenchResult } from './result.ts';
import { type Table, tablesOf } from './tables.ts';

/** The tables of a result as Markdown. */
export function renderMarkdownTables(result: BenchResult): string {
  return tablesOf(result).map(renderMarkdownTable).join('\n\n');
}

export function renderMarkdownTable({ title, columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [
    `**${escapeCell(title)}**`,
    '',
    line(columns),
    `| ${columns.map((_, at) => (at === 0 ? '---' : '---:')).join(' | ')} |`,
    ...rows.map(line),
  ].join('\n');
}

/** Names of kinds and files are anything: none of them is markup. */
function escapeCell(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/[\\`*_[\]<>|#~]/gu, '\\$&')
    .replace(/&/gu, '&amp;');
}

import type { BenchResult } from '../../bench/result.ts';
import { tablesOf } from '../../bench/tables.ts';
import { renderRows } from './table.ts';
import { oneLine, stylesOf, type Terminal } from './terminal.ts';

/** Tables one below the other, without line end after the last. */
export function renderBench(result: BenchResult, terminal: Terminal): string {
  const styles = stylesOf(terminal);
  const { index, settings, kb_version: version } = result;
  const head = `${index.name}: ${index.sections} sections, identity ${index.identity}, kb ${version}; ${settings.level} level, depth ${settings.depth}`;
  const tables = tablesOf(result).map(({ title, columns, rows }) => {
    const table = renderRows(
      rows,
      columns.map((column, at) => ({
        title: column,
        align: at === 0 ? ('left' as const) : ('right' as const),
      })),
      terminal,
    );
    return `${styles.bold(oneLine(title))}\n${table}`;
  });
  return [oneLine(head), ...tables].join('\n\n');
}

import { headingPath } from '../core/document.ts';
import { hashInput } from './content-hash.ts';
import type { IndexFile } from './index-file.ts';
import { readMeta, writeMeta } from './meta.ts';

/** Whether titles are embedded with the texts: then the same text below another title is another input. */
const HOLD_TITLE = 'inputs-hold-title';

/** Undefined while nothing was ever embedded: then chunks have no input yet, which {@link settleInputs} will give them. */
export function inputsHoldTitle(index: IndexFile): boolean | undefined {
  const held = readMeta(index, HOLD_TITLE);
  return held === undefined ? undefined : held === 'true';
}

/** What stands for `{title}` in a document prefix: the heading path, with the title where it is not in it. */
export function titleOf(title: string, headings: readonly string[]): string {
  return headingPath({ title, headings }).join(' > ');
}

/** What the vector of a chunk is stored by. */
export function inputOf(
  chunk: { readonly title: string; readonly text: string },
  holdTitle: boolean,
): string {
  return hashInput(holdTitle ? chunk.title : '', chunk.text);
}

/**
 * Names every chunk's input the way an embedder sees it: by the text alone, or with its title where the document prefix
 * has a place for one. Does nothing where they are so named already.
 */
export function settleInputs(index: IndexFile, holdTitle: boolean): void {
  const isSettled = inputsHoldTitle(index) === holdTitle;
  if (isSettled && index.get('SELECT 1 FROM chunk WHERE input IS NULL LIMIT 1') === undefined) return;
  writeMeta(index, HOLD_TITLE, String(holdTitle));
  const some = `SELECT chunk.id AS id, document.title AS title, headings, text
     FROM chunk CROSS JOIN section ON section.id = section_id CROSS JOIN document ON document.id = document_id
     WHERE chunk.id > ? ORDER BY chunk.id LIMIT 1000`;
  interface Row {
    readonly id: number;
    readonly title: string;
    readonly headings: string;
    readonly text: string;
  }
  for (
    let rows = index.all<Row>(some, 0);
    rows.length > 0;
    rows = index.all<Row>(some, rows.at(-1)?.id ?? 0)
  ) {
    for (const { id, title, headings, text } of rows) {
      const heading = titleOf(title, JSON.parse(headings) as string[]);
      index.run('UPDATE chunk SET input = ? WHERE id = ?', inputOf({ title: heading, text }, holdTitle), id);
    }
  }
}

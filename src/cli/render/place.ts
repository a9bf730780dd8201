import { headingPath, type LineRange } from '../../core/document.ts';
import { stripControls } from '../../core/text.ts';
import { oneLine } from './terminal.ts';

/** Where a section stands, as it is written for people wherever one is named. */
export interface Place {
  readonly path: string;
  readonly title: string;
  readonly headings: readonly string[];
  readonly lines: LineRange;
}

/** `Title > Heading > Subheading`; a first heading that only repeats the title is left out. */
export function headingPathOf({ title, headings, path }: Place): string {
  const names = headingPath({ title: oneLine(title), headings: headings.map(oneLine) });
  return names.length === 0 ? oneLine(path) : names.join(' > ');
}

/** `docs/a.md:12-40`: what editors and terminals open. Blanks of a file name are kept. */
export function locationOf({ path, lines }: Place): string {
  const name = stripControls(path).replace(/[\n\t]/gu, ' ');
  return lines.first === lines.last ? `${name}:${lines.first}` : `${name}:${lines.first}-${lines.last}`;
}

import { type Body, firstLineOf, lastLineOf } from './body.ts';
import { chunkUnits } from './chunk.ts';
import type { ParsedDocument } from './parsed.ts';
import { replacePayloads, stripInvisible } from './visible-characters.ts';
import type { Unit } from './visible-units.ts';

interface PlainPage {
  readonly path: string;
  /** Where the header has none. */
  readonly title: string;
  /** Why it was not scanned. */
  readonly reason: string;
}

/** A file that could not be scanned, as one section of plain text: every word is found, no heading is. */
export function plainDocument(body: Body, page: PlainPage): ParsedDocument {
  const text = body.text.slice(body.start);
  const firstLine = firstLineOf(body);
  const units: Unit[] = text.split(/\r\n?|\n/u).flatMap((source, line) => {
    const shown = replacePayloads(stripInvisible(source)).trim();
    return shown === '' ? [] : [{ lines: [{ text: shown, line }], gap: '\n' as const }];
  });
  return {
    path: page.path,
    title: body.front.title ?? page.title,
    metadata: body.front.metadata,
    bodyStart: body.start,
    sections:
      text === ''
        ? []
        : [
            {
              headings: [],
              explicitAnchors: [],
              lines: { first: firstLine, last: lastLineOf(body) },
              start: body.start,
              end: body.text.length,
              chunks: chunkUnits(units, firstLine),
            },
          ],
    headings: [],
    links: [],
    dialects: () => [],
    warnings: [...body.front.warnings, { line: firstLine, text: `read as plain text: ${page.reason}` }],
  };
}

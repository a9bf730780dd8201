import type { Chunk } from '../core/document.ts';
import { type Body, firstLineOf, lastLineOf } from './body.ts';
import { CHUNK_WORDS, chunkUnits, sizeOf } from './chunk.ts';
import { normaliseLineEnds } from './line-index.ts';
import type { ParsedDocument } from './parsed.ts';
import { capLine, collapseRepeats, replacePayloads, stripInvisible } from './visible-characters.ts';

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
              chunks: chunkLines(text, firstLine),
            },
          ],
    headings: [],
    links: [],
    dialects: () => [],
    warnings: [...body.front.warnings, { line: firstLine, text: `read as plain text: ${page.reason}` }],
  };
}

/** Lines packed as they come, without a thought for where a chunk ends best: there may be millions. */
function chunkLines(text: string, firstLine: number): Chunk[] {
  const chunks: Chunk[] = [];
  let pending: string[] = [];
  let size = 0;
  let first = 0;
  let last = 0;
  const close = (): void => {
    const lines = { first: first + firstLine, last: last + firstLine };
    if (pending.length > 0) chunks.push({ text: pending.join('\n'), lines });
    pending = [];
    size = 0;
  };
  for (const [line, source] of normaliseLineEnds(text).split('\n').entries()) {
    const shown = shownOf(source);
    if (shown === '') continue;
    const added = sizeOf(shown);
    if (size + added > CHUNK_WORDS) close();
    if (added > CHUNK_WORDS) {
      for (const chunk of chunkUnits([{ lines: [{ text: shown, line }], gap: '\n' }], firstLine))
        chunks.push(chunk);
      continue;
    }
    if (pending.length === 0) first = line;
    last = line;
    pending.push(shown);
    size += added;
  }
  close();
  return chunks;
}

function shownOf(source: string): string {
  const text = replacePayloads(stripInvisible(source)).trim();
  return text.length < 1000 ? text : capLine(collapseRepeats(text));
}

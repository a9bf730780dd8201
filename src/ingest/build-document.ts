import type { AnchorRule } from '../core/config.ts';
import type { DocPath } from '../core/ref.ts';
import { assignAnchors } from '../markdown/anchors.ts';
import { decodeBytes } from '../markdown/decode-bytes.ts';
import { parseDocument } from '../markdown/parse-document.ts';
import type { ParsedDocument } from '../markdown/parsed.ts';
import { hashSection } from '../store/content-hash.ts';
import type { NewDocument, NewSection } from '../store/documents.ts';
import { IncludeReader } from './read-file.ts';
import type { FoundFile } from './walk.ts';

export interface BuiltDocument {
  readonly document: NewDocument;
  readonly parsed: ParsedDocument | undefined;
  readonly warnings: readonly string[];
}

/** A change of parsing, chunking or folding changes this: every file must then be parsed again. */
export const PIPELINE = 'sections-8';

/** From the bytes of a file to what the index stores of it. */
export function buildDocument(
  found: FoundFile,
  bytes: Buffer,
  hash: string,
  rule: AnchorRule,
): BuiltDocument {
  const decoded = decodeBytes(bytes);
  const base = { path: found.path as DocPath, hash, size: bytes.length, depends: {} };
  if (decoded.binary) {
    const note = 'not text: it holds NUL bytes';
    const document = {
      ...base,
      title: found.path,
      metadata: {},
      status: 'failed' as const,
      note,
      sections: [],
    };
    return { document, parsed: undefined, warnings: [] };
  }
  const includes = new IncludeReader(found.file, found.boundary);
  const parsed = parseDocument(decoded.text, {
    path: found.path,
    include: (target: string) => includes.read(target),
  });
  const anchors = assignAnchors(parsed, rule);
  const sections = parsed.sections.map((section, index): NewSection => {
    const markdown = decoded.text.slice(section.start, section.end);
    return {
      headings: section.headings,
      anchors: anchors[index] ?? [],
      lines: section.headings.length === 0 ? { first: 1, last: section.lines.last } : section.lines,
      hash: hashSection(markdown),
      markdown,
      chunks: section.chunks,
    };
  });
  const hasWords = sections.some((section) => section.chunks.length > 0);
  const warnings = [
    ...decoded.notes,
    ...parsed.warnings.map((warning) => `line ${warning.line}: ${warning.text}`),
  ];
  return {
    document: {
      ...base,
      title: parsed.title,
      metadata: parsed.metadata,
      status: hasWords ? 'indexed' : 'empty',
      ...(hasWords ? {} : { note: 'no text a reader would see' }),
      depends: includes.hashes,
      sections: hasWords ? sections : [],
    },
    parsed,
    warnings,
  };
}

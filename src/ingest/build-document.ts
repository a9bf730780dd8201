import type { AnchorRule } from '../core/config.ts';
import type { DocPath } from '../core/ref.ts';
import { type SectionAnchors, withOthers } from '../markdown/anchors.ts';
import { decodeBytes } from '../markdown/decode-bytes.ts';
import { type PageOfSite, pageOfSite } from '../markdown/detect-anchor-rule.ts';
import { parseDocument } from '../markdown/parse-document.ts';
import type { ParsedDocument } from '../markdown/parsed.ts';
import { hashSection } from '../store/content-hash.ts';
import type { NewDocument, NewSection } from '../store/documents.ts';
import { IncludeReader, readBytes } from './read-file.ts';
import { diskPath, type FoundFile } from './walk.ts';

/** A file to build a document from; plain data, as {@link Built} is: both may go from thread to thread. */
export interface BuildJob extends FoundFile {
  readonly rule: AnchorRule;
  /** Whether to look for the spellings of generators. */
  readonly asksSpelling: boolean;
}

export type Built =
  | { readonly status: 'failed'; readonly reason: string }
  | {
      readonly status: 'built';
      readonly document: NewDocument;
      /** Absent where the document has no sections. */
      readonly page?: PageOfSite;
      readonly warnings: readonly string[];
    };

/** A change of parsing, chunking or folding changes this: every file must then be parsed again. */
export const PIPELINE = 'sections-10';

/** From a file to what the index stores of it. Never throws: one bad file must not stop the others. */
export function buildDocument(job: BuildJob): Built {
  const read = readBytes(job.file);
  if (read.status === 'failed') return read;
  try {
    return build(job, read);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { status: 'failed', reason: `cannot be parsed: ${reason}` };
  }
}

function build(job: BuildJob, { bytes, hash }: { readonly bytes: Buffer; readonly hash: string }): Built {
  const decoded = decodeBytes(bytes);
  const spelled = diskPath(job);
  const base = {
    ...{ path: job.path as DocPath, hash, size: bytes.length },
    ...(spelled === job.path ? {} : { spelled }),
  };
  if (decoded.binary) {
    const none = { title: job.path, metadata: {}, depends: {}, sections: [] };
    const note = 'not text: it holds NUL bytes';
    return { status: 'built', document: { ...base, ...none, status: 'failed', note }, warnings: [] };
  }
  const includes = new IncludeReader(job);
  const parsed = parseDocument(decoded.text, {
    path: job.path,
    include: (target: string) => includes.read(target),
  });
  const hasWords = parsed.sections.some((section) => section.chunks.length > 0);
  const page = hasWords ? pageOfSite(parsed, job) : undefined;
  const document: NewDocument = {
    ...base,
    title: parsed.title,
    metadata: parsed.metadata,
    status: hasWords ? 'indexed' : 'empty',
    ...(hasWords ? {} : { note: 'no text a reader would see' }),
    depends: { ...includes.found },
    sections: page === undefined ? [] : sectionsOf(parsed, decoded.text, anchorsOf(page, job.rule)),
  };
  const warnings = [
    ...decoded.notes,
    ...parsed.warnings.map((warning) => `line ${warning.line}: ${warning.text}`),
  ];
  return { status: 'built', document, ...(page === undefined ? {} : { page }), warnings };
}

function sectionsOf(parsed: ParsedDocument, text: string, anchors: SectionAnchors): NewSection[] {
  return parsed.sections.map((section, index): NewSection => {
    const markdown = text.slice(section.start, section.end);
    return {
      headings: section.headings,
      anchors: anchors[index] ?? [],
      lines: section.headings.length === 0 ? { first: 1, last: section.lines.last } : section.lines,
      hash: hashSection(markdown),
      markdown,
      chunks: section.chunks,
    };
  });
}

function anchorsOf({ anchors }: PageOfSite, rule: AnchorRule): SectionAnchors {
  const { github = [], [rule]: own = [] } = anchors;
  return rule === 'github' ? github : withOthers(own, github);
}

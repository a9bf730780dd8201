import { decodeEntity } from './block-scan.ts';
import { chunkUnits } from './chunk.ts';
import { type Draft, draftAt, type FoundId, type PageContent } from './page-content.ts';
import type { FragmentLink, ParsedHeading, ParsedSection } from './parsed.ts';

/** Where a page's body stands in its file. */
export interface Placement {
  /** Line of the file (from 1) that is line 0 of the body. */
  readonly firstLine: number;
  /** Offset of a line (from 0 within the body) in the file's text. */
  readonly offsetOf: (line: number) => number;
  readonly bodyEnd: number;
  /** Line of the file (from 1) that holds the last character. */
  readonly lastLine: number;
  /** What the page is called. */
  readonly title: string;
}

export interface BuiltSections {
  readonly sections: readonly ParsedSection[];
  readonly headings: readonly ParsedHeading[];
}

interface Anchors {
  /** Ids of each section's own heading: those written on it or next to it. */
  readonly ofHeading: readonly { readonly ids: readonly string[]; readonly replacesSlug: boolean }[];
  readonly inBody: readonly (readonly string[])[];
}

/** Puts a page's content into sections that together are the whole body. */
export function buildSections(content: PageContent, placement: Placement): BuiltSections {
  const { drafts } = content;
  const anchors = placeIds(content);
  const paths = headingPaths(drafts, placement.title);
  const sections = drafts.map((draft, index): ParsedSection => {
    const next = drafts[index + 1];
    return {
      headings: paths[index] ?? [],
      explicitAnchors: unique([...(anchors.ofHeading[index]?.ids ?? []), ...(anchors.inBody[index] ?? [])]),
      lines: {
        first: draft.first + placement.firstLine,
        last: next === undefined ? placement.lastLine : next.first + placement.firstLine - 1,
      },
      start: placement.offsetOf(draft.first),
      end: next === undefined ? placement.bodyEnd : placement.offsetOf(next.first),
      chunks: chunksOf(draft, next, placement.firstLine),
    };
  });
  const headings = content.headings.map(({ rendered, level, line, section }): ParsedHeading => {
    const own = section === undefined ? undefined : anchors.ofHeading[section];
    return {
      text: rendered.text,
      rendered: rendered.rendered,
      source: rendered.source,
      ...(rendered.typographic === undefined ? {} : { typographic: rendered.typographic }),
      explicit: own?.ids ?? rendered.ids,
      replacesSlug: own?.replacesSlug ?? rendered.replacesSlug,
      level,
      line: line + placement.firstLine,
      ...(section === undefined ? {} : { section }),
    };
  });
  return { sections, headings };
}

/** Links to fragments of this page or of pages near it; links with a scheme or host are left out. */
export function fragmentLinks(content: PageContent, firstLine: number): FragmentLink[] {
  return content.links.flatMap(({ target: source, line }) => {
    const target = /[&\\]/u.test(source) ? decodeEntity(source) : source;
    const hash = target.indexOf('#');
    if (hash === -1 || hash === target.length - 1 || /^(?:[a-z][a-z\d+.-]*:|\/\/)/iu.test(target)) return [];
    return [{ target: target.slice(0, hash), fragment: target.slice(hash + 1), line: line + firstLine }];
  });
}

/**
 * Parent of a heading is the nearest one before it of a lower level; levels left out have no place. A first heading
 * without words (`# {{ page.title }}`, `# ![](logo.png)`) stands for the title.
 */
function headingPaths(drafts: readonly Draft[], title: string): string[][] {
  const open: { level: number; label: string }[] = [];
  return drafts.map(({ level, heading }) => {
    if (heading === undefined) return [];
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    open.push({ level, label: heading.label === '#' ? title : heading.label });
    return open.map(({ label }) => label);
  });
}

/** A heading without words of its own is found through its children's paths, or, having none, by its own text. */
function chunksOf(draft: Draft, next: Draft | undefined, firstLine: number): ParsedSection['chunks'] {
  if (draft.units.length > 0 || draft.heading === undefined) return chunkUnits(draft.units, firstLine);
  if (next !== undefined && next.level > draft.level) return [];
  const lines = { first: draft.first + firstLine, last: draft.afterHeading - 1 + firstLine };
  return [{ text: draft.heading.label, lines }];
}

/**
 * Gives every id its section. An attribute list belongs to the heading it touches; a tag with no words between it and
 * the next heading is that heading's label.
 */
function placeIds(content: PageContent): Anchors {
  const { drafts } = content;
  const ofHeading = drafts.map(({ heading }) => ({
    ids: [...(heading?.ids ?? [])],
    replacesSlug: heading?.replacesSlug ?? false,
  }));
  const inBody: string[][] = drafts.map(() => []);
  for (const { section, line, rendered } of content.headings) {
    if (section !== undefined) continue;
    for (const id of rendered.ids) inBody[draftAt(drafts, line)]?.push(id);
  }
  for (const found of content.ids) {
    const index = draftAt(drafts, found.line);
    const heading = headingFor(found, index, drafts);
    const own = heading === undefined ? undefined : ofHeading[heading];
    if (own === undefined) {
      inBody[index]?.push(found.id);
      continue;
    }
    if (found.attribute) {
      own.replacesSlug = true;
      own.ids.unshift(found.id);
    } else own.ids.push(found.id);
  }
  return { ofHeading: ofHeading.map((own) => ({ ...own, ids: unique(own.ids) })), inBody };
}

/** Index of the draft whose heading an id belongs to; undefined when it belongs to a section's body. */
function headingFor(found: FoundId, index: number, drafts: readonly Draft[]): number | undefined {
  const draft = drafts[index];
  const next = drafts[index + 1];
  if (draft === undefined) return undefined;
  const words = draft.units.at(-1)?.lines.at(-1)?.line;
  const lastWords = words ?? draft.afterHeading - 1;
  if (found.attribute) {
    if (draft.heading !== undefined && found.line === draft.afterHeading) return index;
    const isAlone = lastWords < found.line - 1 || (words === undefined && draft.heading === undefined);
    return isAlone && next?.first === found.line + 1 ? index + 1 : undefined;
  }
  return next !== undefined && found.line > lastWords ? index + 1 : undefined;
}

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}

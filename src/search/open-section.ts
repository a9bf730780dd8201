import { nearestFew } from '../config/nearest.ts';
import type { Section } from '../core/document.ts';
import type { OpenedSection, SectionLookup } from '../core/knowledge.ts';
import { type Address, formatAddress, parseAddress } from '../core/ref.ts';
import { allDocuments, findDocument } from '../store/documents.ts';
import type { IndexFile } from '../store/index-file.ts';
import { countChunks } from '../store/lexical.ts';
import { allRefs, neighbourRef, sectionByRef, sectionsOfDocument } from '../store/sections.ts';
import type { SearchContext } from './search.ts';

/** How many other addresses an unknown one is answered with. */
const SUGGESTIONS = 5;
/** How many `#` of a text may be part of a file's name. */
const MAX_SIGNS = 10;

/**
 * The section a ref or `path#anchor` names, or all of a document's for a bare path. A path may leave off its
 * first folders where the rest names one document. Only the index is looked at: no text typed here is ever a
 * path on disk.
 */
export function openSection(context: SearchContext, text: string): SectionLookup {
  const { index } = context;
  return index.snapshot(() => {
    if (countChunks(index) === 0) return { status: 'index_empty' };
    const address = parseAddress(text);
    if (address === undefined) return { status: 'unknown', nearest: [] };
    const sections = sectionsAt(index, address, text);
    if (sections.length === 0) return { status: 'unknown', nearest: suggest(index, address, text.trim()) };
    return { status: 'found', sections: sections.map((section) => withSurroundings(context, section)) };
  });
}

/** A name typed as it is on disk comes before what its escapes would stand for: `a%20b.md` is not `a b.md` where both are. */
function sectionsAt(index: IndexFile, address: Address, text: string): Section[] {
  const readings = [
    ...(address.kind === 'ref' ? [() => byRef(index, address.ref)] : []),
    () => asTyped(index, text),
    () => asTyped(index, text.trim()),
    ...(address.kind === 'path' ? [() => byPath(index, address)] : []),
  ];
  for (const reading of readings) {
    const sections = reading();
    if (sections.length > 0) return sections;
  }
  return [];
}

function byRef(index: IndexFile, ref: string): Section[] {
  const section = sectionByRef(index, ref);
  return section === undefined ? [] : [section];
}

function byPath(index: IndexFile, address: Extract<Address, { kind: 'path' }>): Section[] {
  const path = resolvePath(index, address.path);
  if (path === undefined) return [];
  const sections = sectionsOfDocument(index, path);
  if (address.anchor === undefined) return sections;
  const found = withAnchor(sections, address.anchor);
  return found === undefined ? [] : [found];
}

/** A name with a `#` or `%` typed as it is on disk: the longest start of the text that is a document, the rest its anchor. */
function asTyped(index: IndexFile, text: string): Section[] {
  let end = text.length;
  for (let tries = 0; end > 0 && tries < MAX_SIGNS; tries += 1) {
    const path = text.slice(0, end).normalize('NFC');
    if (findDocument(index, path) !== undefined) {
      const anchor = text.slice(end + 1);
      return byPath(index, { kind: 'path', path, ...(anchor === '' ? {} : { anchor }) });
    }
    end = text.lastIndexOf('#', end - 1);
  }
  return [];
}

/**
 * Exact first, also decoded as a browser would have it; then without what GitHub puts before ids in its pages; then in
 * any case and any form of accents and joiners, for links typed by hand; last by the letters alone of an anchor or a
 * heading, where only one section has them.
 */
export function withAnchor(sections: readonly Section[], anchor: string): Section | undefined {
  const spellings = [anchor, decode(anchor)];
  const exact = sections.find((section) => spellings.some((spelling) => section.anchors.includes(spelling)));
  if (exact !== undefined) return exact;
  const bare = decode(anchor).replace(/^#?user-content-/u, '');
  const loose = [(name: string) => name === bare, (name: string) => fold(name) === fold(bare)];
  for (const matches of loose) {
    const found = sections.find((section) => section.anchors.some(matches));
    if (found !== undefined) return found;
  }
  const wanted = lettersOf(bare);
  const alike = sections.filter(({ headings, anchors }) =>
    [headings.at(-1) ?? '', ...anchors].some((name) => wanted !== '' && lettersOf(name) === wanted),
  );
  return alike.length === 1 ? alike[0] : undefined;
}

function lettersOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function fold(name: string): string {
  return name
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is itself
  }
}

function resolvePath(index: IndexFile, typed: string): string | undefined {
  const path = typed.normalize('NFC').replace(/^(?:\.\/)+/u, '');
  if (findDocument(index, path) !== undefined) return path;
  const ends = allDocuments(index).filter((document) => document.path.endsWith(`/${path}`));
  return ends.length === 1 ? ends[0]?.path : undefined;
}

function suggest(index: IndexFile, address: Address, typed: string): string[] {
  if (address.kind === 'ref') return [...nearestFew(address.ref, allRefs(index), SUGGESTIONS)];
  const path = resolvePath(index, address.path);
  if (path !== undefined && address.anchor !== undefined) {
    const anchors = sectionsOfDocument(index, path).flatMap((section) => section.anchors);
    const near = nearestFew(address.anchor, anchors, SUGGESTIONS);
    return (near.length > 0 ? near : anchors.slice(0, SUGGESTIONS)).map((anchor) =>
      formatAddress({ kind: 'path', path, anchor }),
    );
  }
  const near = suggestPaths(index, address.path);
  return near.length > 0 ? near : suggestPaths(index, typed);
}

/** Same file name first, then names that are spelled alike; only documents that have something to read. */
function suggestPaths(index: IndexFile, typed: string): string[] {
  const paths = allDocuments(index)
    .filter((document) => document.status === 'indexed')
    .map((document) => document.path as string);
  const name = nameOf(typed);
  const sameName = paths.filter((path) => nameOf(path) === name);
  const byName = new Map(paths.map((path) => [nameOf(path), path]));
  const near =
    sameName.length > 0
      ? sameName
      : nearestFew(name, byName.keys(), SUGGESTIONS).flatMap((found) => byName.get(found) ?? []);
  return near.slice(0, SUGGESTIONS).map((path) => formatAddress({ kind: 'path', path }));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function withSurroundings(context: SearchContext, section: Section): OpenedSection {
  const url = context.links.urlOf(section.path, section.anchors[0]);
  const previous = neighbourRef(context.index, section, -1);
  const next = neighbourRef(context.index, section, 1);
  return {
    section,
    ...(url === undefined ? {} : { url }),
    ...(previous === undefined ? {} : { previous }),
    ...(next === undefined ? {} : { next }),
  };
}

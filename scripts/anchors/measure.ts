import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Section } from '../../src/core/document.ts';
import { ingestKb } from '../../src/kb/ingest-kb.ts';
import { decodeEntity } from '../../src/markdown/block-scan.ts';
import { withAnchor } from '../../src/search/open-section.ts';
import { allDocuments } from '../../src/store/documents.ts';
import { type IndexFile, openForReading } from '../../src/store/index-file.ts';
import { type FolderAnchors, readOrigin } from '../../src/store/origin.ts';
import { sectionsOfDocument } from '../../src/store/sections.ts';
import { EXPECTED_RULES } from './expected-rules.ts';
import { explain, letters } from './explain.ts';

/** A link to a heading that a site's authors wrote. */
export interface TruthLink {
  readonly site: string;
  readonly from: string;
  readonly line: number;
  readonly target: string;
  readonly fragment: string;
  /** Rules that produce the fragment; empty for a link that no rule resolves. */
  readonly rules: readonly string[];
}

export interface Miss {
  readonly link: TruthLink;
  readonly reason: string;
}

export interface SiteReport {
  readonly site: string;
  readonly generator: string;
  readonly expected: string;
  readonly detected: readonly FolderAnchors[];
  readonly isRight: boolean;
  readonly links: number;
  readonly resolvable: number;
  readonly right: number;
}

export interface AnchorReport {
  readonly sites: readonly SiteReport[];
  readonly misses: readonly Miss[];
  readonly totals: {
    readonly links: number;
    readonly resolvable: number;
    readonly right: number;
    readonly detected: number;
  };
}

/** Ingests each site as a knowledge base of its own with `anchors: auto` and follows the links its authors wrote. */
export async function measureAnchors(shared: string): Promise<AnchorReport> {
  const home = mkdtempSync(join(tmpdir(), 'kb-anchors-'));
  try {
    const links = readTruth(join(shared, 'testbed-truth/anchors.tsv'));
    const sites: SiteReport[] = [];
    const misses: Miss[] = [];
    for (const site of Object.keys(EXPECTED_RULES)) {
      const report = await ingestKb({
        kb: join(shared, 'testbed', site),
        cwd: home,
        environment: { KB_HOME: home },
      });
      const index = openForReading(report.index);
      try {
        const own = links.filter((link) => link.site === site);
        sites.push(measureSite(site, own, index, misses));
      } finally {
        index.close();
      }
    }
    const sum = (count: (site: SiteReport) => number): number =>
      sites.reduce((total, site) => total + count(site), 0);
    const totals = {
      links: sum((site) => site.links),
      resolvable: sum((site) => site.resolvable),
      right: sum((site) => site.right),
      detected: sum((site) => (site.isRight ? 1 : 0)),
    };
    return { sites, misses, totals };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function readTruth(file: string): TruthLink[] {
  const [, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n');
  return rows.map((row) => {
    const [site = '', from = '', line = '', target = '', fragment = '', rules = ''] = row.split('\t');
    return {
      site,
      from,
      line: Number(line),
      target,
      // As a browser reads it.
      fragment: decodeEntity(fragment),
      rules: rules === 'NONE' ? [] : rules.split(','),
    };
  });
}

function measureSite(
  site: string,
  links: readonly TruthLink[],
  index: IndexFile,
  misses: Miss[],
): SiteReport {
  const detected = readOrigin(index)?.anchors ?? [];
  const { generator = '', rule: expected = 'github' } = EXPECTED_RULES[site] ?? {};
  const pages = new Map<string, readonly Section[]>();
  const elsewhere = pagesByAnchor(index);
  let right = 0;
  let resolvable = 0;
  for (const link of links) {
    const sections = pages.get(link.target) ?? sectionsOfDocument(index, link.target);
    pages.set(link.target, sections);
    const problem = problemOf(link, sections, elsewhere);
    if (link.rules.length > 0) resolvable += 1;
    if (problem === undefined) right += link.rules.length > 0 ? 1 : 0;
    else misses.push({ link, reason: problem });
  }
  const isRight = detected.length > 0 && mainRule(detected, links) === expected;
  return { site, generator, expected, detected, isRight, links: links.length, resolvable, right };
}

/** The rule of the folder that most links lead to; without links, that of the site. */
function mainRule(detected: readonly FolderAnchors[], links: readonly TruthLink[]): string | undefined {
  const votes = new Map<string, number>();
  for (const { target } of links) {
    const first = target.includes('/') ? target.slice(0, target.indexOf('/')) : '';
    const folder = detected.find(({ path }) => path === first) ?? detected.find(({ path }) => path === '');
    if (folder !== undefined) votes.set(folder.rule, (votes.get(folder.rule) ?? 0) + 1);
  }
  const [best] = [...votes].sort(([, one], [, other]) => other - one);
  return best?.[0] ?? detected.find(({ path }) => path === '')?.rule ?? detected[0]?.rule;
}

/** Undefined when the link leads to the section it must reach. */
function problemOf(
  link: TruthLink,
  sections: readonly Section[],
  elsewhere: (anchor: string) => readonly string[],
): string | undefined {
  if (sections.length === 0) return 'target page has no sections';
  const section = withAnchor(sections, link.fragment);
  if (section === undefined) return explain(link, sections, elsewhere);
  return isRightSection(link, section, sections) ? undefined : 'leads to another section';
}

/**
 * Seen without the slug rules: the id stands in the section, before it or on a heading within it; or a heading of the
 * section has the letters of the fragment.
 */
function isRightSection({ fragment }: TruthLink, section: Section, sections: readonly Section[]): boolean {
  const before = sections[section.position - 1]?.markdown.slice(-600) ?? '';
  const written = fragment.replace(/^r-/u, '');
  if (`${before}${section.markdown}`.toLowerCase().includes(written.toLowerCase())) return true;
  // What Markdig names a heading without letters.
  if (/^section(?:-\d+)?$/u.test(fragment)) return !/[\p{L}\p{N}]/u.test(section.headings.at(-1) ?? 'x');
  const wanted = letters(fragment.replace(/[-_]\d+$/u, ''));
  const lines = section.markdown.split('\n').flatMap((line) => [letters(line), letters(line, 'with tags')]);
  return (
    wanted !== '' && lines.some((line) => line.includes(wanted) || (line !== '' && wanted.endsWith(line)))
  );
}

/** The pages of a site that have an anchor. */
function pagesByAnchor(index: IndexFile): (anchor: string) => readonly string[] {
  const pages = new Map<string, string[]>();
  for (const { path } of allDocuments(index)) {
    for (const anchor of sectionsOfDocument(index, path).flatMap(({ anchors }) => anchors)) {
      const known = pages.get(anchor);
      if (known === undefined) pages.set(anchor, [path]);
      else known.push(path);
    }
  }
  return (anchor) => pages.get(anchor) ?? [];
}

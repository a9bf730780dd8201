import { ANCHOR_RULES, type AnchorRule } from '../core/config.ts';
import { type SectionAnchors, siteAnchors } from './anchors.ts';
import { LinkResolver } from './link-resolver.ts';
import type { FragmentLink, Outline, ParsedDocument } from './parsed.ts';

/** What a page tells of its site: headings, links and spellings, no text. */
export interface PageOfSite extends Outline {
  readonly links: readonly FragmentLink[];
  /** The generators whose spellings the page has. */
  readonly dialects: readonly AnchorRule[];
  /** Its anchors by rules that were tried already. */
  readonly anchors: Readonly<Partial<Record<AnchorRule, SectionAnchors>>>;
}

/** Of a parsed document, with its anchors by GitHub's rule, which every section goes by besides, and by `rule`. */
export function pageOfSite(
  parsed: ParsedDocument,
  { rule, asksSpelling }: { readonly rule: AnchorRule; readonly asksSpelling: boolean },
): PageOfSite {
  const { path, headings, links } = parsed;
  const sections = parsed.sections.map(({ lines, explicitAnchors }) => ({ lines, explicitAnchors }));
  const github = siteAnchors(parsed, 'github');
  const anchors = rule === 'github' ? { github } : { github, [rule]: siteAnchors(parsed, rule) };
  return { path, headings, links, sections, dialects: asksSpelling ? parsed.dialects() : [], anchors };
}

export interface AnchorDecision {
  readonly rule: AnchorRule;
  /** Why: the site's links, its configuration file, or the spellings of its pages. */
  readonly by: 'links' | 'configuration' | 'spelling' | 'default';
  /** Headings that fragment links name, each counted once, whose page is among the documents. */
  readonly links: number;
  /** How many of them the rule resolves, explicit ids included. */
  readonly resolved: number;
}

/** What speaks for each rule in one site, or in one folder of it. */
export interface AnchorEvidence {
  readonly pages: number;
  readonly links: readonly LinkedAnchor[];
  /** Pages with a spelling of that generator. */
  readonly spelled: Readonly<Record<AnchorRule, number>>;
}

/** An anchor that some link names, on a page that is there. */
export interface LinkedAnchor {
  readonly fragment: string;
  /** Whether the page has it by a rule; worked out when first asked. */
  readonly resolvesBy: (rule: AnchorRule) => boolean;
}

/** Finds out how a site makes its anchors: its own fragment links, tried by every rule that comes into question. */
export function detectAnchorRule(documents: Iterable<PageOfSite>, configured?: AnchorRule): AnchorDecision {
  const [evidence] = gatherEvidence(documents, () => '').values();
  return decideAnchorRule(evidence ?? emptyEvidence(), { configured });
}

/** By group; a link speaks for the group of the page it leads to, whose anchors it knows. */
export function gatherEvidence(
  documents: Iterable<PageOfSite>,
  groupOf: (path: string) => string,
): Map<string, AnchorEvidence> {
  const pages = [...documents];
  const resolver = new LinkResolver(pages.map(({ path }) => path));
  const anchorsOf = new Map(pages.map((page) => [page.path, new PageAnchors(page)]));
  const groups = new Map<string, WritableEvidence>();
  const evidenceOf = (path: string): WritableEvidence => {
    const group = groupOf(path);
    const known = groups.get(group) ?? emptyEvidence();
    groups.set(group, known);
    return known;
  };
  const linked = new Set<string>();
  for (const { path, links, dialects } of pages) {
    const own = evidenceOf(path);
    own.pages += 1;
    for (const rule of dialects) own.spelled[rule] += 1;
    for (const { target, fragment } of links) {
      const page = resolver.resolve(path, target);
      const anchors = page === undefined ? undefined : anchorsOf.get(page);
      const key = `${page}#${fragment}`;
      if (page === undefined || anchors === undefined || linked.has(key)) continue;
      linked.add(key);
      const resolvesBy = (rule: AnchorRule): boolean => anchors.has(fragment, rule);
      evidenceOf(page).links.push({ fragment, resolvesBy });
    }
  }
  return groups;
}

export function joinEvidence(all: Iterable<AnchorEvidence>): AnchorEvidence {
  const joined = emptyEvidence();
  for (const { pages, links, spelled } of all) {
    joined.pages += pages;
    for (const link of links) joined.links.push(link);
    for (const rule of ANCHOR_RULES) joined.spelled[rule] += spelled[rule];
  }
  return joined;
}

interface Prior {
  /** By the site's configuration file. */
  readonly configured?: AnchorRule | undefined;
  /** Of the site around this folder. */
  readonly around?: AnchorRule | undefined;
  /** The evidence is that of one folder of a site. */
  readonly folder?: boolean;
}

/**
 * What is known of the generator stands, unless the links clearly speak for another rule: authors miss a link here and
 * there, and one that happens to fit another rule proves nothing.
 */
export function decideAnchorRule(evidence: AnchorEvidence, prior: Prior): AnchorDecision {
  const spelled = spelledRule(evidence, prior.folder === true ? SPELLED_SHARE_OF_FOLDER : SPELLED_SHARE);
  const known = prior.configured ?? spelled ?? prior.around ?? 'github';
  const better = clearlyBetterRule(known, evidence);
  const rule = better ?? known;
  const by =
    better !== undefined
      ? 'links'
      : prior.configured !== undefined
        ? 'configuration'
        : spelled !== undefined
          ? 'spelling'
          : 'default';
  return { rule, by, links: evidence.links.length, resolved: countResolved(evidence.links, rule) };
}

/**
 * Of the rules that resolve clearly more links than the known one with GitHub's, whose ids every section has besides,
 * the best; of equals, the one whose generator more pages seem to be written for. Slugs are dear: a rule is tried on
 * all links only where it resolves enough of those that are missing.
 */
function clearlyBetterRule(known: AnchorRule, { links, spelled }: AnchorEvidence): AnchorRule | undefined {
  const missing = links.filter(({ resolvesBy }) => !resolvesBy(known) && !resolvesBy('github'));
  const enough = Math.max(1, links.length * CLEAR_SHARE);
  if (missing.length <= enough) return undefined;
  let best: { readonly rule: AnchorRule; readonly resolved: number } | undefined;
  for (const rule of ANCHOR_RULES) {
    // Links in Markdown to a heading's own words are slips everywhere; vaults write wikilinks.
    if (rule === 'obsidian' || countResolved(missing, rule) <= enough) continue;
    const resolved = countResolved(links, rule);
    if (resolved - (links.length - missing.length) <= enough) continue;
    const isBetter =
      best === undefined ||
      resolved > best.resolved ||
      (resolved === best.resolved && spelled[rule] > spelled[best.rule]);
    if (isBetter) best = { rule, resolved };
  }
  return best?.rule;
}

function countResolved(links: readonly LinkedAnchor[], rule: AnchorRule): number {
  return links.reduce((count, { resolvesBy }) => count + (resolvesBy(rule) ? 1 : 0), 0);
}

const CLEAR_SHARE = 0.01;
/** Spellings on a smaller share of the pages are quotations of another generator's. */
const SPELLED_SHARE = 0.02;
/** A folder must differ more clearly from the site around it. */
const SPELLED_SHARE_OF_FOLDER = 0.2;

function spelledRule({ spelled, pages }: AnchorEvidence, share: number): AnchorRule | undefined {
  let best: AnchorRule | undefined;
  for (const rule of ANCHOR_RULES) {
    if (spelled[rule] > (best === undefined ? 0 : spelled[best])) best = rule;
  }
  return best !== undefined && spelled[best] >= pages * share ? best : undefined;
}

interface WritableEvidence {
  pages: number;
  readonly links: LinkedAnchor[];
  readonly spelled: Record<AnchorRule, number>;
}

function emptyEvidence(): WritableEvidence {
  const spelled = Object.fromEntries(ANCHOR_RULES.map((rule) => [rule, 0])) as Record<AnchorRule, number>;
  return { pages: 0, links: [], spelled };
}

/** The anchors of a page by each rule, made when first asked for. */
class PageAnchors {
  readonly #page: PageOfSite;
  readonly #byRule = new Map<AnchorRule, ReadonlySet<string>>();

  constructor(page: PageOfSite) {
    this.#page = page;
  }

  has(fragment: string, rule: AnchorRule): boolean {
    let anchors = this.#byRule.get(rule);
    if (anchors === undefined) {
      anchors = new Set((this.#page.anchors[rule] ?? siteAnchors(this.#page, rule)).flat());
      this.#byRule.set(rule, anchors);
    }
    return anchors.has(fragment) || (fragment.includes('%') && anchors.has(decodeFragment(fragment)));
  }
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

import { ANCHOR_RULES, type AnchorRule } from '../core/config.ts';
import { assignAnchors } from './anchors.ts';
import { LinkResolver } from './link-resolver.ts';
import type { ParsedDocument } from './parsed.ts';

export interface PageOfSite {
  readonly path: string;
  readonly document: ParsedDocument;
}

export interface AnchorEvidence {
  /** The rule that resolves most links; of equals, what else the pages tell of their generator decides. */
  readonly rule: AnchorRule;
  /** Fragment links whose target page is among the documents. */
  readonly links: number;
  /** How many of them each rule resolves, explicit ids included. */
  readonly resolved: Readonly<Record<AnchorRule, number>>;
}

/** Finds out how a site makes its anchors: its own fragment links, tried by every rule. */
export function detectAnchorRule(documents: Iterable<PageOfSite>): AnchorEvidence {
  const pages = [...documents];
  const resolver = new LinkResolver(pages.map(({ path }) => path));
  const anchors = new AnchorTable(pages);
  const resolved: Record<AnchorRule, number> = { github: 0, kramdown: 0 };
  let links = 0;
  let attributeLines = 0;
  for (const { path, document } of pages) {
    attributeLines += document.attributeLines;
    for (const { target, fragment } of document.links) {
      const page = resolver.resolve(path, target);
      if (page === undefined) continue;
      links += 1;
      for (const rule of ANCHOR_RULES) if (anchors.has(page, rule, fragment)) resolved[rule] += 1;
    }
  }
  return { rule: bestRule(resolved, attributeLines > 0 ? 'kramdown' : 'github'), links, resolved };
}

function bestRule(resolved: Readonly<Record<AnchorRule, number>>, preferred: AnchorRule): AnchorRule {
  let best = preferred;
  for (const rule of ANCHOR_RULES) if (resolved[rule] > resolved[best]) best = rule;
  return best;
}

/** All anchors of each page by each rule, made when first asked for. */
class AnchorTable {
  readonly #documents: ReadonlyMap<string, ParsedDocument>;
  readonly #anchors = new Map<string, ReadonlySet<string>>();

  constructor(pages: readonly PageOfSite[]) {
    this.#documents = new Map(pages.map(({ path, document }) => [path, document]));
  }

  has(path: string, rule: AnchorRule, fragment: string): boolean {
    const key = `${rule} ${path}`;
    let anchors = this.#anchors.get(key);
    if (anchors === undefined) {
      const document = this.#documents.get(path);
      anchors = new Set(document === undefined ? [] : assignAnchors(document, rule).flat());
      this.#anchors.set(key, anchors);
    }
    return anchors.has(fragment) || anchors.has(decodeFragment(fragment));
  }
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

import type { AnchorRule } from '../core/config.ts';
import { assignAnchors } from '../markdown/anchors.ts';
import {
  type AnchorEvidence,
  decideAnchorRule,
  gatherEvidence,
  joinEvidence,
} from '../markdown/detect-anchor-rule.ts';
import type { ParsedDocument } from '../markdown/parsed.ts';
import { type NewDocument, setAnchors } from '../store/documents.ts';
import type { IndexFile } from '../store/index-file.ts';
import type { FolderAnchors } from '../store/origin.ts';
import { ownSiteRule, siteRule } from './site-config.ts';
import type { WalkRoot } from './walk.ts';

const FIRST_GUESS: AnchorRule = 'github';

/**
 * The anchor rules of a run, by configured path and by folder directly below one: a knowledge base may hold many
 * sites. `auto` is decided once the whole corpus has been parsed, by the sites' configuration files and own links,
 * and then stays until everything is parsed again: a rule that changed with every edit would change every citation.
 */
export class AnchorChoice {
  folders: readonly FolderAnchors[];
  readonly #isOpen: boolean;
  readonly #roots: readonly WalkRoot[];
  readonly #considered: { path: string; document: ParsedDocument; rule: AnchorRule }[] = [];
  readonly #rules = new Map<string, AnchorRule>();
  readonly #sites = new Map<string, AnchorRule | undefined>();

  constructor(
    configured: AnchorRule | 'auto',
    settled: readonly FolderAnchors[] | undefined,
    roots: readonly WalkRoot[],
  ) {
    this.#isOpen = configured === 'auto' && settled === undefined;
    this.#roots = roots;
    this.folders =
      configured === 'auto'
        ? (settled ?? [])
        : [{ path: '', rule: configured, by: 'setting', links: 0, resolved: 0 }];
    for (const { path, rule } of this.folders) this.#rules.set(path, rule);
  }

  /** The rule of a document: settled, or a first guess. */
  ruleOf(path: string): AnchorRule {
    const root = this.#rootOf(path);
    const group = groupOf(path, root);
    return (
      this.#rules.get(group) ??
      this.#rules.get(root?.path ?? '') ??
      this.#rules.get('') ??
      this.#siteOf(group, root) ??
      this.#siteOf(root?.path ?? '', root) ??
      FIRST_GUESS
    );
  }

  /** Keeps what the decision needs of a document: its headings and links, not its text. */
  consider(stored: NewDocument, parsed: ParsedDocument): void {
    if (!this.#isOpen || stored.sections.length === 0) return;
    const root = this.#rootOf(stored.path);
    // Where the site's configuration speaks, spellings do not count.
    const dialects = this.#siteOf(root?.path ?? '', root) === undefined ? parsed.dialects() : [];
    const document = {
      ...parsed,
      sections: parsed.sections.map((section) => ({ ...section, chunks: [] })),
      dialects: () => dialects,
    };
    this.#considered.push({ path: stored.path, document, rule: this.ruleOf(stored.path) });
  }

  /** Decides, and renames the anchors written under a first guess that was wrong. */
  settle(index: IndexFile): void {
    if (!this.#isOpen) return;
    const evidence = gatherEvidence(this.#considered, (path) => groupOf(path, this.#rootOf(path)));
    this.folders = this.#roots.flatMap((root) => this.#decideRoot(root, evidence));
    for (const { path, rule } of this.folders) this.#rules.set(path, rule);
    for (const { path, document, rule } of this.#considered) {
      const decided = this.ruleOf(path);
      if (decided !== rule) setAnchors(index, path, assignAnchors(document, decided));
    }
    this.#considered.length = 0;
  }

  /** One rule for the path; folders below it have their own where they are sites of their own or clearly differ. */
  #decideRoot(root: WalkRoot, all: ReadonlyMap<string, AnchorEvidence>): FolderAnchors[] {
    const groups = [...all].filter(([group]) => group === root.path || isBelow(group, root.path));
    const configured = this.#siteOf(root.path, root);
    const whole = joinEvidence(groups.map(([, evidence]) => evidence));
    const around = decideAnchorRule(whole, { configured });
    const folders = groups.map(([path, evidence]): FolderAnchors => {
      const own = path === root.path ? configured : this.#siteOf(path, root);
      const prior = { configured: own ?? configured, around: around.rule, folder: groups.length > 1 };
      return { path, ...decideAnchorRule(evidence, prior) };
    });
    const rules = new Set(folders.map(({ rule }) => rule));
    const [only] = rules;
    if (rules.size > 1 || only === undefined) {
      const named = folders.some(({ path }) => path === root.path);
      const { rule, by } = around;
      return named ? folders : [{ path: root.path, rule, by, links: 0, resolved: 0 }, ...folders];
    }
    const by = around.rule === only ? around.by : 'links';
    const resolved = folders.reduce((sum, folder) => sum + folder.resolved, 0);
    return [{ path: root.path, rule: only, by, links: whole.links.length, resolved }];
  }

  /** By the configuration file of the group's folder, or of the path's site. */
  #siteOf(group: string, root: WalkRoot | undefined): AnchorRule | undefined {
    if (root === undefined || !this.#isOpen) return undefined;
    if (!this.#sites.has(group)) {
      const below = group.slice(root.path === '' ? 0 : root.path.length + 1);
      const rule =
        group === root.path ? siteRule(root.file, root.boundary) : ownSiteRule(`${root.file}/${below}`);
      this.#sites.set(group, rule);
    }
    return this.#sites.get(group);
  }

  #rootOf(path: string): WalkRoot | undefined {
    let best: WalkRoot | undefined;
    for (const root of this.#roots) {
      if (path !== root.path && !isBelow(path, root.path)) continue;
      if (best === undefined || root.path.length > best.path.length) best = root;
    }
    return best;
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** The first folder of a document below its configured path; the path itself for documents directly in it. */
function groupOf(path: string, root: WalkRoot | undefined): string {
  const from = root === undefined || root.path === '' ? 0 : root.path.length + 1;
  const end = path.indexOf('/', from);
  return end === -1 ? (root?.path ?? '') : path.slice(0, end);
}

import { type AnchorRule, anchorRuleOfSite, type Config, type SiteConfig } from '../core/config.ts';
import { assignAnchors } from '../markdown/anchors.ts';
import {
  type AnchorEvidence,
  decideAnchorRule,
  gatherEvidence,
  joinEvidence,
  type PageOfSite,
} from '../markdown/detect-anchor-rule.ts';
import { LinkResolver } from '../markdown/link-resolver.ts';
import { setAnchors } from '../store/documents.ts';
import type { IndexFile } from '../store/index-file.ts';
import type { FolderAnchors } from '../store/origin.ts';
import { ownSiteRule, siteRule } from './site-config.ts';
import type { WalkRoot } from './walk.ts';

const FIRST_GUESS: AnchorRule = 'github';

interface Considered {
  readonly page: PageOfSite;
  /** That its anchors were made by. */
  readonly rule: AnchorRule;
}

/**
 * The anchor rules of a run, by configured path and by folder directly below one: a knowledge base may hold many
 * sites. `auto` is decided once a path's documents have been parsed, by the sites' configuration files and own links,
 * and then stays: a rule that changed with every edit would change every citation. It is decided again when
 * everything is parsed again, and when a run brings more links to headings than the decision had.
 */
export class AnchorChoice {
  readonly #isAuto: boolean;
  readonly #roots: readonly WalkRoot[];
  /** Sites that the knowledge-base file describes. */
  readonly #stated: readonly SiteConfig[];
  /** Roots without a decision, and those whose decision is taken again. */
  readonly #open: Set<WalkRoot>;
  #folders: readonly FolderAnchors[];
  #considered: Considered[] = [];
  readonly #seen = new Set<string>();
  readonly #rules = new Map<string, AnchorRule>();
  readonly #sites = new Map<string, AnchorRule | undefined>();

  constructor(
    { anchors, sites = [] }: Pick<Config['knowledge'], 'anchors' | 'sites'>,
    settled: readonly FolderAnchors[] | undefined,
    roots: readonly WalkRoot[],
  ) {
    this.#isAuto = anchors === 'auto';
    this.#roots = roots;
    this.#stated = sites;
    this.#folders =
      anchors === 'auto'
        ? roots.flatMap((root) => this.#settledFor(root, settled ?? []))
        : [{ path: '', rule: anchors, by: 'setting', links: 0, resolved: 0 }];
    this.#open = new Set(this.#isAuto ? roots.filter((root) => this.#foldersOf(root).length === 0) : []);
    this.#publish();
  }

  /** One entry for each path or folder with a rule of its own. */
  get folders(): readonly FolderAnchors[] {
    return this.#folders;
  }

  /** The rule of a document: settled, or a first guess. */
  ruleOf(path: string): AnchorRule {
    const root = this.#rootOf(path);
    const group = groupOf(path, root);
    const settled = this.#rules.get(group) ?? this.#rules.get(root?.path ?? '') ?? this.#rules.get('');
    if (settled !== undefined) return settled;
    return this.#siteOf(group, root) ?? this.#siteOf(root?.path ?? '', root) ?? FIRST_GUESS;
  }

  /** Whether the spellings of a document count: where its site's configuration speaks, they do not. */
  asksSpelling(path: string): boolean {
    const root = this.#rootOf(path);
    return this.#isAuto && this.#siteOf(root?.path ?? '', root) === undefined;
  }

  /** Keeps what a decision needs of a document that was parsed; without a page, that there is nothing in it. */
  consider(path: string, page: PageOfSite | undefined): void {
    this.#seen.add(path);
    if (this.#isAuto && page !== undefined) this.#considered.push({ page, rule: this.ruleOf(path) });
  }

  /**
   * Which of `paths`, all documents there are, must be considered too: those of paths without a decision, or for which
   * the run has brought more links to headings than the decision rested on.
   */
  unconsidered(paths: readonly string[]): string[] {
    if (!this.#isAuto) return [];
    for (const root of this.#outdated(paths)) this.#open.add(root);
    if (this.#open.size === 0) return [];
    return paths.filter((path) => {
      const root = this.#rootOf(path);
      return root !== undefined && this.#open.has(root) && !this.#seen.has(path);
    });
  }

  #outdated(paths: readonly string[]): WalkRoot[] {
    const settled = this.#roots.filter((root) => !this.#open.has(root));
    if (settled.length === 0 || this.#considered.length === 0) return [];
    const resolver = new LinkResolver(paths);
    const brought = new Map<WalkRoot | undefined, Set<string>>();
    for (const { page } of this.#considered) {
      for (const { target, fragment } of page.links) {
        const linked = resolver.resolve(page.path, target);
        const root = linked === undefined ? undefined : this.#rootOf(linked);
        brought.set(root, (brought.get(root) ?? new Set()).add(`${linked}#${fragment}`));
      }
    }
    return settled.filter((root) => {
      const links = this.#foldersOf(root).reduce((sum, folder) => sum + folder.links, 0);
      return (brought.get(root)?.size ?? 0) > links;
    });
  }

  /** Decides what is open, and renames the anchors written under a guess that was wrong. */
  settle(index: IndexFile): void {
    if (this.#open.size === 0) return;
    const considered = this.#considered.filter(({ page }) => {
      const root = this.#rootOf(page.path);
      return root !== undefined && this.#open.has(root);
    });
    const pages = considered.map(({ page }) => page);
    const evidence = gatherEvidence(pages, (path) => groupOf(path, this.#rootOf(path)));
    this.#folders = this.#roots.flatMap((root) =>
      this.#open.has(root) ? this.#decideRoot(root, evidence) : this.#foldersOf(root),
    );
    this.#publish();
    for (const { page, rule } of considered) {
      const decided = this.ruleOf(page.path);
      if (decided !== rule) setAnchors(index, page.path, assignAnchors(page, decided));
    }
    this.#considered = [];
    this.#open.clear();
  }

  /** What an earlier run has decided for a path: for it and folders below, or for the path it was then part of. */
  #settledFor(root: WalkRoot, settled: readonly FolderAnchors[]): readonly FolderAnchors[] {
    const own = settled.filter(({ path }) => this.#rootOf(path) === root);
    if (own.some(({ path }) => path === root.path)) return own;
    const [around] = settled
      .filter(({ path }) => isBelow(root.path, path))
      .sort((one, other) => other.path.length - one.path.length);
    return around === undefined ? own : [{ ...around, path: root.path, links: 0, resolved: 0 }, ...own];
  }

  #publish(): void {
    this.#rules.clear();
    for (const { path, rule } of this.#folders) this.#rules.set(path, rule);
  }

  #foldersOf(root: WalkRoot): readonly FolderAnchors[] {
    return this.#folders.filter(({ path }) => this.#rootOf(path) === root);
  }

  /** One rule for the path; folders below it have their own where they are sites of their own or clearly differ. */
  #decideRoot(root: WalkRoot, all: ReadonlyMap<string, AnchorEvidence>): FolderAnchors[] {
    const groups = [...all].filter(([group]) => this.#rootOf(group) === root);
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

  /** By the knowledge-base file, the configuration file of the group's folder, or that of the path's site. */
  #siteOf(group: string, root: WalkRoot | undefined): AnchorRule | undefined {
    if (root === undefined || !this.#isAuto) return undefined;
    if (!this.#sites.has(group)) {
      const below = group.slice(root.path === '' ? 0 : root.path.length + 1);
      const found = (): AnchorRule | undefined =>
        group === root.path ? siteRule(root.file, root.boundary) : ownSiteRule(`${root.file}/${below}`);
      this.#sites.set(group, this.#statedRule(group) ?? found());
    }
    return this.#sites.get(group);
  }

  #statedRule(group: string): AnchorRule | undefined {
    const site = this.#stated.find(
      ({ path }) => path === undefined || path === group || isBelow(group, path) || isBelow(path, group),
    );
    return site === undefined ? undefined : anchorRuleOfSite(site.generator);
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

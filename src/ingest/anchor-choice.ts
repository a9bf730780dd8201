import type { AnchorRule } from '../core/config.ts';
import { assignAnchors } from '../markdown/anchors.ts';
import { detectAnchorRule } from '../markdown/detect-anchor-rule.ts';
import type { ParsedDocument } from '../markdown/parsed.ts';
import { type NewDocument, setAnchors } from '../store/documents.ts';
import type { IndexFile } from '../store/index-file.ts';

const FIRST_GUESS: AnchorRule = 'github';

export interface SettledAnchors {
  readonly rule: AnchorRule;
  /** The corpus's own links to headings, and how many the rule resolves. */
  readonly links: { readonly links: number; readonly resolved: number };
}

/**
 * The anchor rule of a run. `auto` is decided once the whole corpus has been parsed, by its own links, and then
 * stays until everything is parsed again: a rule that changed with every edit would change every citation.
 */
export class AnchorChoice {
  rule: AnchorRule;
  links: SettledAnchors['links'];
  readonly #isOpen: boolean;
  readonly #considered: { path: string; document: ParsedDocument }[] = [];

  constructor(configured: AnchorRule | 'auto', settled: SettledAnchors | undefined) {
    this.#isOpen = configured === 'auto' && settled === undefined;
    this.rule = configured === 'auto' ? (settled?.rule ?? FIRST_GUESS) : configured;
    this.links = settled?.links ?? { links: 0, resolved: 0 };
  }

  /** Keeps what the decision needs of a document: its headings and links, not its text. */
  consider(stored: NewDocument, parsed: ParsedDocument): void {
    if (!this.#isOpen || stored.sections.length === 0) return;
    const sections = parsed.sections.map((section) => ({ ...section, chunks: [] }));
    this.#considered.push({ path: stored.path, document: { ...parsed, sections } });
  }

  /** Decides, and renames the anchors written under the first guess where it was wrong. */
  settle(index: IndexFile): void {
    if (!this.#isOpen) return;
    const guess = this.rule;
    const detected = detectAnchorRule(this.#considered);
    this.rule = detected.rule;
    this.links = { links: detected.links, resolved: detected.resolved[detected.rule] };
    if (this.rule === guess) return;
    for (const { path, document } of this.#considered)
      setAnchors(index, path, assignAnchors(document, this.rule));
  }
}

import { createHash } from 'node:crypto';
import type { OpenedSection } from '../core/knowledge.ts';
import { formatAddress } from '../core/ref.ts';
import { fold, words } from '../core/words.ts';
import type { Kb } from '../kb.ts';
import { LinkResolver } from '../markdown/link-resolver.ts';
import { definitionsOf, linksOf } from '../markdown/links.ts';
import { contentStems } from '../search/query.ts';
import type { Question } from './questions.ts';

/** A question that was made, and of what. */
export interface MadeQuestion extends Question {
  readonly relevant: readonly (Question['relevant'][number] & { readonly heading: string })[];
  /** `links`, or the model that wrote it. */
  readonly made_by: string;
}

type Section = OpenedSection['section'];

/** Shorter link texts name a thing rather than ask for it. */
const MIN_WORDS = 3;
/** A text that leads to more different sections than this says "here", not what is there. */
const MAX_TARGETS = 3;

interface Linked {
  readonly text: string;
  readonly targets: Map<string, Section>;
  readonly sources: Map<string, Section>;
}

/**
 * Questions that the documents themselves ask: the words of their links to sections of other documents. The target is
 * relevant; the sections that hold the link are left out of the results, since they hold its words too. Words that are
 * no more than the title of the target are left out: any search finds those.
 */
export function linkQuestions(kb: Kb): MadeQuestion[] {
  const paths = kb.documents().map((document) => document.path);
  const resolver = new LinkResolver(paths);
  const linked = new Map<string, Linked>();
  for (const path of paths) {
    const sections = sectionsAt(kb, path);
    const definitions = definitionsOf(sections.map((section) => section.markdown).join('\n'));
    for (const section of sections) {
      for (const link of linksOf(section.markdown, definitions)) {
        const target = targetOf(kb, resolver, path, link.target);
        if (target === undefined || !asksMore(link.text, target)) continue;
        const key = fold(link.text).trim();
        const one = linked.get(key) ?? { text: link.text, targets: new Map(), sources: new Map() };
        one.targets.set(target.ref, target);
        one.sources.set(section.ref, section);
        linked.set(key, one);
      }
    }
  }
  return [...linked]
    .filter(([, { targets }]) => targets.size <= MAX_TARGETS)
    .map(([key, one]) => toQuestion(key, one))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function sectionsAt(kb: Kb, path: string): Section[] {
  const found = kb.open(formatAddress({ kind: 'path', path }));
  return found.status === 'found' ? found.sections.map((one) => one.section) : [];
}

/** The section of another document that a link leads to. */
function targetOf(kb: Kb, resolver: LinkResolver, from: string, target: string): Section | undefined {
  const hash = target.indexOf('#');
  if (hash <= 0 || hash === target.length - 1 || /^[a-z][a-z\d+.-]*:/iu.test(target)) return undefined;
  const path = resolver.resolve(from, target.slice(0, hash));
  if (path === undefined || path === from) return undefined;
  const found = kb.open(formatAddress({ kind: 'path', path, anchor: target.slice(hash + 1) }));
  const section = found.status === 'found' ? found.sections[0]?.section : undefined;
  return section?.path === path ? section : undefined;
}

/** Whether a text of enough words has one that neither the title, the headings nor the address of its target hold. */
function asksMore(text: string, target: Section): boolean {
  if (words(fold(text)).length < MIN_WORDS) return false;
  const names = [target.title, ...target.headings, ...target.anchors, target.path].join(' ');
  const known = contentStems(names);
  return [...contentStems(text)].some((stem) => !known.has(stem));
}

function toQuestion(key: string, { text, targets, sources }: Linked): MadeQuestion {
  return {
    id: `link-${createHash('sha256').update(key).digest('hex').slice(0, 10)}`,
    kind: 'link',
    question: text,
    relevant: [...targets.values()].map(relevantSection),
    source: [...sources.values()]
      .filter((section) => !targets.has(section.ref))
      .map(({ path, lines }) => ({ path, line: lines.first })),
    made_by: 'links',
  };
}

export function relevantSection(section: Section): MadeQuestion['relevant'][number] {
  return {
    path: section.path,
    heading: section.headings.at(-1) ?? section.title,
    line: section.lines.first,
    grade: 1,
  };
}

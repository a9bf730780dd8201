import { createHash } from 'node:crypto';
import type { Section } from '../../src/core/document.ts';
import type {
  Knowledge,
  OpenedSection,
  Outline,
  OutlineQuery,
  SectionLookup,
} from '../../src/core/knowledge.ts';
import { type DocPath, makeRef, parseAddress, type Ref } from '../../src/core/ref.ts';
import type { Explanation, Hit, SearchQuery, SearchResult } from '../../src/core/search.ts';
import { fold, stem, words } from '../../src/core/words.ts';

export interface GivenSection {
  readonly path: string;
  readonly headings: readonly string[];
  readonly markdown: string;
  readonly title?: string;
  readonly url?: string;
  /** Fixed ref, where a test wants to name it. */
  readonly ref?: string;
}

const TIER = 'tier: lexical (FTS5) - no embeddings configured';
const STOP = new Set(
  'a an and are be by can do does for how i in is it my of on or the to what when where which'.split(' '),
);

/** Sections held in memory and found by shared words, for tests of what sits above the index. */
export class MemoryKnowledge implements Knowledge {
  readonly sections: readonly Section[];
  readonly searches: SearchQuery[] = [];
  status: SearchResult['status'] = 'ok';
  tier = TIER;
  readonly #urls = new Map<Ref, string>();

  constructor(given: readonly GivenSection[]) {
    const taken = new Set<Ref>();
    const counts = new Map<string, number>();
    this.sections = given.map((one) => {
      const position = counts.get(one.path) ?? 0;
      counts.set(one.path, position + 1);
      const ref =
        (one.ref as Ref | undefined) ?? makeRef({ ...one, occurrence: position }, (name) => taken.has(name));
      taken.add(ref);
      if (one.url !== undefined) this.#urls.set(ref, one.url);
      return {
        ref,
        path: one.path as DocPath,
        title: one.title ?? one.headings[0] ?? one.path,
        headings: one.headings,
        anchors: one.headings.slice(-1).map((heading) => heading.toLowerCase().replace(/[^a-z0-9]+/gu, '-')),
        lines: { first: position * 10 + 1, last: position * 10 + 9 },
        position,
        hash: createHash('sha256').update(one.markdown).digest('hex').slice(0, 16),
        markdown: one.markdown,
      };
    });
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    this.searches.push(query);
    if (this.status !== 'ok') return { status: this.status, tier: this.tier, hits: [] };
    const words = wordsOf(query.text);
    const kept = words.filter((word) => !STOP.has(word));
    const scored = this.#under(query.path)
      .map((section) => ({ section, score: score(section, kept) }))
      .filter(({ score: value }) => value > 0)
      .sort((a, b) => b.score - a.score);
    const hits = scored
      .slice(0, query.topK ?? 5)
      .map(({ section, score: value }) => this.#hit(section, value));
    const result: SearchResult = { status: 'ok', tier: this.tier, hits };
    return query.explain === true ? { ...result, explanation: this.#explain(words, kept) } : result;
  }

  open(address: string): SectionLookup {
    if (this.status !== 'ok') return { status: this.status };
    const parsed = parseAddress(address);
    const found = this.sections.filter((section) =>
      parsed?.kind === 'ref'
        ? section.ref === parsed.ref
        : section.path === parsed?.path &&
          (parsed.anchor === undefined || section.anchors.includes(parsed.anchor)),
    );
    if (found.length > 0) return { status: 'found', sections: found.map((section) => this.#opened(section)) };
    return { status: 'unknown', nearest: this.sections.slice(0, 3).map((section) => section.ref) };
  }

  async outline(query: OutlineQuery): Promise<Outline> {
    const words = query.query === undefined ? [] : wordsOf(query.query);
    const found = this.#under(query.path).filter(
      (section) =>
        words.length === 0 || words.some((word) => wordsOf(section.headings.join(' ')).includes(word)),
    );
    const start = query.offset ?? 0;
    const entries = found.slice(start, start + query.limit).map((section) => ({
      ref: section.ref,
      path: section.path,
      title: section.title,
      headings: section.headings,
    }));
    return { status: this.status, tier: this.tier, total: found.length, entries };
  }

  #under(path: string | undefined): readonly Section[] {
    return path === undefined
      ? this.sections
      : this.sections.filter((section) => section.path === path || section.path.startsWith(`${path}/`));
  }

  #opened(section: Section): OpenedSection {
    const siblings = this.sections.filter((other) => other.path === section.path);
    const previous = siblings[section.position - 1]?.ref;
    const next = siblings[section.position + 1]?.ref;
    const url = this.#urls.get(section.ref);
    return {
      section,
      ...(url === undefined ? {} : { url }),
      ...(previous === undefined ? {} : { previous }),
      ...(next === undefined ? {} : { next }),
    };
  }

  #hit(section: Section, value: number): Hit {
    const [anchor] = section.anchors;
    const url = this.#urls.get(section.ref);
    return {
      ref: section.ref,
      path: section.path,
      title: section.title,
      headings: section.headings,
      ...(anchor === undefined ? {} : { anchor }),
      ...(url === undefined ? {} : { url }),
      lines: section.lines,
      hash: section.hash,
      score: value,
      evidence: [],
      freshness: 'fresh',
      content: section.markdown,
      cut: false,
      snippet: section.markdown.slice(0, 80),
    };
  }

  /** As the index weighs words: by how few sections hold them. */
  #weight(one: string): number {
    const holding = this.sections.filter((section) =>
      words(fold(textOf(section)))
        .map(stem)
        .includes(one),
    ).length;
    return Math.log(1 + (1000 - holding + 0.5) / (holding + 0.5));
  }

  #explain(words: readonly string[], kept: readonly string[]): Explanation {
    const all = new Set(this.sections.flatMap((section) => wordsOf(textOf(section))));
    return {
      kept,
      dropped: words.filter((word) => STOP.has(word)),
      replaced: [],
      unknown: kept.filter((word) => !all.has(word)),
      weights: [...new Set(kept.map(stem))].map((one) => ({ stem: one, weight: this.#weight(one) })),
      parts: [],
    };
  }
}

function textOf(section: Section): string {
  return `${section.title} ${section.headings.join(' ')} ${section.markdown}`;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function score(section: Section, words: readonly string[]): number {
  const held = new Set(wordsOf(textOf(section)));
  return words.filter((word) => held.has(word)).length;
}

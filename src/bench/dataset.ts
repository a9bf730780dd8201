import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { formatAddress } from '../core/ref.ts';
import type { Kb } from '../kb.ts';
import type { BeirDataset } from './beir.ts';
import { readText } from './files.ts';
import type { Judged } from './metrics.ts';
import { QUESTIONS, type Question, readQuestions, type SectionPlace } from './questions.ts';

/** What is ranked and judged: sections, or whole documents by the scores of their best sections. */
export type Level = 'section' | 'document';

export interface BenchQuestion {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
  readonly judged: Judged;
  /** Ids that are taken out of the results before they are scored. */
  readonly left: ReadonlySet<string>;
}

/** A section that was found, as far as its id goes. */
export interface FoundPlace {
  readonly path: string;
  readonly lines: { readonly first: number };
}

export interface Dataset {
  readonly name: string;
  /** SHA-256 (hex) of its files. */
  readonly hash: string;
  readonly level: Level;
  /** Only those with something relevant: the others say nothing about a ranking. */
  readonly questions: readonly BenchQuestion[];
  readonly unjudged: number;
  /** Judged sections or documents that the index does not hold: they count as not found. */
  readonly missing: readonly string[];
  readonly idOf: (found: FoundPlace) => string;
}

/** A file of questions beside a corpus, judged on the documents of an index. */
export function questionsDataset(file: string, kb: Kb, level: Level): Dataset {
  const questions = readQuestions(file);
  const places = new Places(kb);
  const idOf = ({ path, lines }: FoundPlace) => (level === 'document' ? path : `${path}:${lines.first}`);
  const idOfPlace = (place: SectionPlace) =>
    idOf({ path: places.pathOf(place.path), lines: { first: place.line } });
  const asked = questions.map((one) => ({
    id: one.id,
    kind: one.kind,
    text: one.question,
    judged: judgedOf(one, idOfPlace),
    // A document is not left out for one of its sections.
    left: new Set(level === 'section' ? (one.source ?? []).map(idOfPlace) : []),
  }));
  const missing = questions
    .flatMap((one) => one.relevant)
    .filter((section) => !places.has(section, level))
    .map((section) => `${section.path}:${section.line}`);
  return {
    ...judgedOnly(asked),
    name: basename(file),
    hash: createHash('sha256').update(readText(file, QUESTIONS)).digest('hex'),
    level,
    missing: [...new Set(missing)],
    idOf,
  };
}

function judgedOf(question: Question, idOf: (place: SectionPlace) => string): Map<string, number> {
  const judged = new Map<string, number>();
  for (const section of question.relevant) {
    const id = idOf(section);
    judged.set(id, Math.max(section.grade, judged.get(id) ?? Number.NEGATIVE_INFINITY));
  }
  return judged;
}

/** A BEIR collection whose documents were ingested; `ids` has the id of each by its path. */
export function beirDataset(beir: BeirDataset, ids: ReadonlyMap<string, string>, level: Level): Dataset {
  const known = new Set(ids.values());
  const asked = [...beir.judged].map(([id, judged]) => ({
    id,
    kind: 'query',
    text: beir.queries.get(id) ?? '',
    judged,
    left: new Set<string>(),
  }));
  const missing = asked.flatMap(({ judged }) => [...judged.keys()].filter((id) => !known.has(id)));
  return {
    ...judgedOnly(asked),
    name: beir.name,
    hash: beir.hash,
    level,
    missing: [...new Set(missing)],
    idOf: ({ path }) => ids.get(path) ?? path,
  };
}

function judgedOnly(asked: readonly BenchQuestion[]): Pick<Dataset, 'questions' | 'unjudged'> {
  const questions = asked.filter(({ judged }) => [...judged.values()].some((grade) => grade > 0));
  return { questions, unjudged: asked.length - questions.length };
}

/** Finds the document that a path of a question means: itself, or one that ends with it. */
class Places {
  readonly #kb: Kb;
  readonly #paths: readonly string[];
  readonly #resolved = new Map<string, string>();
  readonly #lines = new Map<string, ReadonlySet<number>>();

  constructor(kb: Kb) {
    this.#kb = kb;
    this.#paths = kb.documents().map((document) => document.path);
  }

  pathOf(path: string): string {
    const known = this.#resolved.get(path);
    if (known !== undefined) return known;
    const found = this.#paths.includes(path) ? path : this.#paths.find((one) => one.endsWith(`/${path}`));
    this.#resolved.set(path, found ?? path);
    return found ?? path;
  }

  has({ path, line }: SectionPlace, level: Level): boolean {
    const full = this.pathOf(path);
    return level === 'document' ? this.#paths.includes(full) : this.#linesOf(full).has(line);
  }

  #linesOf(path: string): ReadonlySet<number> {
    let lines = this.#lines.get(path);
    if (lines === undefined) {
      const found = this.#kb.open(formatAddress({ kind: 'path', path }));
      const sections = found.status === 'found' ? found.sections : [];
      lines = new Set(sections.map(({ section }) => section.lines.first));
      this.#lines.set(path, lines);
    }
    return lines;
  }
}

import type { TextFormat } from '../../src/bench/beir-documents.ts';
import type { Level } from '../../src/bench/dataset.ts';

export interface Collection {
  /** Folder of `shared/ir`. */
  readonly name: string;
  readonly what: string;
  readonly format: TextFormat;
  readonly level: Level;
  /** nDCG@10 to hold. */
  readonly goal: number;
}

/** What the texts are is a fact of each collection; the settings of search are the same for all. */
export const COLLECTIONS: readonly Collection[] = [
  { name: 'scifact', what: 'scientific claims, abstracts', format: 'text', level: 'document', goal: 0.69 },
  { name: 'cranfield', what: 'aerodynamics, abstracts', format: 'text', level: 'document', goal: 0.37 },
  { name: 'cisi', what: 'library science, abstracts', format: 'text', level: 'document', goal: 0.38 },
  { name: 'cacm', what: 'computing, titles and abstracts', format: 'text', level: 'document', goal: 0.5 },
  { name: 'cosqa', what: 'web queries, Python functions', format: 'text', level: 'document', goal: 0.39 },
  {
    name: 'chroma-chunk',
    what: 'passages of five corpora',
    format: 'markdown',
    level: 'document',
    goal: 0.79,
  },
  { name: 'docsmcp', what: 'pages of documentation', format: 'markdown', level: 'document', goal: 0.86 },
  {
    name: 'mdlinks-sec',
    what: 'sections of documentation',
    format: 'markdown',
    level: 'section',
    goal: 0.37,
  },
];

export const OPENVOX = {
  name: 'openvox-dev',
  what: 'sections of OpenVox, questions of people',
  goal: 0.53,
  questions: ['qa', 'openvox-docs.dev.jsonl'],
  sources: ['openvox-docs', 'puppet-specifications'],
} as const;

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { randomFrom } from '../../src/bench/random.ts';

export interface Page {
  /** Relative to the folder the pages are written to. */
  readonly path: string;
  readonly text: string;
  /** Headings, and the text before the first. */
  readonly sections: number;
}

const MARKDOWN = /\.(?:md|mdx|markdown)$/u;
/** Larger files of a test bed are there to try the parser, not to be searched. */
const MAX_BYTES = 400_000;
const WORD = /\p{L}{4,}/gu;
/** Words exchanged for another of the corpus (drawn as often as it stands there), and words made new in each copy. */
const SWAPPED = 0.15;
const COINED = 0.03;
const SYLLABLES = ['ba', 'de', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va', 'ze'];

/** Every Markdown file at or below the folders, in path order, links left alone. */
export function readPages(folders: readonly string[]): Page[] {
  return folders.flatMap((folder, at) =>
    filesBelow(folder).map((file) => {
      const text = readFileSync(file, 'utf8');
      return { path: join(`source-${at}`, relative(folder, file)), text, sections: countSections(text) };
    }),
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === '.git' ? [] : filesBelow(path);
      return entry.isFile() && MARKDOWN.test(entry.name) && statSync(path).size <= MAX_BYTES ? [path] : [];
    });
}

/** As good as can be told without parsing: code fences hold lines that look like headings. */
function countSections(text: string): number {
  const prose = text.replace(
    /^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>[`~]*\s*$|$(?![\s\S]))/gmu,
    '',
  );
  return Math.max(1, prose.match(/^#{1,6} \S/gmu)?.length ?? 0);
}

/**
 * Writes copies of the pages until they hold about so many sections: the first copy as it is, the others with words
 * exchanged and coined, so that the vocabulary grows as that of a larger corpus does. The same for the same pages.
 */
export function writeCopies(pages: readonly Page[], folder: string, sections: number): number {
  const vocabulary = pages.flatMap((page) => page.text.match(WORD) ?? []);
  let written = 0;
  for (let copy = 0; written < sections; copy += 1) {
    for (const page of pages) {
      if (written >= sections) break;
      const file = join(folder, `copy-${copy}`, page.path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, copy === 0 ? page.text : perturb(page, copy, vocabulary));
      written += page.sections;
    }
  }
  return written;
}

function perturb(page: Page, copy: number, vocabulary: readonly string[]): string {
  const random = randomFrom(`${copy}:${page.path}`);
  return page.text.replace(WORD, (word) => {
    const chance = random();
    if (chance < SWAPPED) return vocabulary[Math.floor(random() * vocabulary.length)] ?? word;
    return chance < SWAPPED + COINED ? coined(word, copy) : word;
  });
}

/** The same word becomes the same new word throughout a copy. */
function coined(word: string, copy: number): string {
  const random = randomFrom(`${copy}:${word}`);
  const syllable = () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? '';
  return `${word.slice(0, 3)}${syllable()}${syllable()}`;
}

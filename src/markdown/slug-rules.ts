import GithubSlugger from 'github-slugger';
import type { AnchorRule } from '../core/config.ts';
import { inlineText } from './inline-text.ts';
import type { ParsedHeading } from './parsed.ts';

/** Gives one page's headings, in page order, their ids; empty for a heading that gets none. */
export type Slugger = (heading: ParsedHeading) => string;

/** Every rule there is; a new generator is one more line. */
const SLUGGERS: Readonly<Record<AnchorRule, () => Slugger>> = {
  github: githubSlugger,
  kramdown: kramdownSlugger,
};

export function createSlugger(rule: AnchorRule): Slugger {
  return SLUGGERS[rule]();
}

/** GitHub, Docusaurus and others: a repeated slug takes the next number that is free. */
function githubSlugger(): Slugger {
  const slugger = new GithubSlugger();
  return ({ text }) => slugger.slug(text);
}

const NOT_WORD = /[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- \t]/gu;

/** Kramdown with GFM input (Jekyll's default): a repeated slug is numbered by its own count, taken numbers or not. */
function kramdownSlugger(): Slugger {
  const seen = new Map<string, number>();
  return ({ source }) => {
    const slug = kramdownText(source).toLowerCase().replace(NOT_WORD, '').replace(/[ \t]/gu, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

/** Kramdown reads two or three hyphens outside code as a dash, which no id holds. */
function kramdownText(source: string): string {
  return inlineText(source, {
    definitions: NO_DEFINITIONS,
    footnotes: NO_FOOTNOTES,
    images: 'drop',
    onPlain: (text) => text.replace(/---?/gu, '–'),
  })
    .replace(/\s+/gu, ' ')
    .trim();
}

const NO_DEFINITIONS: ReadonlyMap<string, string> = new Map();
const NO_FOOTNOTES: ReadonlySet<string> = new Set();

import GithubSlugger from 'github-slugger';
import type { AnchorRule } from '../core/config.ts';
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
  return ({ rendered }) => slugger.slug(rendered);
}

const NOT_WORD = /[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- \t]/gu;

/**
 * Kramdown with GFM input (Jekyll's default): a repeated slug is numbered by its own count, taken numbers or not, and
 * hyphens it reads as a dash are in no id.
 */
function kramdownSlugger(): Slugger {
  const seen = new Map<string, number>();
  return ({ rendered, typographic }) => {
    const slug = (typographic ?? rendered).toLowerCase().replace(NOT_WORD, '').replace(/[ \t]/gu, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

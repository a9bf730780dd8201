import { nearest } from '../../src/config/nearest.ts';
import type { Section } from '../../src/core/document.ts';
import type { TruthLink } from './measure.ts';

/** The letters and digits of a heading or fragment, which every rule keeps. */
export function letters(text: string, tags: 'with tags' | 'without tags' = 'without tags'): string {
  return text
    .replace(/\?/gu, 'questionmark')
    .replace(tags === 'with tags' ? /&[a-z]+;/gu : /&[a-z]+;|<[^>]*>/gu, '')
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

const INCLUDES = /\{\{[<%] *(?:include|docs\/shared|module-mounts)|\[!INCLUDE|--8<--|^`{3}\{include\}/mu;

/**
 * Why no section of a page has the anchor of a link, as far as the site's own files tell. `elsewhere` gives the pages of
 * the site that have an anchor.
 */
export function explain(
  { fragment, rules, target, from }: TruthLink,
  sections: readonly Section[],
  elsewhere: (anchor: string) => readonly string[],
): string {
  const known = sections.flatMap(({ anchors }) => anchors);
  const wanted = letters(fragment);
  const same = known.find((anchor) => letters(anchor) === wanted && wanted !== '');
  if (same !== undefined) return `the page has \`${same}\`: the author's spelling fits no rule`;
  if (rules.length > 0) return `made by ${rules.join(', ')} only`;
  if (/(?:^|\/)tests?\//u.test(from)) return 'a test of links that lead nowhere';
  const source = sections.map(({ markdown }) => markdown).join('');
  if (INCLUDES.test(source)) return 'the words stand in a file that the generator includes from elsewhere';
  const term = source.split('\n').find((line) => !line.startsWith('#') && letters(line) === wanted);
  if (term !== undefined)
    return `a line of the page, not a heading: \`${term.trim().slice(0, 60)}\` has no id`;
  const others = elsewhere(fragment).filter((path) => path !== target);
  if (others.length > 0) return `stands on another page: ${others[0]}`;
  const near = nearest(fragment, known);
  if (near !== undefined) return `no such heading or id in the page's source; the nearest is \`${near}\``;
  const code = source.toLowerCase().includes(fragment.toLowerCase());
  if (code) return 'no such heading or id in the source of the page: the word stands in its text only';
  return 'no such heading, id or word in the source of the page';
}

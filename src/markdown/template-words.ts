import { kindWord } from './admonition-kinds.ts';
import { countLineEnds } from './line-index.ts';

const ARGUMENT =
  /\b(?<key>[a-z_-]+)\s*=\s*(?:"(?<double>[^"\\]*(?:\\.[^"\\]*)*)"|'(?<single>[^'\\]*(?:\\.[^'\\]*)*)')/giu;
/** Arguments whose values a reader of the site sees. */
const VISIBLE_ARGUMENTS = new Set([
  'title',
  'content',
  'text',
  'caption',
  'alt',
  'label',
  'heading',
  'header',
  'summary',
  'description',
]);
const CONTROL_TAGS =
  /^(?:assign|if|elsif|else|unless|case|when|for|capture|cycle|increment|decrement|end\w*|#)$/u;

/** The words of a tag's arguments that the page shows, on the lines where they stand. */
export function tagWords(name: string, tag: string): string {
  if (CONTROL_TAGS.test(name) || !(tag.includes('=') || name === 'tab')) return '';
  let words = '';
  let last = 0;
  for (const found of tag.matchAll(ARGUMENT)) {
    const value = found.groups?.['double'] ?? found.groups?.['single'] ?? '';
    if (!VISIBLE_ARGUMENTS.has(found.groups?.['key']?.toLowerCase() ?? '') || value === '') continue;
    words += '\n'.repeat(countLineEnds(tag.slice(last, found.index)));
    words += (words.trim() === '' ? '' : ': ') + value.replace(/\\(["'\\])/gu, '$1');
    last = found.index + found[0].length;
  }
  return words === '' && name === 'tab' ? tabLabel(tag) : words;
}

/** `{% tab group label of the tab %}` */
function tabLabel(tag: string): string {
  return (
    /^\{%-?\s*tab\s+\S+\s+(?<label>[\s\S]*?)\s*-?%\}$/u.exec(tag)?.groups?.['label']?.replace(/["']/gu, '') ??
    ''
  );
}

const SHORTCODE = /^\{\{[<%]\s*(?<close>\/)?\s*(?<name>[\w/.-]+)(?<rest>[\s\S]*?)\/?[%>]\}\}$/u;
const ESCAPED = /^\{\{(?<open>[<%])\/\*(?<inner>[\s\S]*?)\*\/[%>]\}\}$/u;
/** Headings that a site keeps in a table of words. */
const HEADINGS: Readonly<Record<string, string>> = {
  whatsnext: "What's next",
  prerequisites: 'Before you begin',
  cleanup: 'Clean up',
  seealso: 'See also',
};

/** The words that a Hugo shortcode shows of its arguments; one written to be seen is shown itself. */
export function shortcodeWords(tag: string): string {
  const escaped = ESCAPED.exec(tag)?.groups;
  if (escaped !== undefined) {
    return `{{${escaped['open']}${escaped['inner']}${escaped['open'] === '<' ? '>' : '%'}}}`.replace(
      /</gu,
      '&lt;',
    );
  }
  const found = SHORTCODE.exec(tag)?.groups;
  if (found === undefined || found['close'] !== undefined) return '';
  const name = found['name'] ?? '';
  const rest = found['rest'] ?? '';
  const first = /^\s*"(?<word>[^"]+)"/u.exec(rest)?.groups?.['word'];
  if (name === 'heading' && first !== undefined) return HEADINGS[first] ?? first.replace(/[-_]/gu, ' ');
  return tagWords('', tag) || wordsByName(name, rest, first);
}

function wordsByName(name: string, rest: string, first: string | undefined): string {
  if (name === 'tab') return /\bname\s*=\s*"(?<label>[^"]+)"/u.exec(rest)?.groups?.['label'] ?? first ?? '';
  if (name.startsWith('glossary') && !name.endsWith('definition')) {
    return /\bterm_id\s*=\s*"(?<term>[^"]+)"/u.exec(rest)?.groups?.['term']?.replace(/-/gu, ' ') ?? '';
  }
  return kindWord(name);
}

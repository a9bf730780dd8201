/** HTML inside Markdown as a reader sees it: the words, without the tags. */

const ELEMENTS: ReadonlySet<string> = new Set(
  `a abbr acronym address area article aside audio b base bdi bdo big blockquote body br button canvas caption
  center cite code col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption
  figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd
  label legend li link main map mark menu meta meter nav noscript object ol optgroup option output p param picture
  pre progress q rp rt ruby s samp script section select slot small source span strike strong style sub summary
  sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr`.split(
    /\s+/u,
  ),
);
const TAG = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)(?=[\s/>])[^<>]*>/u;
const BLOCKS = /^(?:p|div|li|tr|h[1-6]|dt|dd|ul|ol|table|details|summary|section|blockquote|figure|pre|hr)$/u;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
/** Longest tag looked at; what is longer is shown as text. */
const TAG_MAX_LENGTH = 4000;

/**
 * The text of an HTML fragment. Tags of HTML's own elements, comments, scripts and styles go; anything else in
 * angle brackets is a placeholder somebody forgot to escape (`<certname>`) and stays. Block elements and `<br>`
 * end the line. One pass, linear in the text.
 */
export function textOfHtml(html: string): string {
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    text += html.slice(at, open);
    const { end, shown } = readMarkup(html, open);
    text += shown;
    at = end;
  }
  return decodeEntities(text + html.slice(at));
}

/** What the markup that begins at `open` shows, and where it ends. */
function readMarkup(html: string, open: number): { readonly end: number; readonly shown: string } {
  if (html.startsWith('<!--', open)) return { end: after(html, '-->', open + 4), shown: '' };
  const tag = TAG.exec(html.slice(open, open + TAG_MAX_LENGTH));
  const name = (tag?.[2] ?? '').toLowerCase();
  if (tag === null || !ELEMENTS.has(name)) return { end: open + 1, shown: '<' };
  const end = open + tag[0].length;
  if (tag[1] === '' && (name === 'script' || name === 'style')) {
    return { end: after(html, `</${name}`, end), shown: '' };
  }
  return { end, shown: name === 'br' || BLOCKS.test(name) ? '\n' : '' };
}

/** A missing end takes the rest of the text, as in a browser. */
function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  if (found === -1) return html.length;
  return mark.startsWith('</') ? found : found + mark.length;
}

function decodeEntities(text: string): string {
  return text.replace(/&([a-z]+);/gu, (whole, name: string) => ENTITIES[name] ?? whole);
}

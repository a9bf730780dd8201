import { idsOfTag } from './html-tags.ts';
import { htmlText } from './html-text.ts';
import type { PageSource } from './page-source.ts';
import type { Rule } from './site.ts';

const HEADING = /^<h(?<level>[1-6])(?=[\s>])(?<attributes>[^<>]*)>(?<words>.*?)<\/h\k<level>\s*>\s*$/isu;
/** Lines that such a heading may take. */
const MAX_LINES = 4;
const MAX_SOURCE = 2000;
const PLAIN_ID = /^[^\s{}#"'=]+$/u;

/**
 * `<h2 id="x">Words</h2>` in place of a paragraph heads a section: people link to it. One without an id stays text, as
 * it stands in boxes and tables more often than over a part of the page.
 */
export const htmlHeadingRule: Rule = (site, line, at) => {
  if (!/^<h[1-6]\s/iu.test(at.text) || (site.lines[line - 1] ?? '').trim() !== '') return undefined;
  let html = at.text;
  let end = line + 1;
  while (!/<\/h[1-6]\s*>/iu.test(html) && end < line + MAX_LINES) {
    html += `\n${(site.lines[end] ?? '').slice(0, MAX_SOURCE)}`;
    end += 1;
  }
  const { level = '', attributes = '', words = '' } = HEADING.exec(html)?.groups ?? {};
  const [id] = idsOfTag({ name: 'h1', attributes, close: false });
  const text = words.replace(/\s+/gu, ' ').trim();
  if (id === undefined || !PLAIN_ID.test(id) || text === '') return undefined;
  site.write(line, at, `${'#'.repeat(Number(level))} ${text} {#${id}}`);
  site.blank(line + 1, end);
  return end;
};

/** The words of an `<h1>` before the first heading in Markdown: how many a README names its project. */
export function htmlTitle({ scan, lines }: PageSource): string | undefined {
  for (const { kind, first, end } of scan.blocks) {
    if (kind === 'heading') return undefined;
    if (kind !== 'html') continue;
    const html = lines
      .slice(first, Math.min(end, first + MAX_TITLE_LINES))
      .join('\n')
      .slice(0, MAX_TITLE_SOURCE);
    const words = /<h1(?:\s[^<>]*)?>(?<words>.*?)<\/h1\s*>/isu.exec(html)?.groups?.['words'];
    const title =
      words === undefined
        ? ''
        : htmlText(words, () => undefined)
            .replace(/\s+/gu, ' ')
            .trim();
    if (title !== '' && !html.trimStart().startsWith('<!--')) return title;
  }
  return undefined;
}

const MAX_TITLE_LINES = 40;
const MAX_TITLE_SOURCE = 4000;

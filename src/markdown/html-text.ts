import { decodeEntity } from './block-scan.ts';
import { idsOfTag, TAG, type Tag, textOfTag } from './html-tags.ts';
import { countLineEnds } from './line-index.ts';

/** The words of HTML that is not read as Markdown (`<pre>`): tags and comments gone, entities decoded. */
export function htmlText(html: string, onId: (id: string, line: number) => void): string {
  let text = '';
  let copied = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', Math.max(at + 1, copied))) {
    const end = html.startsWith('<!--', at) ? html.indexOf('-->', at) + 3 : tagEnd(html, at, onId);
    if (end <= at + 2) continue;
    text += html.slice(copied, at) + '\n'.repeat(countLineEnds(html.slice(at, end)));
    copied = end;
  }
  return (text + html.slice(copied)).replace(/&#?\w{1,32};/gu, (entity) =>
    decodeEntity(entity).replace(/\n/gu, ' '),
  );
}

/** Offset after the tag at `start`; `start` when there is none. */
function tagEnd(html: string, start: number, onId: (id: string, line: number) => void): number {
  TAG.lastIndex = start;
  const found = TAG.exec(html);
  const name = found?.groups?.['name'];
  if (found === null || name === undefined) return start;
  const tag: Tag = {
    name,
    attributes: found.groups?.['attributes'] ?? '',
    close: found.groups?.['close'] !== undefined,
  };
  if (textOfTag(tag) === undefined) return start;
  for (const id of idsOfTag(tag)) onId(id, countLineEnds(html.slice(0, start)));
  return start + found[0].length;
}

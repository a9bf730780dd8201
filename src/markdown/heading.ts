import { cutAttributes } from './attribute-list.ts';
import { inlineText } from './inline-text.ts';
import type { Page } from './page-source.ts';
import { hasTemplateTags, maskTemplateTags } from './template-tags.ts';
import { stripInvisible } from './visible-characters.ts';

export interface RenderedHeading {
  readonly text: string;
  readonly source: string;
  /** Ids the heading itself carries, those that take the slug's place first. */
  readonly ids: readonly string[];
  readonly replacesSlug: boolean;
  /** Never empty: what people see where the heading has no words. */
  readonly label: string;
  readonly links: readonly string[];
}

/** Longest label, in UTF-16 units: a whole paragraph over `---` is a heading too. */
const MAX_LABEL = 400;

/** A heading's inline Markdown as its reader sees it. */
export function renderHeading(content: string, level: number, page: Page): RenderedHeading {
  const plain = hasTemplateTags(content) ? maskTemplateTags(content, []).text : content;
  const { text: source, ids: attributeIds } = cutAttributes(plain);
  const tagIds: string[] = [];
  const links: string[] = [];
  const context = {
    definitions: page.definitions,
    footnotes: page.footnotes,
    onId: (id: string) => tagIds.push(id),
    onLink: (target: string) => links.push(target),
  };
  const text = oneLine(inlineText(source, { ...context, images: 'drop' }));
  return {
    text,
    source: source.trim(),
    ids: [...new Set([...attributeIds, ...tagIds])],
    replacesSlug: attributeIds.length > 0,
    label: cap(
      text ||
        oneLine(inlineText(source, { ...context, images: 'alt' })) ||
        source.trim() ||
        '#'.repeat(level),
    ),
    links,
  };
}

function oneLine(text: string): string {
  return stripInvisible(text).replace(/\s+/gu, ' ').trim();
}

function cap(text: string): string {
  if (text.length <= MAX_LABEL) return text;
  const cut = text.slice(0, MAX_LABEL);
  return `${/[\uD800-\uDBFF]$/u.test(cut) ? cut.slice(0, -1) : cut}…`;
}

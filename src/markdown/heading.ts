import { cutAttributeLines, cutAttributes } from './attribute-list.ts';
import type { InlineContext } from './inline-context.ts';
import { inlineText } from './inline-text.ts';
import type { Page } from './page-source.ts';
import { hasTemplateTags, maskTemplateTags } from './template-tags.ts';
import { stripInvisible } from './visible-characters.ts';

export interface RenderedHeading {
  readonly text: string;
  readonly rendered: string;
  readonly typographic?: string;
  /** Without attribute lists, otherwise as written. */
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
  const above = cutAttributeLines(plain);
  const { text: source, ids: ownIds } = cutAttributes(above.text);
  const attributeIds = [...ownIds, ...above.ids];
  const tagIds = [...above.labels];
  const links: string[] = [];
  const rendered = read(source, page, {
    onId: (id) => tagIds.push(id),
    onLink: (target) => links.push(target),
  });
  const text = oneLine(source.includes('<') ? read(source, page, { tags: 'words' }) : rendered);
  return {
    text,
    rendered,
    source,
    ...typographicText(source, rendered, page),
    ids: [...new Set([...attributeIds, ...tagIds])],
    replacesSlug: attributeIds.length > 0,
    label: cap(text || oneLine(read(source, page, { images: 'alt' })) || source.trim() || '#'.repeat(level)),
    links,
  };
}

/** Kramdown and other typographers read two or three hyphens as a dash. */
function typographicText(source: string, rendered: string, page: Page): { typographic?: string } {
  if (!source.includes('--')) return {};
  const onPlain = (text: string): string => text.replace(/---?/gu, '–');
  const typographic = read(source, page, { onPlain });
  return typographic === rendered ? {} : { typographic };
}

/** As slugs are made from it, unless `changes` say otherwise. */
function read(source: string, page: Page, changes: Partial<InlineContext>): string {
  const { definitions, footnotes } = page;
  return stripInvisible(
    inlineText(source, { definitions, footnotes, images: 'drop', tags: 'drop', ...changes }),
  );
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function cap(text: string): string {
  if (text.length <= MAX_LABEL) return text;
  const cut = text.slice(0, MAX_LABEL);
  return `${/[\uD800-\uDBFF]$/u.test(cut) ? cut.slice(0, -1) : cut}…`;
}

import { isComponent, wordsOfProps } from './jsx-tag.ts';

/** A tag or closing tag with its attributes (HTML, JSX and Vue spellings), at `lastIndex`. */
export const TAG =
  /<(?<close>\/)?(?<name>[A-Za-z][\w.:-]*)(?<attributes>(?:\s+[A-Za-z_:@#][^\s"'=<>`]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}|[^\s"'=<>`{}]+))?)*)\s*\/?>/uy;

const ID =
  /\s(?<key>id|name)\s*=\s*(?:\{\s*)?(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|`(?<template>[^`$]*)`|(?<bare>[^\s"'=<>`{}]+))/giu;
const ALT = /\salt\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/iu;

export interface Tag {
  readonly name: string;
  readonly attributes: string;
  readonly close: boolean;
}

/** Ids that a fragment link can name: any element's `id`, and the `name` of an `<a>`. */
export function idsOfTag(tag: Tag): string[] {
  if (tag.close || !/\s(?:id|name)\s*=/iu.test(tag.attributes)) return [];
  const ids: string[] = [];
  for (const found of tag.attributes.matchAll(ID)) {
    const isName = found.groups?.['key']?.toLowerCase() === 'name';
    const { double, single, template, bare } = found.groups ?? {};
    const id = double ?? single ?? template ?? bare ?? '';
    if ((!isName || tag.name.toLowerCase() === 'a') && id !== '' && !/\s/u.test(id)) ids.push(id);
  }
  return [...new Set(ids)];
}

/** What a reader sees in place of a tag; undefined when `<word>` is no tag but a placeholder for a word. */
export function textOfTag(tag: Tag): string | undefined {
  const name = tag.name.toLowerCase();
  if (name === 'img' && !tag.close) {
    const alt = ALT.exec(tag.attributes)?.groups;
    return alt?.['double'] ?? alt?.['single'] ?? '';
  }
  if (INLINE.has(name)) return '';
  if (BLOCK.has(name)) return ' ';
  if (isPlaceholder(tag)) return undefined;
  const words = tag.close || !isComponent(tag.name) ? '' : wordsOfProps(tag.name, tag.attributes);
  return words === '' ? '' : `${words} `;
}

/** Elements that stand as blocks of their own. */
export function isBlockTag(name: string): boolean {
  return BLOCK.has(name.toLowerCase());
}

/** `<NAME>`, `<certname>`, `<file_name>`: no attributes, no element anybody knows, not spelt like a component. */
function isPlaceholder(tag: Tag): boolean {
  if (tag.attributes.trim() !== '' || tag.close) return false;
  const component = /^[A-Z]/u.test(tag.name) && /[a-z]/u.test(tag.name);
  return !component && !tag.name.includes('.') && !OTHER.has(tag.name.toLowerCase());
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

const INLINE = words(
  'a abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr',
);
const BLOCK = words(
  'address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol optgroup option p picture pre search section select source summary table tbody td template textarea tfoot th thead title tr ul',
);
const OTHER = words(
  'area audio base basefont button canvas circle defs embed frame frameset g iframe input line link map meta meter noframes noscript object output param path polygon polyline progress rect rp rt ruby script slot style svg text track use video',
);

import type { RemovedCitation } from '../core/answer.ts';
import type { OpenedSection } from '../core/knowledge.ts';
import { formatAddress, isRef, REF_LENGTH, type Ref } from '../core/ref.ts';
import { type CitedName, parseGroup, type ShownNames } from './citations.ts';
import type { Evidence } from './evidence.ts';
import { type InlineRules, rewriteUntilStable, trimUrl } from './inline.ts';
import { mark } from './marks.ts';

/** Collected while the blocks of an answer are cleaned. */
export interface Findings {
  /** Cited refs, all of them shown; a mark in the text is an index into this list. */
  readonly refs: Ref[];
  readonly removed: RemovedCitation[];
  readonly notes: string[];
  /** Refs that only a list of sources at the end cited. */
  readonly ownSources: Ref[];
}

interface Context {
  readonly evidence: Evidence;
  readonly opened: ReadonlyMap<Ref, OpenedSection>;
  readonly findings: Findings;
  /** Whether the knowledge base has such a section, shown or not. */
  readonly exists: (address: string) => boolean;
}

/** `[^id]: words`: a source of the model's own, whatever the words. */
export function isFootnote(text: string): boolean {
  return /^\s*\[\^[^\]\n]{1,100}\]:/u.test(text);
}

/** `[id]: target`, which would make every `[id]` of the text a link; one or several lines of it. */
export function isDefinition(text: string): boolean {
  return isOneDefinition(text) || text.split('\n').every(isOneDefinition);
}

function isOneDefinition(text: string): boolean {
  return /^\s*\[[^\]]+\]:\s*(?:<|[a-z][a-z0-9+.-]*:|www\.|[/.#])\S*(?:\s+["'(].*)?$/isu.test(text);
}

/** Rewrites the words of a block: citations to marks, everything that could pass for a source to plain words. */
export function cleanBlock(given: Omit<Context, 'exists'>): (text: string, isRow: boolean) => string {
  const context: Context = {
    ...given,
    exists: memoised((address) => given.evidence.knowledge.open(address).status === 'found'),
  };
  const { findings } = context;
  const names = shownNames(context);
  const urls = shownUrls(context);
  const mayStay = (url: string): boolean => /^https?:\/\/\S+$/iu.test(url) && urls().has(urlKey(url));
  const rules: Omit<InlineRules, 'isRow'> = {
    harden: true,
    group: (inner) => {
      const cited = parseGroup(inner, names);
      if (cited?.some(({ path }) => path !== undefined && isSaid(inner.trim(), context)) === true)
        return undefined;
      return cited?.map((name) => resolve(name, context)).join('');
    },
    hash: (name, after) => {
      const ref = name.toLowerCase();
      return isRef(ref) && isCited(ref, after, context)
        ? resolve({ text: `#${name}`, ref }, context)
        : undefined;
    },
    marker: (text) => {
      findings.removed.push({ text, reason: 'malformed' });
      return '';
    },
    tag: () => '\\<',
    image: (alt, target) => {
      findings.notes.push(`an image was reduced to its words: ${target.slice(0, 200)}`);
      return alt;
    },
    link: (label, target) => rewriteLink({ label, target, mayStay, names }, context),
    url: (url) => {
      if (mayStay(url)) return `<${url}>`;
      findings.notes.push(`an address that no section holds was made inert: ${url.slice(0, 200)}`);
      return `\`${url.replaceAll('`', '')}\``;
    },
  };
  return (text, isRow) => rewriteUntilStable(text, { ...rules, isRow });
}

function rewriteLink(
  link: {
    readonly label: string;
    readonly target: string;
    readonly mayStay: (url: string) => boolean;
    readonly names: ShownNames;
  },
  context: Context,
): string | undefined {
  const { label, target, mayStay, names } = link;
  const name = target.replace(/^#/u, '').toLowerCase();
  const ref =
    target.startsWith('#') || isRef(name) || target.includes('#')
      ? (names(name) ?? names(target))
      : undefined;
  if (ref !== undefined) {
    // `[1](#abc234)`: the number is the model's own.
    const words = /\p{L}/u.test(label) ? label : '';
    return `${words}${resolve({ text: `(${target})`, ref }, context)}`;
  }
  if (target.startsWith('#')) {
    // An anchor of some page rather than a ref when it reads like words.
    const cited = isRef(name) && (name.length <= 8 || /\d/u.test(name));
    if (cited) return `${label}${resolve({ text: `(${target})`, ref: name }, context)}`;
  } else if (mayStay(target) && /\p{L}/u.test(label) && !/[[\]<`]|:\/\/|www\./iu.test(label)) {
    return undefined;
  }
  if (!/[^\p{N}\s]/u.test(label)) {
    context.findings.removed.push({ text: `[${label}](${target.slice(0, 200)})`, reason: 'malformed' });
    return '';
  }
  context.findings.notes.push(`a link was reduced to its words: ${target.slice(0, 200)}`);
  return label;
}

/**
 * Whether `#name` without brackets is a citation: a section has that ref, or it could be nothing else. Hexadecimal
 * digits are a colour, and what a shown section says is its own. A name of letters alone may be a word (`#define x`):
 * it is a citation where one stands, at the end of a sentence or beside another.
 */
function isCited(ref: Ref, after: string, context: Context): boolean {
  if (context.opened.has(ref) || context.exists(ref)) return true;
  if (/^(?:[\da-f]{6}|[\da-f]{8})$/u.test(ref) || isSaid(`#${ref}`, context)) return false;
  return /[2-7]/u.test(ref) || (ref.length === REF_LENGTH && CITED_PLACE.test(after));
}

const CITED_PLACE = /^[ \t]*(?:$|\n|\||[.,;!?)\]](?:\s|$)|[([]?#|\ue000)/u;

function isSaid(text: string, { evidence }: Context): boolean {
  return [...evidence.shown.values()].some((said) => said.toLowerCase().includes(text.toLowerCase()));
}

/** A mark for a section that was shown; nothing, and a report, for any other. */
function resolve(name: CitedName, context: Context): string {
  const { ref, text } = name;
  const { opened, findings } = context;
  if (ref !== undefined && opened.has(ref)) {
    findings.refs.push(ref);
    return mark(findings.refs.length - 1);
  }
  findings.removed.push({ text, reason: reasonFor(ref ?? name.path, context) });
  return '';
}

function reasonFor(address: string | undefined, { exists }: Context): RemovedCitation['reason'] {
  if (address === undefined) return 'malformed';
  return exists(address) ? 'not-shown' : 'unknown';
}

/** A text is cleaned in several rounds, and may name the same section a thousand times. */
function memoised(look: (address: string) => boolean): (address: string) => boolean {
  const known = new Map<string, boolean>();
  return (address) => {
    const found = known.get(address) ?? look(address);
    known.set(address, found);
    return found;
  };
}

function shownNames({ opened }: Context): ShownNames {
  const names = new Map<string, Ref>();
  for (const [ref, { section }] of opened) {
    names.set(ref, ref);
    for (const anchor of section.anchors) {
      const address = formatAddress({ kind: 'path', path: section.path, anchor });
      names.set(address, ref);
      names.set(address.toLowerCase(), ref);
    }
  }
  return (name) => names.get(name);
}

/** Addresses a reader could find in the shown sections; made when the first link asks. */
function shownUrls({ evidence, opened }: Context): () => ReadonlySet<string> {
  let urls: Set<string> | undefined;
  return () => {
    if (urls !== undefined) return urls;
    urls = new Set<string>();
    for (const [ref, { url }] of opened) {
      if (url !== undefined) urls.add(urlKey(url));
      for (const found of (evidence.shown.get(ref) ?? '').matchAll(/https?:\/\/[^\s<>"'`)\]|]+/giu)) {
        urls.add(urlKey(trimUrl(found[0])));
      }
    }
    return urls;
  };
}

function urlKey(url: string): string {
  return url.replace(/\/$/u, '').replace(/^https?:\/\/[^/?#]*/iu, (origin) => origin.toLowerCase());
}

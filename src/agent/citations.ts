import { isRef, type Ref } from '../core/ref.ts';
import { blockText, splitBlocks } from './blocks.ts';
import { rewriteInline } from './inline.ts';

/** One name inside a citation as the model wrote it. */
export interface CitedName {
  readonly text: string;
  /** Absent when the name could not be any section's. */
  readonly ref?: Ref;
  /** `docs/a.md#anchor` or `docs/a.md:3-9` that no shown section is named by. */
  readonly path?: string;
}

/** Finds the ref of a name (`abc234` or `docs/a.md#anchor`) among the sections shown; undefined for all others. */
export type ShownNames = (name: string) => Ref | undefined;

const LEAD = /^(?:see|refs?|sources?|sections?|cf)\b[.:]?\s*/iu;
/** A file of Markdown with an anchor or lines, the way sources are named to people. */
const PATH = /^([^\s#:]+\.(?:md|mdx|markdown|mdown|mkd)(?:#\S*)?)(?:(?<=#\S*)|:\d+(?:-\d+)?)$/iu;
const FOOTNOTE = /^\^(?=.*\p{L})[\p{L}\p{N}_-]{1,40}$/u;
const NAME = /^[A-Za-z0-9_-]{4,60}$/u;

export function formatCitation(ref: Ref): string {
  return `(#${ref})`;
}

/**
 * Reads what stands between two brackets: `#abc234`, `#abc234, #def567`, `see #abc234`, in any case.
 * Names without `#` and `path#anchor` count only where they name a shown section, so that ordinary words in
 * brackets stay words. Undefined when this is no citation.
 */
export function parseGroup(inner: string, shown: ShownNames): readonly CitedName[] | undefined {
  const text = readable(inner, shown);
  if (text === '') return undefined;
  const whole = text.includes('#') && !text.startsWith('#') ? shown(text) : undefined;
  if (whole !== undefined) return [{ text, ref: whole }];
  const path = PATH.exec(text)?.[1];
  if (path !== undefined) return [{ text, path }];
  if (FOOTNOTE.test(text)) {
    const ref = shown(text.slice(1).toLowerCase());
    return [{ text: `[${text}]`, ...(ref === undefined ? {} : { ref }) }];
  }
  const names = text
    .replace(LEAD, '')
    .split(/[\s,;&]+(?:and\s+)?/u)
    .filter((name) => name !== '' && !/^(?:see|also|and|cf\.?|refs?:?)$/iu.test(name));
  if (names.length === 0) return undefined;
  const parsed = names.map((name) => parseName(name, shown));
  return parsed.every((name) => name !== undefined) ? parsed : undefined;
}

/** Without what is not seen once it is rendered, and without a blank behind the sign where a ref follows. */
function readable(inner: string, shown: ShownNames): string {
  const text = inner.replace(/＃/gu, '#').trim();
  if (!text.includes('#')) return text;
  return text
    .replace(/[*~\\\p{Cf}]/gu, '')
    .replace(/#\s+([A-Za-z2-7]{6,52})(?![\p{L}\p{N}])/gu, (all, name: string) =>
      /[2-7]/u.test(name) || shown(name.toLowerCase()) !== undefined ? `#${name}` : all,
    );
}

function parseName(name: string, shown: ShownNames): CitedName | undefined {
  const bare = name.startsWith('#') ? name.slice(1) : name;
  const lower = bare.toLowerCase();
  const known = shown(lower);
  if (known !== undefined) return { text: name, ref: known };
  // `(#1234)` is how people name issues, and a plain word in brackets is a word.
  if (!name.startsWith('#') || !NAME.test(bare) || (/^\d+$/u.test(bare) && !isRef(lower))) return undefined;
  return isRef(lower) ? { text: name, ref: lower } : { text: name };
}

/** The refs a text cites, in order, code left out. Every well-formed ref counts, whoever it names. */
export function parseCitations(markdown: string): readonly Ref[] {
  const refs: Ref[] = [];
  for (const block of splitBlocks(markdown)) {
    if (block.kind !== 'text') continue;
    rewriteInline(blockText(block), {
      isRow: block.form === 'row',
      group: (inner) => {
        const names = parseGroup(inner, () => undefined);
        for (const name of names ?? []) if (name.ref !== undefined) refs.push(name.ref);
        return undefined;
      },
      link: (_label, target) => {
        const ref = target.startsWith('#') ? target.slice(1) : '';
        if (isRef(ref)) refs.push(ref);
        return undefined;
      },
    });
  }
  return refs;
}

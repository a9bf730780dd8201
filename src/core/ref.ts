import { hash } from 'node:crypto';

declare const brand: unique symbol;
type Brand<Name extends string> = string & { readonly [brand]: Name };

/** Path of a document relative to the knowledge-base file, with forward slashes: `docs/install.md`. */
export type DocPath = Brand<'DocPath'>;

/**
 * Names one section: 6 or more characters from `a-z2-7`. Cheap for a small model to copy, and an invented
 * one almost never exists.
 */
export type Ref = Brand<'Ref'>;

export const REF_LENGTH = 6;

/** Longest a ref can grow when shorter ones are taken: the whole SHA-256 in base32. */
const REF_MAX_LENGTH = 52;
const REF = /^[a-z2-7]{6,52}$/u;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

export function isRef(text: string): text is Ref {
  return REF.test(text);
}

/** What a section is named by. Its text is not part of it, so a ref survives edits and re-ingests. */
export interface SectionName {
  readonly path: string;
  readonly headings: readonly string[];
  /** 0 for the first section of this document with this heading path, 1 for the second, … */
  readonly occurrence: number;
}

/** The shortest free ref of a section; `isTaken` says which refs other sections hold. */
export function makeRef(name: SectionName, isTaken: (ref: Ref) => boolean): Ref {
  const key = JSON.stringify([name.path.normalize('NFC'), name.headings, name.occurrence]);
  const bytes = hash('sha256', key, 'buffer');
  for (let length = REF_LENGTH; length <= REF_MAX_LENGTH; length += 1) {
    const ref = base32(bytes, length) as Ref;
    if (!isTaken(ref)) return ref;
  }
  throw new Error(`no free ref for ${name.path}: the same section was named twice`);
}

/** The first `length` digits of bytes in base 32, five bits each, the last filled up with zeros. */
function base32(bytes: Uint8Array, length: number): string {
  let text = '';
  for (let digit = 0; digit < length; digit += 1) {
    const bit = digit * 5;
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0);
    text += BASE32[(pair >> (11 - (bit & 7))) & 31];
  }
  return text;
}

/** How a person or a model points at a section: by ref, or by document path and anchor. */
export type Address =
  | { readonly kind: 'ref'; readonly ref: Ref }
  | { readonly kind: 'path'; readonly path: string; readonly anchor?: string };

/** Reads `abc234`, `(#abc234)`, `#abc234`, `docs/a.md` or `docs/a.md#anchor`; undefined for blank text. */
export function parseAddress(text: string): Address | undefined {
  const trimmed = text.trim();
  const bare = trimmed.replace(/^\(?#([a-z2-7]+)\)?$/u, '$1');
  if (isRef(bare)) return { kind: 'ref', ref: bare };
  if (trimmed === '') return undefined;
  const hash = trimmed.indexOf('#');
  if (hash === -1) return { kind: 'path', path: unescapePath(trimmed) };
  const path = unescapePath(trimmed.slice(0, hash));
  const anchor = trimmed.slice(hash + 1);
  return anchor === '' ? { kind: 'path', path } : { kind: 'path', path, anchor };
}

/** Inverse of {@link parseAddress}. A `#` or `%` of a file name is percent-encoded so that it stays part of the path. */
export function formatAddress(address: Address): string {
  if (address.kind === 'ref') return address.ref;
  const path = escapePath(address.path);
  return address.anchor === undefined ? path : `${path}#${address.anchor}`;
}

/** Also guards leading and trailing blanks and the few names that would read as a ref. */
function escapePath(path: string): string {
  const escaped = path.replace(/[#%]|^\s|\s$/gu, encodeURIComponent);
  return isRef(escaped) || escaped.startsWith('./') ? `./${escaped}` : escaped;
}

function unescapePath(text: string): string {
  const path = text.startsWith('./') ? text.slice(2) : text;
  return path.replace(/(?:%[0-9a-f]{2})+/giu, decodeWhereValid);
}

function decodeWhereValid(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes; // bytes that are no UTF-8: a name with a % that was typed as it is
  }
}

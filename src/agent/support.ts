import type { Unsupported } from '../core/answer.ts';
import { replaceMarks } from './marks.ts';
import { plainText } from './plain.ts';
import { QuantitySet, quantitiesIn } from './quantities.ts';

/** Something a sentence says that can be looked up in the sections it cites. */
export interface Claim {
  readonly kind: Unsupported['kind'];
  readonly text: string;
}

/** Words of a quotation from which it must be found; shorter ones are names and scare quotes. */
const QUOTE_WORDS = 3;
const CODE = /(?<![`\\])(`+)(?!`)([\s\S]*?)(?<!`)\1(?!`)/gu;
/** Straight single quotes and `’` are apostrophes inside a word. */
const QUOTE = new RegExp(
  [
    '“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«|‹([^‹›]+)›|「([^「」]+)」|『([^『』]+)』',
    String.raw`(?<![\p{L}\p{N}])"([^"]+)"`,
    String.raw`‘((?:[^‘’]|(?<=\p{L})’(?=\p{L}))+)’(?!\p{L})`,
    String.raw`(?<![\p{L}\p{N}])'((?:[^']|(?<=\p{L})'(?=\p{L}))+)'(?![\p{L}\p{N}])`,
  ].join('|'),
  'gu',
);
const LIST_NUMBER = /^\s*(?:(?:step|option|part)\s+)?\d{1,3}\s*[.):]\s+|^\s*\(\d{1,2}\)\s+/iu;

/**
 * What a sentence claims word for word: code spans, quotations of three words or more, identifiers, numbers.
 * Each part of the text is taken once, in that order. Hyphenated plain words are no identifiers, and a number in
 * words is not looked up, because neither can be told from prose.
 */
export function claimsOf(sentence: string): readonly Claim[] {
  const claims: Claim[] = [];
  let rest = replaceMarks(sentence, () => ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(LIST_NUMBER, ' ');
  rest = rest.replace(CODE, (_all, _run: string, content: string) => {
    if (/[\p{L}\p{N}]/u.test(content)) claims.push({ kind: 'code', text: content.trim() });
    return ' ';
  });
  // The tags of a checked answer are escaped; what stands between them is claimed all the same.
  rest = plainText(rest.replace(/\\(?=<)/gu, '').replace(/<br[ /]*>/giu, ' '));
  rest = rest.replace(QUOTE, (all, ...groups: unknown[]) => {
    const quoted = groups.slice(0, -2).find((group) => typeof group === 'string') as string | undefined;
    if (quoted === undefined || wordCount(quoted) < QUOTE_WORDS) return all;
    claims.push({ kind: 'quote', text: quoted.trim() });
    return ' ';
  });
  rest = rest.replace(/[^\s,;()[\]{}"“”„«»]+/gu, (token) => {
    const word = token.replace(/^['’]+|[.:!?…'’]+$/gu, '');
    if (!isIdentifier(word)) return token;
    claims.push({ kind: 'identifier', text: word });
    return ' ';
  });
  for (const quantity of quantitiesIn(rest.normalize('NFKC')))
    claims.push({ kind: 'number', text: quantity.text });
  return claims;
}

function wordCount(text: string): number {
  const wide = text.match(/[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]/gu)?.length ?? 0;
  return (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) + Math.floor(wide / 2);
}

/** A word no prose would spell like that: `a_b`, `a::b`, `--flag`, `/etc/x`, `a.conf`, `camelCase`, `sha256`, `$var`. */
function isIdentifier(word: string): boolean {
  if (!/\p{L}/u.test(word) || /^[vV]?\d[\d.,:]*\p{L}{0,12}$/u.test(word)) return false;
  return (
    /[\p{L}\p{N}]_[\p{L}\p{N}]|::|:\/\//u.test(word) ||
    /^--?[\p{L}][\p{L}\p{N}]/u.test(word) ||
    /^[$@%][\p{L}_{]/u.test(word) ||
    isPathLike(word) ||
    /\p{Ll}\p{Lu}/u.test(word) ||
    /^\p{L}[\p{L}-]*\p{Nd}[\p{L}\p{N}.-]*$/u.test(word)
  );
}

function isPathLike(word: string): boolean {
  const parts = word.split(/[./\\]/u).filter((part) => part !== '');
  if (/^(?:~|\.{1,2})?[/\\]\p{L}/u.test(word) || /^[A-Za-z]:\\/u.test(word)) return true;
  if (/^\.\p{L}[\p{L}\p{N}_-]+$/u.test(word)) return true;
  const dotted = /[\p{L}\p{N}_-]\.[\p{L}\p{N}_-]/u.test(word);
  return dotted && parts.some((part) => part.length > 1);
}

/** Text that claims are looked up in, made once for all sentences that cite the same sections. */
export class SupportText {
  readonly #exact: string;
  readonly #plain: string;
  readonly #quantities: QuantitySet;

  /** @param source Markdown of the sections, their headings, paths and addresses. */
  constructor(source: string) {
    this.#exact = normalise(source);
    this.#plain = plainWords(source);
    this.#quantities = new QuantitySet(`${source}\n${this.#plain}`.normalize('NFKC'));
  }

  supports(claim: Claim): boolean {
    switch (claim.kind) {
      case 'number':
        return this.#hasNumber(claim.text);
      case 'quote':
        return this.#holdsQuote(claim.text);
      case 'identifier':
        return this.#holds(claim.text) || this.#holds(claim.text.replace(/\(\)$|^v(?=\d)/u, ''));
      case 'code':
        return this.#holdsCode(claim.text);
    }
  }

  /** The pieces in the order quoted: turned round they say something else. */
  #holdsQuote(text: string): boolean {
    const pieces = quotePieces(text);
    if (pieces.length < 2) return pieces.every((piece) => this.#holds(piece));
    return inOrder(this.#exact, pieces.map(normalise)) || inOrder(this.#plain, pieces.map(plainWords));
  }

  #hasNumber(text: string): boolean {
    const quantities = quantitiesIn(text.normalize('NFKC'));
    if (quantities.every((quantity) => this.#quantities.has(quantity))) return true;
    const parts = quantitiesIn(text.replace(/[,'’_\u00a0\u202f](?=\d{3}(?!\d))/gu, ' '));
    return parts.length > quantities.length && parts.every((part) => this.#quantities.has(part));
  }

  #holdsCode(text: string): boolean {
    const bare = text
      .replace(/^[$#>] (?=\S)/u, '')
      .replace(/\(\)$/u, '')
      .replace(/[;,]$/u, '');
    if (this.#holds(bare) || this.#holds(text)) return true;
    const tight = (code: string): string => code.replace(/\s*([=:,;(){}[\]|"'<>])\s*/gu, '$1');
    return occurs(tight(this.#exact), tight(normalise(bare)));
  }

  #holds(text: string): boolean {
    const exact = normalise(text);
    if (exact === '') return true;
    if (occurs(this.#exact, exact) || occurs(this.#plain, exact)) return true;
    const plain = plainWords(text);
    return plain !== '' && occurs(this.#plain, plain);
  }
}

/** A quotation with an ellipsis is its pieces; its own end punctuation may be the sentence's. */
function quotePieces(text: string): readonly string[] {
  return text
    .split(/\[?(?:…|\.{3})\]?/u)
    .map((piece) => piece.trim().replace(/^[.,;:!?]+|[.,;:!?]+$/gu, ''))
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

function inOrder(text: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const piece of pieces) {
    const at = find(text, piece, from);
    if (at === -1) return false;
    from = at + piece.length;
  }
  return true;
}

function plainWords(text: string): string {
  return normalise(plainText(text)).replace(/[*`~]/gu, '').trim();
}

/** One case, one kind of quotes, dashes and blanks. */
function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[“”„«»「」『』]/gu, '"')
    .replace(/[‘’‚‹›]/gu, "'")
    .replace(/[‐‑–—−]/gu, '-')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

const WORD = /[\p{L}\p{N}_]/u;

/** The needle is in the text and is not a part of a longer word there; a flag not of a longer flag. */
function occurs(text: string, needle: string): boolean {
  return find(text, needle) !== -1;
}

/** Where {@link occurs} is true first, from a position on; -1 for nowhere. */
function find(text: string, needle: string, from = 0): number {
  const first = [...needle.slice(0, 2)][0] ?? '';
  const last = [...needle.slice(-2)].at(-1) ?? '';
  for (let at = text.indexOf(needle, from); at !== -1; at = text.indexOf(needle, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text.slice(at + needle.length, at + needle.length + 4);
    const startsWhole = !(WORD.test(first) && WORD.test(before) && !isWide(first));
    const endsWhole = !(WORD.test(last) && WORD.test(after[0] ?? ' ') && !isWide(last));
    const longerFlag =
      needle.startsWith('-') && (/^-[\p{L}\p{N}]/u.test(after) || /[\p{L}\p{N}-]/u.test(before));
    if (startsWhole && endsWhole && !longerFlag && !breaksNumber(before, first, last, after)) return at;
  }
  return -1;
}

/** `8.15` inside `8.15.2` or `18.15` is another number. */
function breaksNumber(before: string, first: string, last: string, after: string): boolean {
  return (/\d/u.test(first) && before === '.') || (/\d/u.test(last) && /^(?:\.\d|,\d{3})/u.test(after));
}

/** Scripts that put no blank between words: every character can be the edge of one. */
function isWide(character: string): boolean {
  return /[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]/u.test(character);
}

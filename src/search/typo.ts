import { editDistance } from '../config/nearest.ts';
import { isUnspaced, stem } from '../core/words.ts';
import { FullText } from '../store/full-text.ts';
import type { IndexFile } from '../store/index-file.ts';

/** Shorter words have too many neighbours, and words with digits are names: neither is corrected. */
const MIN_LENGTH = 5;
const MAX_LENGTH = 32;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

const MAX_KEPT = 1000;

/** What words of recent queries were read as: of an index in one state it stays the same. */
const kept = new WeakMap<FullText, Map<string, string | undefined>>();

/**
 * The commonest indexed word one edit (insert, delete, change, swap) away with the same first letter; undefined
 * when there is none.
 */
export function correct(index: IndexFile, word: string): string | undefined {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || /\p{N}/u.test(word) || isUnspaced(word))
    return undefined;
  const text = FullText.of(index);
  const before = kept.get(text) ?? new Map<string, string | undefined>();
  if (before.has(word)) return before.get(word);
  const found = lookUp(text, word);
  if (before.size >= MAX_KEPT) before.clear();
  kept.set(text, before.set(word, found));
  return found;
}

function lookUp(text: FullText, word: string): string | undefined {
  const near = new Set(neighbours(word));
  return (
    commonest(text, near) ??
    // "retreived" is a slip of "retrieved", also where the documents only ever retrieve.
    commonest(text, formsOf(text, [...near].map(stem), stem(word)))
  );
}

/** The words of the documents that have one of these stems, where it is one edit away from what was typed. */
function formsOf(text: FullText, stems: readonly string[], typed: string): Set<string> {
  const near = new Set(stems.filter((one) => editDistance(one, typed, 1) <= 1));
  return new Set([...near].flatMap((one) => text.forms(one)));
}

/** The one whose stem is in most chunks, of words with one stem the one that is itself. */
function commonest(text: FullText, words: ReadonlySet<string>): string | undefined {
  const known = [...words]
    .map((word) => ({ word, chunks: text.count(word) }))
    .filter(({ chunks }) => chunks > 0)
    .map((one) => ({ ...one, ofStem: text.list(stem(one.word)).rows.length }));
  known.sort((a, b) => b.ofStem - a.ofStem || b.chunks - a.chunks || (a.word < b.word ? -1 : 1));
  return known[0]?.word;
}

function* neighbours(word: string): Generator<string> {
  const characters = [...word];
  for (let at = 1; at <= characters.length; at += 1) {
    const head = characters.slice(0, at).join('');
    const [here = '', next = ''] = characters.slice(at, at + 2);
    const tail = characters.slice(at + 1).join('');
    if (here !== '') yield head + tail;
    if (next !== '') yield head + next + here + characters.slice(at + 2).join('');
    for (const letter of LETTERS) {
      yield head + letter + here + tail;
      if (here !== '') yield head + letter + tail;
    }
  }
}

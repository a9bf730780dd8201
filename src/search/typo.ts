import { editDistance } from '../config/nearest.ts';
import { fold, isUnspaced, stem, words } from '../core/words.ts';
import { FullText } from '../store/full-text.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksById, namesOfChunks } from '../store/sections.ts';
import { bestRows, inOrder, scoreRows } from './bm25.ts';

/** Shorter words have too many neighbours, and words with digits are names: neither is corrected. */
const MIN_LENGTH = 5;
const MAX_LENGTH = 32;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** Chunks that are looked at for the word behind a stem. */
const WITNESSES = 5;

/**
 * The commonest indexed word one edit (insert, delete, change, swap) away with the same first letter; undefined
 * when there is none. The vocabulary knows stems only, so the word itself is looked for in chunks that hold the stem.
 */
export function correct(index: IndexFile, word: string): string | undefined {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || /\p{N}/u.test(word) || isUnspaced(word))
    return undefined;
  const text = FullText.of(index);
  const stems = new Set<string>();
  for (const candidate of neighbours(word)) stems.add(stem(candidate));
  const known = [...stems]
    .map((one) => ({ stem: one, chunks: text.count(one) }))
    .filter(({ chunks }) => chunks > 0)
    .sort((a, b) => b.chunks - a.chunks);
  for (const { stem: one } of known) {
    const found = witness(index, word, one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A word of the documents with this stem that really is one edit away: many a stem is no word, and has no such word. */
function witness(index: IndexFile, typed: string, wanted: string): string | undefined {
  const text = FullText.of(index);
  const best = inOrder(bestRows(scoreRows(text, [text.list(wanted)]), WITNESSES));
  const ids = best.map((match) => match.id);
  const texts = [...chunksById(index, ids).map((chunk) => chunk.text), ...namesOfChunks(index, ids)];
  const ofStem = words(fold(texts.join('\n'))).filter((word) => stem(word) === wanted);
  const near = ofStem.find((word) => editDistance(word, typed, 1) <= 1);
  if (near !== undefined) return near;
  // "retreived" is a slip of "retrieved", also where the documents only ever retrieve.
  return editDistance(wanted, stem(typed), 1) <= 1 ? ofStem[0] : undefined;
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

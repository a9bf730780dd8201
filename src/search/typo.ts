import { isUnspaced, stem } from '../core/words.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksWithStem } from '../store/lexical.ts';

/** Shorter words have too many neighbours, and words with digits are names: neither is corrected. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 32;
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/**
 * The commonest indexed word one edit (insert, delete, change, swap) away with the same first letter; undefined
 * when there is none. Goes by stems, as the index does.
 */
export function correct(index: IndexFile, word: string): string | undefined {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || /\p{N}/u.test(word) || isUnspaced(word))
    return undefined;
  let best: { word: string; sections: number } | undefined;
  for (const candidate of neighbours(word)) {
    const sections = chunksWithStem(index, stem(candidate));
    if (sections > (best?.sections ?? 0)) best = { word: candidate, sections };
  }
  return best?.word;
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

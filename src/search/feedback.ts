import { fold, stem, words } from '../core/words.ts';
import type { IndexFile } from '../store/index-file.ts';
import { bestMatches, chunksWithStem, countChunks } from '../store/lexical.ts';
import { chunksById, placesOfChunks } from '../store/sections.ts';
import { anyWord, type Query } from './query.ts';
import type { RankedSection } from './rank.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Ranks that are never touched. Words borrowed from the best sections find more of what is relevant further down,
 * but blur the top: measured on six collections, recall at 50 rises on each (docs/decisions).
 */
export const FEEDBACK_FROM = 10;
const FEEDBACK_TERMS = 20;
const FEEDBACK_SHARE = 0.3;
/** Words in more chunks than this tell sections apart too little to be worth borrowing. */
const MAX_CHUNK_SHARE = 0.05;
/** Together they may match this share of the chunks. */
const FEEDBACK_ROWS = 0.15;
const MIN_WORD_LENGTH = 3;

/** The first ten as they are; below them also what shares the telling words of those ten. */
export function deepen(
  index: IndexFile,
  query: Query,
  ranked: readonly RankedSection[],
  scope: { readonly limit: number; readonly path: string },
): RankedSection[] {
  const head = ranked.slice(0, FEEDBACK_FROM);
  const terms = borrowedWords(index, query, head);
  if (terms.length === 0) return [...ranked];
  const found = bestMatches(index, anyWord(terms), scope.limit * 4, scope.path);
  const places = placesOfChunks(
    index,
    found.map((match) => match.id),
  );
  const tail = new Map(ranked.slice(FEEDBACK_FROM).map((one) => [one.sectionId, one]));
  const settled = new Set(head.map((one) => one.sectionId));
  // Best first: the first chunk of a section is its best, the others add nothing.
  for (const match of found) {
    const sectionId = places.get(match.id)?.sectionId;
    if (sectionId === undefined || settled.has(sectionId)) continue;
    settled.add(sectionId);
    const before = tail.get(sectionId) ?? { ...NOTHING, sectionId, chunkId: match.id };
    const feedback = FEEDBACK_SHARE * match.score;
    tail.set(sectionId, { ...before, score: before.score + feedback, feedback });
  }
  return [...head, ...[...tail.values()].sort((a, b) => b.score - a.score || a.chunkId - b.chunkId)];
}

const NOTHING = { score: 0, words: 0, phrase: 0, near: 0, page: 0, feedback: 0 };

/** Words of the best sections that the query lacks, weighed by how often they stand there and how rare they are. */
function borrowedWords(index: IndexFile, query: Query, head: readonly RankedSection[]): string[] {
  const total = head.reduce((sum, one) => sum + one.score, 0);
  const asked = new Set(query.terms.map(stem));
  const chunks = chunksById(
    index,
    head.map((one) => one.chunkId),
  );
  const shares = new Map<string, { word: string; share: number }>();
  for (const [position, chunk] of chunks.entries()) {
    const all = words(fold(chunk.text)).filter(
      (word) => word.length >= MIN_WORD_LENGTH && !STOP_WORDS.has(word),
    );
    const share = (head[position]?.score ?? 0) / (total * Math.max(1, all.length));
    for (const word of all) {
      const one = stem(word);
      if (!asked.has(one)) shares.set(one, { word, share: (shares.get(one)?.share ?? 0) + share });
    }
  }
  const count = countChunks(index);
  const borrowed = [...shares]
    .map(([one, { word, share }]) => ({ word, holding: chunksWithStem(index, one), share }))
    .filter(({ holding }) => holding > 1 && holding < count * MAX_CHUNK_SHARE)
    .map(({ word, holding, share }) => ({ word, holding, worth: share * Math.log(count / holding) }))
    .sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1))
    .slice(0, FEEDBACK_TERMS);
  // Every row that matches is scored: the most telling words first, as long as they do not match half the index.
  let holding = 0;
  const affordable = borrowed.filter((one) => {
    holding += one.holding;
    return holding <= count * FEEDBACK_ROWS;
  });
  return affordable.map(({ word }) => word);
}

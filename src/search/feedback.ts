import { fold, stem, words } from '../core/words.ts';
import { FullText } from '../store/full-text.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksById } from '../store/sections.ts';
import { bestRows, inOrder, scoreRows } from './bm25.ts';
import type { Query } from './query.ts';
import { byScore, type RankedSection, type RankScope } from './ranked-section.ts';
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
  scope: RankScope,
): RankedSection[] {
  const head = ranked.slice(0, FEEDBACK_FROM);
  const text = FullText.of(index);
  const stems = borrowedStems(index, text, query, head);
  if (stems.length === 0) return [...ranked];
  const scores = scoreRows(
    text,
    stems.map((one) => text.list(one)),
  );
  const found = inOrder(bestRows(scores, scope.limit * 4, scope.isWanted), scores);
  const tail = new Map(ranked.slice(FEEDBACK_FROM).map((one) => [one.sectionId, one]));
  const settled = new Set(head.map((one) => one.sectionId));
  // Best first: the first chunk of a section is its best, the others add nothing.
  const { sections, order } = text.chunkMap;
  for (const chunkId of found) {
    const sectionId = sections[chunkId] ?? 0;
    if (settled.has(sectionId)) continue;
    settled.add(sectionId);
    const place = { sectionId, chunkId, order: order[chunkId] ?? 0 };
    const before = tail.get(sectionId) ?? { ...NOTHING, ...place };
    const feedback = FEEDBACK_SHARE * (scores[chunkId] ?? 0);
    tail.set(sectionId, { ...before, score: before.score + feedback, feedback });
  }
  return [...head, ...[...tail.values()].sort(byScore)];
}

const NOTHING = { score: 0, words: 0, written: 0, phrase: 0, near: 0, page: 0, feedback: 0 };

/** Stems of the best sections that the query lacks, weighed by how often they stand there and how rare they are. */
function borrowedStems(
  index: IndexFile,
  text: FullText,
  query: Query,
  head: readonly RankedSection[],
): string[] {
  const total = head.reduce((sum, one) => sum + one.score, 0);
  const asked = new Set(query.terms.map(stem));
  const chunks = chunksById(
    index,
    head.map((one) => one.chunkId),
  );
  const shares = new Map<string, number>();
  for (const [position, chunk] of chunks.entries()) {
    const all = words(fold(chunk.text)).filter(
      (word) => word.length >= MIN_WORD_LENGTH && !STOP_WORDS.has(word),
    );
    const share = (head[position]?.score ?? 0) / (total * Math.max(1, all.length));
    for (const word of all) {
      const one = stem(word);
      if (!asked.has(one)) shares.set(one, (shares.get(one) ?? 0) + share);
    }
  }
  const count = text.rows;
  const borrowed = [...shares]
    .map(([one, share]) => ({ stem: one, holding: text.countForms(one), share }))
    .filter(({ holding }) => holding > 1 && holding < count * MAX_CHUNK_SHARE)
    .map(({ share, ...rest }) => ({ ...rest, worth: share * Math.log(count / rest.holding) }))
    .sort((a, b) => b.worth - a.worth || (a.stem < b.stem ? -1 : 1))
    .slice(0, FEEDBACK_TERMS);
  // Every row that matches is scored: the most telling words first, as long as they do not match half the index.
  let holding = 0;
  const affordable = borrowed.filter((one) => {
    holding += one.holding;
    return holding <= count * FEEDBACK_ROWS;
  });
  return affordable.map((one) => one.stem);
}

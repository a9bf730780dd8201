import { fold, isUnspaced, stem, words } from '../core/words.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksWithStem, countChunks } from '../store/lexical.ts';
import { narrow } from './long-query.ts';
import { STOP_WORDS } from './stop-words.ts';
import { correct } from './typo.ts';

/** A query's words, ready to rank with. */
export interface Query {
  /** Words that are searched, in order, repeats kept: they weigh more. */
  readonly terms: readonly string[];
  /** Neighbouring words: kept ones, and all within one identifier (`--no-daemonize`). */
  readonly pairs: readonly (readonly [string, string])[];
  readonly dropped: readonly string[];
  readonly replaced: readonly { readonly word: string; readonly by: string }[];
  /** Words no indexed section holds, nor anything one letter away. */
  readonly unknown: readonly string[];
  /** So many known words of a very long text are not searched; absent where all are. */
  readonly leftOut?: number;
}

/** Unknown words of one text that are looked at for a spelling mistake. */
const MAX_CORRECTED = 25;

/** A smaller index says too little about how rare a word is: it is taken to be a part of one this size. */
const MIN_CHUNKS = 1000;

/** The idf of each distinct stem of the query, unknown words included; natural logarithm, as Lucene has it. */
export function termWeights(index: IndexFile, query: Query): { stem: string; weight: number }[] {
  const chunks = Math.max(countChunks(index), MIN_CHUNKS);
  const stems = new Set([...query.terms, ...query.unknown].map(stem));
  return [...stems].map((one) => {
    const holding = chunksWithStem(index, one);
    return { stem: one, weight: Math.log(1 + (chunks - holding + 0.5) / (holding + 0.5)) };
  });
}

interface Token {
  readonly word: string;
  /** Number of the run of non-blank characters the word stands in. */
  readonly run: number;
  readonly isStop: boolean;
}

const CONTRACTION = /^['’](\p{L}+)/u;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;

/** Reads any text as a query; never fails. Words the index lacks are corrected by one letter where that finds one. */
export function analyse(index: IndexFile, text: string): Query {
  const tokens = tokenise(fold(text));
  const wanted = tokens.some((token) => !token.isStop) ? tokens.filter((token) => !token.isStop) : tokens;
  const replaced: { word: string; by: string }[] = [];
  const unknown: string[] = [];
  const spelled = new Map<string, string>();
  for (const { word } of wanted) {
    if (spelled.has(word) || isKnown(index, word)) continue;
    const by = spelled.size < MAX_CORRECTED ? correct(index, word) : undefined;
    spelled.set(word, by ?? word);
    if (by === undefined) unknown.push(word);
    else replaced.push({ word, by });
  }
  const missing = new Set(unknown);
  const searched = new Set(wanted);
  const spell = (word: string) => spelled.get(word) ?? word;
  return narrow(index, {
    terms: wanted.filter((token) => !missing.has(token.word)).map((token) => spell(token.word)),
    pairs: pairsOf(tokens, wanted)
      .filter(([a, b]) => !missing.has(a) && !missing.has(b))
      .map(([a, b]) => [spell(a), spell(b)] as const),
    dropped: tokens.filter((token) => !searched.has(token)).map((token) => token.word),
    replaced,
    unknown,
  });
}

/** A lone character of an unspaced script is searched as the start of a pair. */
function isKnown(index: IndexFile, word: string): boolean {
  return (isUnspaced(word) && [...word].length === 1) || chunksWithStem(index, stem(word)) > 0;
}

function tokenise(folded: string): Token[] {
  return folded.split(/\s+/u).flatMap((text, run) => tokensOfRun(text).map((token) => ({ ...token, run })));
}

function tokensOfRun(text: string): Omit<Token, 'run'>[] {
  const tokens: Omit<Token, 'run'>[] = [];
  let end = 0;
  for (const match of text.matchAll(WORD)) {
    if (match.index < end) continue;
    const [word] = match;
    end = match.index + word.length;
    const tail = CONTRACTION.exec(text.slice(end));
    const isContraction = tail !== null && STOP_WORDS.has(`${word}'${tail[1]}`);
    // "don't" is one stop word, and the s of "agent's" is no word at all.
    if (tail !== null && (isContraction || tail[1] === 's')) end += tail[0].length;
    tokens.push({ word, isStop: isContraction || STOP_WORDS.has(word) });
  }
  return tokens;
}

function pairsOf(tokens: readonly Token[], wanted: readonly Token[]): [string, string][] {
  const pairs = new Map<string, [string, string]>();
  const add = (a: Token, b: Token) => pairs.set(`${a.word} ${b.word}`, [a.word, b.word]);
  for (const [position, token] of wanted.entries()) {
    const next = wanted[position + 1];
    if (next !== undefined) add(token, next);
  }
  for (const [position, token] of tokens.entries()) {
    const next = tokens[position + 1];
    if (next?.run === token.run) add(token, next);
  }
  return [...pairs.values()];
}

/** The distinct stems of a text's words that are no stop words: for comparing texts without the index. */
export function contentStems(text: string): Set<string> {
  return new Set(
    words(fold(text))
      .filter((word) => !STOP_WORDS.has(word))
      .map(stem),
  );
}

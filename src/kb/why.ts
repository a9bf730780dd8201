import type { Config } from '../core/config.ts';
import type { Section } from '../core/document.ts';
import type { Knowledge } from '../core/knowledge.ts';
import { parseAddress } from '../core/ref.ts';
import type { Explanation, SearchResult, Tier } from '../core/search.ts';
import { analyse } from '../search/query.ts';
import { allDocuments, type DocumentRow, findDocument } from '../store/documents.ts';
import type { IndexFile } from '../store/index-file.ts';
import { chunksOfSection } from '../store/sections.ts';
import { partLists, tierList, type WhyList } from './why-lists.ts';
import { termsOf, type WhyTerm, type WhyWord, wordsOf } from './why-words.ts';

export interface WhyContext {
  readonly index: IndexFile;
  readonly config: Config;
  readonly knowledge: Knowledge;
}

export interface WhyRequest {
  readonly text: string;
  /** Ref, or path with or without anchor. */
  readonly address: string;
  readonly signal: AbortSignal;
}

export type WhyVerdict =
  | 'comes'
  /** The same text comes, from another place: texts that stand in several are shown once. */
  | 'copy'
  /** So many sections are better that a search does not show it. */
  | 'top-k'
  /** Its place would do, but it is too far down in each list to be given to the next step of the search. */
  | 'candidates'
  /** No list holds it, as far as they were looked through. */
  | 'no-match'
  /** It has no words of its own. */
  | 'no-text'
  | 'not-indexed';

export interface Why {
  readonly query: string;
  readonly tier: string;
  readonly verdict: WhyVerdict;
  /** The verdict as a sentence. */
  readonly reason: string;
  /** Addresses that do exist, where this one does not. */
  readonly nearest: readonly string[];
  readonly section?: Section & { readonly chunks: number };
  readonly words: readonly WhyWord[];
  /** What the section holds, as it is searched, the most frequent first. */
  readonly terms: readonly WhyTerm[];
  readonly lists: readonly WhyList[];
  /** How the lexical score came about; only of a section that comes. */
  readonly parts?: Omit<Explanation['parts'][number], 'ref'>;
}

/**
 * Looks for one section in every list that a search makes. An address of a whole document means the section of it that
 * comes first. Throws what a search throws.
 */
export async function explainSection(context: WhyContext, request: WhyRequest): Promise<Why> {
  const { index, knowledge } = context;
  const { text, signal } = request;
  const shown = await knowledge.search({ text, explain: true, maxTokens: 0, signal });
  const query = analyse(index, text);
  const base = { query: text, tier: shown.tier, nearest: [] };
  const lookup = knowledge.open(request.address);
  if (lookup.status !== 'found') {
    const words = wordsOf(index, query, []);
    const unknown = notIndexed(index, request.address, lookup.status === 'unknown' ? lookup.nearest : []);
    return { ...base, ...unknown, words, terms: [], lists: [] };
  }
  const section = await bestOf(
    lookup.sections.map((one) => one.section),
    context,
    request,
  );
  const chunks = chunksOfSection(index, section.ref);
  const terms = termsOf(
    section,
    chunks.map((chunk) => chunk.text),
  );
  const ids = chunks.map((chunk) => chunk.id);
  const tiers = chunks.length === 0 ? [] : await tierLists(context, section, request);
  const words = wordsOf(index, query, terms);
  const parts = partsOf(shown, section);
  return {
    ...base,
    ...verdictOf({
      section,
      chunks: chunks.length,
      note: findDocument(index, section.path)?.note ?? null,
      words,
      shown,
      tiers,
      topK: context.config.knowledge.topK,
    }),
    section: { ...section, chunks: chunks.length },
    words,
    terms,
    lists: [...partLists(index, query, ids), ...tiers],
    ...(parts === undefined ? {} : { parts }),
  };
}

/** A path names all sections of a document: the one that a search finds first is meant, else the first. */
async function bestOf(
  sections: readonly Section[],
  { knowledge }: WhyContext,
  { text, signal }: WhyRequest,
): Promise<Section> {
  const [first] = sections;
  if (first === undefined) throw new Error('a section that was found is not there');
  if (sections.length === 1) return first;
  const { hits } = await knowledge.search({ text, path: first.path, topK: 1, maxTokens: 0, signal });
  return sections.find((section) => section.ref === hits[0]?.ref) ?? first;
}

/** The lists of the tiers that can answer, the one that does answer last. */
async function tierLists(context: WhyContext, section: Section, request: WhyRequest): Promise<WhyList[]> {
  const { knowledge, config } = context;
  const wanted = { text: request.text, ref: section.ref, signal: request.signal };
  const tiers: Tier[] =
    config.knowledge.embeddings === undefined ? ['lexical'] : ['lexical', 'vector', 'hybrid'];
  const lists: WhyList[] = [];
  for (const tier of tiers) lists.push(await tierList(knowledge, tier, wanted));
  return lists;
}

function partsOf({ explanation }: SearchResult, { ref }: Section): Why['parts'] {
  const found = explanation?.parts.find((part) => part.ref === ref);
  if (found === undefined) return undefined;
  const { words, written, phrase, near, page, feedback } = found;
  return { words, written, phrase, near, page, feedback };
}

interface Standing {
  readonly section: Section;
  readonly chunks: number;
  /** Of its document, where there is something to be told of it. */
  readonly note: string | null;
  readonly words: readonly WhyWord[];
  readonly shown: SearchResult;
  readonly tiers: readonly WhyList[];
  readonly topK: number;
}

function verdictOf(standing: Standing): Pick<Why, 'verdict' | 'reason'> {
  const { section, chunks, note, words, shown, tiers, topK } = standing;
  if (chunks === 0) {
    const bare = 'it has no text of its own: its heading stands in the heading path of the sections below it';
    return { verdict: 'no-text', reason: note === null ? bare : `its document is a ${note}` };
  }
  const at = shown.hits.findIndex((hit) => hit.ref === section.ref);
  if (at !== -1) return { verdict: 'comes', reason: `it comes at rank ${at + 1} of ${shown.hits.length}` };
  const copy = shown.hits.findIndex((hit) => hit.hash === section.hash);
  if (copy !== -1) {
    const place = shown.hits[copy];
    const reason = `the same text comes at rank ${copy + 1}, from ${place?.path} (#${place?.ref}); --path chooses another place of it`;
    return { verdict: 'copy', reason };
  }
  const last = tiers.at(-1);
  if (last?.rank === undefined) return { verdict: 'no-match', reason: whyNoMatch(words, last) };
  if (last.rank > topK) {
    const reason = `it is at rank ${last.rank}; a search shows ${topK} (top_k, or --top-k)`;
    return { verdict: 'top-k', reason };
  }
  const reason = `a longer list has it at rank ${last.rank}, a list of ${topK} does not: it is too far down where candidates are chosen`;
  return { verdict: 'candidates', reason };
}

function whyNoMatch(words: readonly WhyWord[], last: WhyList | undefined): string {
  if (words.some((word) => word.fate === 'matched'))
    return `it holds words of the query, but is not among the first ${last?.length ?? 0} sections`;
  return words.some((word) => word.fate === 'absent')
    ? 'it holds none of the words that are searched'
    : 'the query has no word that any section holds';
}

/** Why there is no section at an address: no such document, one without text, or no such anchor in it. */
function notIndexed(
  index: IndexFile,
  text: string,
  nearest: readonly string[],
): Pick<Why, 'verdict' | 'reason' | 'nearest'> {
  const address = parseAddress(text);
  const document = address?.kind === 'path' ? documentAt(index, address.path) : undefined;
  if (document === undefined) {
    const what = address?.kind === 'path' ? 'no document of that path' : 'no section of that ref';
    return { verdict: 'not-indexed', reason: `${what} is in the index`, nearest };
  }
  const reason =
    document.status === 'indexed'
      ? `${document.path} is indexed, but no section of it has that anchor`
      : `${document.path} is ${document.status}: ${document.note ?? 'it holds no text'}`;
  return { verdict: 'not-indexed', reason, nearest };
}

function documentAt(index: IndexFile, path: string): DocumentRow | undefined {
  const wanted = path.normalize('NFC');
  return allDocuments(index).find(
    (document) => document.path === wanted || document.path.endsWith(`/${wanted}`),
  );
}

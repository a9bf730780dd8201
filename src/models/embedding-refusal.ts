import type { EmbedderNotice } from '../core/embedder.ts';
import { overflowIn, sentenceOf } from './server-words.ts';

/** What of a request can be too much. */
export type SizeAxis = Extract<EmbedderNotice, { kind: 'limit-learned' }>['axis'];

/** A refusal because of size. Numbers as the server gave them: items, or tokens of one input or of all, or bytes. */
export interface SizeRefusal {
  readonly axis: SizeAxis;
  readonly limit?: number;
  readonly given?: number;
}

/** Statuses servers use for it; 200 for an error inside a reply. */
const STATUSES: ReadonlySet<number> = new Set([200, 400, 413, 422, 424, 500]);
const RATE_WORDS = /per (?:min|sec|hour|day)|\b[TR]PM\b|rate.?limit/iu;

/** Tried in order: too many items, then too much in all, then one text too long. */
const WORDS: readonly (readonly [SizeAxis, RegExp])[] = [
  // Text Embeddings Inference and what is built on it
  ['items', /batch size (?<given>\d+) > maximum allowed batch size (?<limit>\d+)/iu],
  ['items', /batch size[\s\S]{0,40}?should not be larger than (?<limit>\d+)/iu],
  // OpenAI
  ['items', /array too long[\s\S]*?maximum length (?<limit>\d+)[\s\S]*?length (?<given>\d+)/iu],
  // validators of Python servers
  ['items', /at most (?<limit>\d+) (?:items?|texts?|inputs?|elements?)[\s\S]*?(?:not|got) (?<given>\d+)/iu],
  [
    'items',
    /(?:items?|texts?|inputs?|elements?|batch(?: size)?)\b[\s\S]{0,30}?(?:at most|up to|maximum(?: of)?|max(?: of)?|limit(?: of| is)?) ?:?\(?(?<limit>\d+)(?!\d* (?:tokens|bytes))/iu,
  ],
  ['items', /(?:at most|maximum of|max of|limit of) (?<limit>\d+) (?:items?|texts?|inputs?|elements?)\b/iu],
  [
    'items',
    /too many (?:inputs|items|texts|elements|documents)|(?<!physical )batch (?:size )?(?:is )?(?:too large|exceed)/iu,
  ],
  ['request-bytes', /requested (?<given>\d+) tokens, max (?<limit>\d+) tokens per request/iu],
  ['request-bytes', /tokens per (?:submitted )?batch is (?<limit>\d+)[\s\S]*?batch has (?<given>\d+)/iu],
  ['request-bytes', /too many tokens overall|tokens per (?:request|batch)/iu],
  [
    'request-bytes',
    /(?:entity|payload|body|content|request) (?:is )?too large|length limit exceeded|payload size exceeds|body (?:size )?(?:limit|exceed)/iu,
  ],
  // llama.cpp, by the size of its physical batch
  ['input-tokens', /input \((?<given>\d+) tokens\) is too large[\s\S]*?batch size: (?<limit>\d+)/iu],
  ['input-tokens', /must have less than (?<limit>\d+) tokens\. given: (?<given>\d+)/iu],
  ['input-tokens', /has (?<given>\d+) tokens, exceeding max (?<limit>\d+)/iu],
  // BERT models whose server does not check: more positions than the model has
  ['input-tokens', /size of tensor a \((?<given>\d+)\) must match the size of tensor b \((?<limit>\d+)\)/iu],
  ['input-tokens', /sequence length[\s\S]*?\((?<given>\d+) > (?<limit>\d+)\)/iu],
];
/** One text too long, said without numbers. */
const TOO_LONG =
  /(?:input|prompt|text|sequence|document)s? (?:is |are )?(?:too (?:long|large)|larger than the max)|physical batch size|input length exceeds|exceeds? the (?:maximum|context|model)[\s\S]{0,30}?(?:tokens|length|context|window)|exceed(?:s|ed|ing)? (?:the )?max(?:imum)?[\s\S]{0,20}?(?:tokens|length)|too many tokens|token limit|reduce (?:the|your) (?:length|input|prompt)/iu;

/** The size a server found too large; undefined when a refusal is about something else. */
export function sizeRefusal(status: number, body: string): SizeRefusal | undefined {
  if (!STATUSES.has(status)) return undefined;
  const sentence = sentenceOf(body) ?? '';
  if (RATE_WORDS.test(sentence)) return undefined;
  for (const [axis, words] of WORDS) {
    const found = words.exec(sentence);
    if (found !== null) return { axis, ...numbersOf(found.groups ?? {}) };
  }
  const overflow = overflowIn(body, sentence, 0);
  if (overflow !== undefined) {
    const { window: limit, prompt: given } = overflow;
    return {
      axis: 'input-tokens',
      ...(limit === undefined ? {} : { limit }),
      ...(given === undefined ? {} : { given }),
    };
  }
  if (TOO_LONG.test(sentence)) return { axis: 'input-tokens' };
  return status === 413 ? { axis: 'request-bytes' } : undefined;
}

function numbersOf(groups: Readonly<Record<string, string | undefined>>): Omit<SizeRefusal, 'axis'> {
  const limit = Number(groups['limit']);
  const given = Number(groups['given']);
  return { ...(limit > 0 ? { limit } : {}), ...(given > 0 ? { given } : {}) };
}

/** What part of what was sent would have been taken, by the server's own numbers; undefined when it gave none. */
export function acceptedShare(refusal: SizeRefusal): number | undefined {
  if (refusal.limit === undefined || refusal.given === undefined) return undefined;
  return refusal.given > refusal.limit ? refusal.limit / refusal.given : undefined;
}

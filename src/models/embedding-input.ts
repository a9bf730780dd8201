import { estimateTokens } from '../core/text.ts';

/** One text on its way to a model. */
export interface EmbeddingInput {
  /** Place of the text in the call. */
  readonly index: number;
  readonly prefix: string;
  readonly text: string;
  /** Of the whole text, before anything was cut from it. */
  readonly characters: number;
  /** Estimate for prefix and text. */
  readonly tokens: number;
  /** Of prefix and text as JSON. */
  readonly bytes: number;
  /** Set while it is found out whether this text alone was too long, or the batch of that many it came from. */
  readonly suspectOf?: number;
  /** Set while it is found out how much of the text is taken. */
  readonly isTrial?: boolean;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a server written in C ends a text at NUL
const UNSAFE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/gu;
/** Halves of a character: no valid UTF-8 can be made of them, and Python servers answer 500. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

export function embeddingInput(index: number, prefix: string, text: string): EmbeddingInput {
  const clean = cleaned(text).trim();
  return measured({ index, prefix: cleaned(prefix), text: clean, characters: clean.length });
}

function cleaned(text: string): string {
  return text.replace(UNSAFE, ' ').replace(LONE_SURROGATE, '\ufffd');
}

function measured(input: Pick<EmbeddingInput, 'index' | 'prefix' | 'text' | 'characters'>): EmbeddingInput {
  const whole = input.prefix + input.text;
  return { ...input, tokens: estimateTokens(whole), bytes: Buffer.byteLength(JSON.stringify(whole)) };
}

/** Less is no text any more, characters. */
const LEAST = 16;

/**
 * The input with its text cut to about `share` of the whole, prefix included, at the end of a word where there is one;
 * undefined when nothing worth embedding would be left.
 */
export function shortened(input: EmbeddingInput, share: number): EmbeddingInput | undefined {
  const { index, prefix, text, characters } = input;
  const keep = Math.min(Math.floor((prefix.length + text.length) * share) - prefix.length, text.length - 1);
  if (keep < LEAST) return undefined;
  return measured({ index, prefix, text: cutAtWord(text, keep), characters });
}

/** At most `length` characters, never half of one, ending where a word ends if one does in the last fifth. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length);
  if (/\s/u.test(text[length] ?? '')) return head.trimEnd();
  const end = head.search(/\s+\S*$/u);
  return end >= length * 0.8 ? head.slice(0, end) : head.replace(/[\ud800-\udbff]$/u, '');
}

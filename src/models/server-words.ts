import { stripControls } from '../core/text.ts';
import { isRecord, parseJson, textOf } from './json.ts';

/** What can be read from the words of a refusal, which every server chooses for itself. */

const SHOWN_MAX = 1000;
/** Shorter ones are placeholders such as `x`, found in any text. */
const KEY_MIN = 4;

/** Text of a server as it may be shown and stored: no key, no control characters, at most 1,000 characters. */
export function presentable(text: string, apiKey: string | undefined): string {
  const shown = apiKey !== undefined && apiKey.length >= KEY_MIN ? text.replaceAll(apiKey, '***') : text;
  const clean = stripControls(shown).trim();
  return clean.length <= SHOWN_MAX ? clean : `${clean.slice(0, SHOWN_MAX).replace(/[\ud800-\udbff]$/u, '')}…`;
}

/**
 * The sentence a person should read, from any of the shapes error bodies have: `{error: {message}}`, `{error: "…"}`,
 * `{message}`, `{detail}`, a list of those, plain text, HTML.
 */
export function sentenceOf(body: unknown): string | undefined {
  if (typeof body === 'string') {
    const parsed = parseJson(body);
    const inner = typeof parsed === 'object' && parsed !== null ? sentenceOf(parsed) : undefined;
    return inner ?? textOf(withoutTags(body).trim());
  }
  if (Array.isArray(body)) {
    const sentences = body.map(sentenceOf).filter((sentence) => sentence !== undefined);
    return textOf(sentences.join('; '));
  }
  if (!isRecord(body)) return undefined;
  const named = ['error', 'message', 'detail', 'msg', 'raw'].map((name) => sentenceOf(body[name]));
  const sentence = named.find((found) => found !== undefined);
  // A gateway's own sentence says only that its provider failed; the provider's is beside it.
  const behind = isRecord(body['metadata']) ? sentenceOf(body['metadata']) : undefined;
  if (behind === undefined || sentence === undefined || sentence.includes(behind)) return sentence ?? behind;
  return `${sentence}: ${behind}`;
}

function withoutTags(text: string): string {
  if (!/^\s*</u.test(text)) return text;
  return text
    .replace(/<(?:script|style)\b[\s\S]*?<\/(?:script|style)>/giu, ' ')
    .replace(/<[^>]*>/gu, ' ')
    .replace(/\s+/gu, ' ');
}

export interface Overflow {
  /** Tokens the server's window holds. */
  readonly window?: number;
  /** Tokens of the prompt that did not fit; tokens set aside for the answer are not part of it. */
  readonly prompt?: number;
}

/**
 * Each gives `window`, `prompt`, or `total` (prompt and answer together) by name. The first that matches is used, so
 * the ones that say more stand first.
 */
const OVERFLOW_WORDS: readonly RegExp[] = [
  /maximum context length (?:is|of) (?<window>\d+) tokens[\s\S]*?requested (?:about )?(?<total>\d+) tokens \((?<prompt>\d+) (?:in|of)/iu,
  /maximum context length (?:is|of) (?<window>\d+) tokens[\s\S]*?(?:resulted in|contains?|has) (?:at least )?(?<prompt>\d+) (?:input )?tokens/iu,
  /maximum context length (?:is|of) (?<window>\d+) tokens[\s\S]*?requested (?:about )?(?<total>\d+)/iu,
  /contains? (?<prompt>\d+) tokens[\s\S]*?too large for model with (?<window>\d+) maximum context/iu,
  /request \((?<prompt>\d+) tokens\) exceeds the available context size \((?<window>\d+) tokens\)/iu,
  /exceeds? the available context size(?: \((?<window>\d+) tokens\))?/iu,
  /keep the first (?<prompt>\d+) tokens[\s\S]*?context length of only (?<window>\d+) tokens/iu,
  /prompt is too long: (?<prompt>\d+) tokens > (?<window>\d+)/iu,
  /exceed context limit: (?<prompt>\d+) \+ \d+ > (?<window>\d+)/iu,
  /input token count \(?(?<prompt>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<window>\d+)/iu,
  /max_new_tokens` must be <= (?<window>\d+)\. Given: (?<prompt>\d+)/iu,
  /(?:maximum context length|maximum context window|context window|max_seq_len|n_ctx)\D{0,20}(?<window>\d{3,})/iu,
  /maximum context length|max context length|context length exceeded|exceeds? the (?:model'?s? )?(?:maximum )?context|context window (?:is )?exceeded|exceeds? (?:the )?context (?:window|length|size)|context (?:size|overflow|the overflows)|prompt (?:is )?too long|input is too long/iu,
];
const OVERFLOW_CODES = /exceed_context_size_error|context_length_exceeded|model_context_window_exceeded/u;
/** A limit on tokens a minute is no window. */
const RATE_WORDS = /tokens per (?:min|day|hour)|\bTPM\b|rate.?limit/iu;

/** The overflow a refusal reports; undefined when it is about something else. */
export function overflowIn(body: string, sentence: string, maxOutputTokens: number): Overflow | undefined {
  if (RATE_WORDS.test(sentence)) return undefined;
  const fields = overflowFields(parseJson(body));
  if (fields !== undefined) return fields;
  for (const words of OVERFLOW_WORDS) {
    const found = words.exec(sentence)?.groups;
    if (found !== undefined) return overflowOf(found, maxOutputTokens);
    if (words.test(sentence)) return {};
  }
  return OVERFLOW_CODES.test(body) ? {} : undefined;
}

function overflowOf(found: Record<string, string | undefined>, maxOutputTokens: number): Overflow {
  const window = found['window'] === undefined ? undefined : Number(found['window']);
  const total =
    found['total'] === undefined ? undefined : Math.max(0, Number(found['total']) - maxOutputTokens);
  const prompt = found['prompt'] === undefined ? total : Number(found['prompt']);
  return { ...(window === undefined ? {} : { window }), ...(prompt === undefined ? {} : { prompt }) };
}

/** llama.cpp gives the numbers as fields. */
function overflowFields(body: unknown): Overflow | undefined {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : body;
  if (!isRecord(error)) return undefined;
  const { n_ctx: window, n_prompt_tokens: prompt } = error;
  if (typeof window !== 'number' && typeof prompt !== 'number') return undefined;
  return {
    ...(typeof window === 'number' ? { window } : {}),
    ...(typeof prompt === 'number' ? { prompt } : {}),
  };
}

const NO_TOOLS_WORDS =
  /do(?:es)? not support (?:tool|function)s?\b|do(?:es)? not support (?:tool|function)[ _-]?(?:call|use|choice)|no endpoints found that support tool use|tools param requires --jinja|unsupported param(?:eter)?: '?tools|requires? --enable-auto-tool-choice|(?:tools?|tool[ _](?:use|calling|choice)|function calling) (?:is|are) not (?:supported|enabled|available)|function calling is not enabled/iu;

/** Whether a refusal is about tools as such: the model's template or the server's start options lack them. */
export function refusesTools(sentence: string): boolean {
  return NO_TOOLS_WORDS.test(sentence);
}

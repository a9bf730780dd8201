import type { ChatRequest, Message, Usage } from '../core/chat.ts';
import { estimateTokens } from '../core/text.ts';

/** Below this many estimated tokens an estimate says too little to accuse a server. */
const CUT_FLOOR = 1500;
/** A prompt that a server counts as less than this share of our lowest estimate was not read whole. */
const CUT_SHARE = 0.6;
/** Good tokenizers need fewer tokens for wide scripts than the one per character we plan with. */
const WIDE_SAVING = 0.4;

/** Tokens (estimated) of everything a request sends. */
export function estimateRequest(request: ChatRequest): number {
  return estimateTokens(requestText(request));
}

function requestText(request: ChatRequest): string {
  const tools = request.tools.length === 0 ? '' : JSON.stringify(request.tools);
  return [request.system, tools, ...request.messages.map(messageText)].join('\n');
}

function messageText(message: Message): string {
  if (message.role === 'tool') return message.outcomes.map((outcome) => outcome.text).join('\n');
  if (message.role === 'user' || message.toolCalls.length === 0) return message.text;
  return `${message.text}\n${JSON.stringify(message.toolCalls.map(({ name, input }) => ({ name, input })))}`;
}

/**
 * True when the server counted far fewer prompt tokens than were sent: it cut the prompt without a word, so what
 * it answered cannot be taken to rest on the sections given. Runs of blanks and rules cost few tokens and are left out.
 */
export function wasCut(request: ChatRequest, usage: Usage): boolean {
  if (!usage.reported) return false;
  const text = requestText(request)
    .replace(/\s+/gu, ' ')
    .replace(/([-=_*.#|])\1{3,}/gu, '$1$1$1');
  const wide =
    text.match(/[\u0e00-\u0eff\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]/gu)?.length ?? 0;
  const lowest = estimateTokens(text) - wide * WIDE_SAVING;
  return lowest > CUT_FLOOR && usage.inputTokens + usage.cachedTokens < lowest * CUT_SHARE;
}

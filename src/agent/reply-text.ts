/** Far more than any answer has; a server that ignores the output limit could send megabytes, each character of them checked. */
const LIMIT_MIN = 50_000;
const CHARACTERS_PER_TOKEN_MAX = 8;

/** Escape sequences as a whole, so that their letters do not stay behind as text. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c\n]{0,4000}(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/gu;
/** Characters nobody sees, which can hide words or split them; joiners and direction marks that scripts need stay. */
const HIDDEN = /[\u00ad\u061c\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
const VISIBLE = /[^\s\p{Cc}\p{Cf}\u2800\u3164]/u;
/** A call of a tool written as text, at the start of a line; or a reply that is nothing else. */
const CALL_TEXT =
  /^[ \t]*(?:<tool_call>[\s\S]*?(?:<\/tool_call>|(?![\s\S]))|<function=[\s\S]*?(?:<\/function>|(?![\s\S]))|\[TOOL_CALLS\][\s\S]*)/gimu;
const CALL_JSON = /^\s*\[?\s*\{\s*"name"\s*:\s*"knowledge_\w+"[\s\S]*\}\s*\]?\s*$/u;

/** Characters a reply may have that was asked for in at most this many tokens. */
export function replyLimit(maxOutputTokens: number): number {
  return Math.max(LIMIT_MIN, maxOutputTokens * CHARACTERS_PER_TOKEN_MAX);
}

/** Whether a reader would see anything of it. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Without escape sequences and characters that cannot be seen. */
export function withoutHidden(text: string): string {
  return text.replace(SEQUENCE, '').replace(HIDDEN, '');
}

/** Without calls written as text, for a reply to a prompt that offered no tools: they are no answer. */
export function withoutCalls(text: string): string {
  return CALL_JSON.test(text) ? '' : text.replace(CALL_TEXT, '').trim();
}

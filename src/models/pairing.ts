import type { Message, ToolCall, ToolOutcome } from '../core/chat.ts';

/** One step of a conversation, with every call beside its outcome. */
export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly opaque?: unknown;
      readonly calls: readonly { readonly call: ToolCall; readonly outcome: ToolOutcome }[];
    };

const NOT_RUN = 'This call was not run: the message that held it was cut off.';

/**
 * Puts outcomes to their calls. Providers refuse a call without an outcome right after it, so one that was not run
 * (cut by a limit, a session resumed after a kill) gets an outcome that says so.
 * @throws Error when an outcome answers no call: the caller has cut its history in the middle of a pair
 */
export function pairTurns(messages: readonly Message[]): Turn[] {
  return messages.flatMap((message, index): Turn[] => {
    if (message.role === 'user') return [message];
    if (message.role === 'tool') {
      requireCalls(message.outcomes, messages[index - 1]);
      return [];
    }
    const next = messages[index + 1];
    const outcomes = next?.role === 'tool' ? next.outcomes : [];
    const calls = message.toolCalls.map((call) => ({
      call,
      outcome: outcomes.find((outcome) => outcome.callId === call.id) ?? {
        callId: call.id,
        ok: false,
        text: NOT_RUN,
      },
    }));
    return [
      {
        role: 'assistant',
        text: message.text,
        calls,
        ...(message.opaque === undefined ? {} : { opaque: message.opaque }),
      },
    ];
  });
}

function requireCalls(outcomes: readonly ToolOutcome[], before: Message | undefined): void {
  const calls = before?.role === 'assistant' ? before.toolCalls : [];
  const stray = outcomes.find((outcome) => !calls.some((call) => call.id === outcome.callId));
  if (stray !== undefined)
    throw new Error(`tool outcome ${stray.callId} answers no call of the message before it`);
}

/** Input as an object, as both providers want it back; what was no object is kept under a name that says so. */
export function inputObject(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ...input };
  return input === undefined || input === null ? {} : { unreadable_arguments: input };
}

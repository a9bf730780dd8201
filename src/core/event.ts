import type { Answer, AskMode } from './answer.ts';
import type { ToolCall, ToolOutcome, Usage } from './chat.ts';
import type { Ref } from './ref.ts';

export type WarningCode =
  | 'tier-degraded'
  | 'citation-removed'
  | 'citation-unsupported'
  | 'citation-repair'
  | 'reply-truncated'
  | 'context-cut'
  | 'call-repeated'
  | 'model-substituted'
  | 'tools-unsupported'
  | 'answer-inert'
  | 'answer-uncited'
  | 'reply-empty';

/**
 * Everything that happens while a question is answered, in order. The terminal, the web stream, the session
 * file, the traces and the benchmark are all readers of this one list. Names are noun-verb.
 */
export type SessionEvent =
  | {
      readonly type: 'session-start';
      readonly question: string;
      readonly mode: AskMode;
      readonly model?: string;
      readonly tier: string;
    }
  | { readonly type: 'turn-start'; readonly turn: number }
  | { readonly type: 'text-delta'; readonly text: string }
  /** The text streamed in this turn was not the answer (it will be repaired or replaced). */
  | { readonly type: 'text-withdrawn' }
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | {
      readonly type: 'tool-result';
      readonly outcome: ToolOutcome;
      readonly refs: readonly Ref[];
      readonly ms: number;
    }
  | { readonly type: 'turn-end'; readonly turn: number; readonly usage: Usage }
  | { readonly type: 'warning'; readonly code: WarningCode; readonly text: string }
  | { readonly type: 'session-end'; readonly answer: Answer };

/** Must not throw and must not keep the event past the call unless it copies it. */
export type EventSink = (event: SessionEvent) => void;

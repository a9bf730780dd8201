import { type AskOptions, ask } from '../../src/agent/ask.ts';
import type { Answer } from '../../src/core/answer.ts';
import type { ChatReply } from '../../src/core/chat.ts';
import type { SessionEvent } from '../../src/core/event.ts';
import { MemoryKnowledge } from './memory-knowledge.ts';
import { calls, ScriptedModel, type ScriptedReply } from './scripted-model.ts';

export const PAGES = [
  {
    path: 'docs/agent.md',
    headings: ['Agent', 'Run interval'],
    markdown: '## Run interval\n\nThe agent runs every 30 minutes. Set `runinterval` to change it.\n',
    ref: 'agenta',
    url: 'https://docs.example.org/agent.html#run-interval',
  },
  {
    path: 'docs/ca.md',
    headings: ['Certificates'],
    markdown: '# Certificates\n\nCertificates are valid for five years.\n',
    ref: 'caaaaa',
  },
  {
    path: 'docs/db.md',
    headings: ['Database'],
    markdown: '# Database\n\nIt listens on port 8081.\n',
    ref: 'dbdbdb',
  },
];

export interface Asked {
  readonly answer: Answer;
  readonly events: readonly SessionEvent[];
  readonly model: ScriptedModel;
  readonly knowledge: MemoryKnowledge;
}

/** Asks a scripted model about three small pages (or `knowledge`). */
export async function askScripted(
  replies: readonly ScriptedReply[],
  extra: Partial<AskOptions> & { readonly question?: string } = {},
): Promise<Asked> {
  const knowledge = (extra.knowledge as MemoryKnowledge | undefined) ?? new MemoryKnowledge(PAGES);
  const model = new ScriptedModel(replies);
  const events: SessionEvent[] = [];
  const answer = await ask(extra.question ?? 'How often does the agent run?', {
    model,
    mode: 'tools',
    budget: { turns: 6, toolCalls: 8, tokens: 100_000, seconds: 60 },
    replyTokens: 500,
    topK: 2,
    maxInjectedTokens: 2000,
    readTool: true,
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    now: () => 0,
    ...extra,
    knowledge,
  });
  return { answer, events, model, knowledge };
}

export function typesOf(events: readonly SessionEvent[]): readonly string[] {
  return events.map((event) => (event.type === 'warning' ? `warning ${event.code}` : event.type));
}

/** A reply that calls tools, each given as name and input. */
export function callsTools(...wanted: readonly (readonly [name: string, input: unknown])[]): ChatReply {
  return calls(wanted.map(([name, input]) => ({ name, input })));
}

export function searches(query = 'agent run'): ChatReply {
  return callsTools(['knowledge_search', { query, top_k: 1 }]);
}

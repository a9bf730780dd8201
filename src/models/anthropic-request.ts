import type Anthropic from '@anthropic-ai/sdk';
import type { ChatRequest } from '../core/chat.ts';
import { isRecord } from './json.ts';
import { inputObject, pairTurns, type Turn } from './pairing.ts';

type Block = Anthropic.Messages.ContentBlockParam;
type Params = Anthropic.Messages.MessageCreateParamsStreaming;

/** Blocks of an assistant message as they came, thinking and signatures included; they go back unchanged. */
export interface KeptBlocks {
  readonly kind: 'anthropic-blocks';
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
}

const CACHED = { type: 'ephemeral' } as const;

/**
 * The body of `POST /v1/messages`. Cache marks stand after what stays the same for all questions (tools and system) and
 * after the newest turn, which the next turn of the loop repeats.
 */
export function messageParams(request: ChatRequest, model: string): Params {
  const turns = pairTurns(request.messages);
  const messages = merged(turns.flatMap(turnParams));
  const last = messages.at(-1)?.content.at(-1);
  if (last !== undefined && canBeCached(last)) last.cache_control = CACHED;
  return {
    model,
    max_tokens: request.maxOutputTokens,
    stream: true,
    ...(request.system === ''
      ? {}
      : { system: [{ type: 'text', text: request.system, cache_control: CACHED }] }),
    ...toolParams(request, turns),
    messages,
  };
}

function toolParams(request: ChatRequest, turns: readonly Turn[]): Pick<Params, 'tools' | 'tool_choice'> {
  if (request.tools.length > 0) {
    const tools = request.tools.map(({ name, description, inputSchema }, index) => ({
      name,
      description,
      input_schema: { ...inputSchema, type: 'object' as const },
      ...(index === request.tools.length - 1 ? { cache_control: CACHED } : {}),
    }));
    return { tools };
  }
  // A history with calls is refused when their tools are not declared, even when none may be called now.
  const used = new Set(
    turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls.map(({ call }) => call.name) : [])),
  );
  if (used.size === 0) return {};
  const tools = [...used].map((name) => ({
    name: toolName(name),
    input_schema: { type: 'object' as const },
  }));
  return { tools, tool_choice: { type: 'none' } };
}

interface Param {
  readonly role: 'user' | 'assistant';
  readonly content: Block[];
}

/** All results of a turn go in one user message, right after the message with their calls. */
function turnParams(turn: Turn): Param[] {
  if (turn.role === 'user') return [{ role: 'user', content: textBlocks(turn.text) }];
  const results = turn.calls.map(
    ({ call, outcome }): Block => ({
      type: 'tool_result',
      tool_use_id: blockId(call.id),
      // An empty text block is an error; a result may have no content.
      ...(outcome.text === '' ? {} : { content: outcome.text }),
      ...(outcome.ok ? {} : { is_error: true }),
    }),
  );
  return [
    { role: 'assistant', content: keptBlocks(turn) ?? assistantBlocks(turn) },
    ...(results.length > 0 ? [{ role: 'user' as const, content: results }] : []),
  ];
}

function assistantBlocks(turn: Extract<Turn, { role: 'assistant' }>): Block[] {
  return [
    ...textBlocks(turn.text),
    ...turn.calls.map(
      ({ call }): Block => ({
        type: 'tool_use',
        id: blockId(call.id),
        name: toolName(call.name),
        input: inputObject(call.input),
      }),
    ),
  ];
}

/** The blocks kept with a message, when they are of this provider and hold just the calls the message has. */
function keptBlocks(turn: Extract<Turn, { role: 'assistant' }>): Block[] | undefined {
  const kept = turn.opaque;
  if (!isRecord(kept) || kept['kind'] !== 'anthropic-blocks' || !Array.isArray(kept['blocks']))
    return undefined;
  const blocks: unknown[] = kept['blocks'];
  if (!blocks.every((block) => isRecord(block) && typeof block['type'] === 'string')) return undefined;
  const ids = blocks.flatMap((block) =>
    isRecord(block) && block['type'] === 'tool_use' ? [block['id']] : [],
  );
  const same = ids.length === turn.calls.length && turn.calls.every(({ call }) => ids.includes(call.id));
  return same ? structuredClone(blocks as Block[]) : undefined;
}

function textBlocks(text: string): Block[] {
  // Text of blanks only is an error to the API.
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** Neighbours of one role become one message (results stay first in it); a message without content is left out. */
function merged(params: readonly Param[]): Param[] {
  const all: Param[] = [];
  for (const param of params) {
    if (param.content.length === 0) continue;
    const last = all.at(-1);
    if (last?.role === param.role) last.content.push(...param.content);
    else all.push({ role: param.role, content: [...param.content] });
  }
  return all;
}

type Cacheable = Extract<Block, { type: 'text' | 'tool_result' }>;

function canBeCached(block: Block): block is Cacheable {
  return block.type === 'text' || block.type === 'tool_result';
}

/** Ids and names that came from another provider may hold characters this one refuses. */
function blockId(id: string): string {
  return id.replace(/[^\w-]/gu, '_');
}

function toolName(name: string): string {
  return name.replace(/[^\w-]/gu, '_').slice(0, 64) || 'unnamed';
}

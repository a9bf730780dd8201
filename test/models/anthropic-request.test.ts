import { afterEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/core/chat.ts';
import { namedEvents, type Recording, ReplayServer } from '../support/replay-server.ts';
import { anthropicAt, ask, question, SEARCH } from './support.ts';

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function replay(...recordings: Recording[]) {
  server = await ReplayServer.start(...recordings);
  return { server, model: await anthropicAt(server) };
}

const START = {
  type: 'message_start',
  message: { model: 'claude-test-1', usage: { input_tokens: 10, output_tokens: 1 } },
};
const STOP = { type: 'message_stop' };
const OVER = (stop_reason: string | null) => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage: { output_tokens: 5 },
});

function text(value: string, index = 0) {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: value } },
    { type: 'content_block_stop', index },
  ];
}

const ANSWER = { packets: namedEvents(START, ...text('Yes.'), OVER('end_turn'), STOP) };

/** The body of the request a conversation becomes. */
async function sent(messages: readonly Message[], more = {}) {
  const { server, model } = await replay(ANSWER);
  await ask(model, question({ messages, ...more }));
  return server.requests[0];
}

describe('a request to Anthropic', () => {
  const CACHED = { type: 'ephemeral' };
  const OPAQUE = {
    kind: 'anthropic-blocks',
    blocks: [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'tool_use', id: 'toolu_1', name: 'knowledge_search', input: { query: 'x' } },
      { type: 'tool_use', id: 'toolu_2', name: 'knowledge_search', input: { query: 'y' } },
    ],
  };
  const CALLS = [
    { id: 'toolu_1', name: 'knowledge_search', input: { query: 'x' } },
    { id: 'toolu_2', name: 'knowledge_search', input: { query: 'y' } },
  ];
  const HISTORY: Message[] = [
    { role: 'user', text: 'q' },
    { role: 'assistant', text: '', toolCalls: CALLS, opaque: OPAQUE },
    {
      role: 'tool',
      outcomes: [
        { callId: 'toolu_2', ok: false, text: 'no such ref' },
        { callId: 'toolu_1', ok: true, text: 'found' },
      ],
    },
    { role: 'user', text: 'Answer now.' },
  ];

  test('has the results of a turn first in one user message, errors marked, thinking verbatim', async () => {
    const body = (await sent(HISTORY))?.body;
    expect(body?.['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'q' }] },
      { role: 'assistant', content: OPAQUE.blocks },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'found' },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'no such ref', is_error: true },
          { type: 'text', text: 'Answer now.', cache_control: CACHED },
        ],
      },
    ]);
  });

  test('marks the stable prefix for the cache, and keeps it the same from turn to turn', async () => {
    const first = (await sent(HISTORY.slice(0, 1)))?.body;
    await server?.stop();
    const second = (await sent(HISTORY.slice(0, 3)))?.body;
    expect(first?.['system']).toEqual([
      { type: 'text', text: 'Answer from the knowledge base.', cache_control: CACHED },
    ]);
    expect(first?.['tools']).toEqual([
      { name: SEARCH.name, description: SEARCH.description, input_schema: SEARCH.inputSchema },
      expect.objectContaining({ name: 'knowledge_read', cache_control: CACHED }),
    ]);
    expect([second?.['system'], second?.['tools']]).toEqual([first?.['system'], first?.['tools']]);
    expect(second?.['messages']).toMatchObject([
      {},
      {},
      { content: [{}, { type: 'tool_result', cache_control: CACHED }] },
    ]);
    expect(first).toMatchObject({ model: 'small-model', max_tokens: 1000, stream: true });
  });

  test('declares the tools of its history without offering them when none are offered', async () => {
    const body = (await sent(HISTORY, { tools: [] }))?.body;
    expect(body).toMatchObject({
      tool_choice: { type: 'none' },
      tools: [{ name: 'knowledge_search', input_schema: { type: 'object' } }],
    });
    await server?.stop();
    expect((await sent(HISTORY.slice(0, 1), { tools: [] }))?.body).not.toHaveProperty('tools');
  });

  test('has no kept blocks that are not those of its calls, or of another provider', async () => {
    for (const opaque of [
      { kind: 'openai-reasoning', text: 'Hm.' },
      'x',
      null,
      { kind: 'anthropic-blocks', blocks: OPAQUE.blocks.slice(0, 2) },
      { kind: 'anthropic-blocks', blocks: 'x' },
    ]) {
      const body = (
        await sent([
          { role: 'user', text: 'q' },
          { role: 'assistant', text: 'I search.', toolCalls: CALLS, opaque },
        ])
      )?.body;
      expect(body?.['messages']).toMatchObject([
        {},
        {
          content: [
            { type: 'text', text: 'I search.' },
            { type: 'tool_use', id: 'toolu_1' },
            { type: 'tool_use', id: 'toolu_2' },
          ],
        },
        {
          content: [
            { type: 'tool_result', is_error: true },
            { type: 'tool_result', is_error: true },
          ],
        },
      ]);
      await server?.stop();
    }
  });

  test('has nothing empty and no neighbours of one role in it', async () => {
    const body = (
      await sent(
        [
          { role: 'user', text: 'q' },
          { role: 'assistant', text: ' ', toolCalls: [] },
          { role: 'user', text: 'again' },
          {
            role: 'assistant',
            text: '',
            toolCalls: [{ id: 'functions.search:0', name: 'odd name', input: 'x' }],
          },
          { role: 'tool', outcomes: [{ callId: 'functions.search:0', ok: true, text: '' }] },
        ],
        { system: '' },
      )
    )?.body;
    expect(body).not.toHaveProperty('system');
    expect(body?.['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'q' },
          { type: 'text', text: 'again' },
        ],
      },
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: 'functions_search_0',
            name: 'odd_name',
            input: { unreadable_arguments: 'x' },
          },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'functions_search_0', cache_control: CACHED }],
      },
    ]);
  });
});

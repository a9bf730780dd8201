import { afterEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/core/chat.ts';
import { events, type Recording, ReplayServer } from '../support/replay-server.ts';
import { ask, chunk, DONE, openAiAt, question, SEARCH, STOP } from './support.ts';

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const ANSWER = { packets: events(chunk({ content: 'Yes.' }), STOP, DONE) };

async function sent(messages: readonly Message[], more = {}) {
  server = await ReplayServer.start(ANSWER);
  await ask(await openAiAt(server), question({ messages, ...more }));
  return server.requests[0];
}

describe('a request to an OpenAI-compatible server', () => {
  test('has the system text as system, the tools, and calls with their outcomes', async () => {
    const request = await sent([
      { role: 'user', text: 'q' },
      {
        role: 'assistant',
        text: '',
        toolCalls: [
          { id: 'a', name: 'knowledge_search', input: { query: 'x' } },
          { id: 'b', name: 'knowledge_search', input: 'query=y' },
        ],
      },
      {
        role: 'tool',
        outcomes: [
          { callId: 'b', ok: false, text: 'not JSON' },
          { callId: 'a', ok: true, text: 'found' },
        ],
      },
    ]);
    expect(request?.body?.['messages']).toEqual([
      { role: 'system', content: 'Answer from the knowledge base.' },
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'knowledge_search', arguments: '{"query":"x"}' } },
          {
            id: 'b',
            type: 'function',
            function: { name: 'knowledge_search', arguments: '{"unreadable_arguments":"query=y"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'found' },
      { role: 'tool', tool_call_id: 'b', content: 'not JSON' },
    ]);
    expect(request?.body?.['tools']).toMatchObject([
      { type: 'function', function: { name: 'knowledge_search', parameters: SEARCH.inputSchema } },
      { type: 'function', function: { name: 'knowledge_read' } },
    ]);
  });

  test('has no tools field when none are offered', async () => {
    expect((await sent([{ role: 'user', text: 'q' }], { tools: [] }))?.body).not.toHaveProperty('tools');
  });

  test('never has a call without an outcome', async () => {
    const request = await sent([
      { role: 'user', text: 'q' },
      { role: 'assistant', text: 'half', toolCalls: [{ id: 'a', name: 'knowledge_search', input: '{"que' }] },
      { role: 'user', text: 'go on' },
    ]);
    expect(request?.body?.['messages']).toMatchObject([
      { role: 'system' },
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'a' }] },
      { role: 'tool', tool_call_id: 'a', content: expect.stringContaining('not run') },
      { role: 'user', content: 'go on' },
    ]);
  });

  test('with an outcome that answers no call is a bug of the caller', async () => {
    await expect(
      sent([
        { role: 'user', text: 'q' },
        { role: 'tool', outcomes: [{ callId: 'a', ok: true, text: 'x' }] },
      ]),
    ).rejects.toThrow(/answers no call/u);
  });

  test('is the same bytes for the same request', async () => {
    server = await ReplayServer.start(ANSWER, ANSWER);
    const model = await openAiAt(server);
    await ask(model);
    await ask(model);
    expect(server.requests[0]?.text).toBe(server.requests[1]?.text);
  });
});

describe('what is heard of a reply when tools are declared', () => {
  const TEXT_CALL = '<tool_call>{"name":"knowledge_search","arguments":{"query":"x"}}</tool_call>';

  async function hear(tools: boolean, ...recordings: Recording[]) {
    server = await ReplayServer.start(...recordings);
    return ask(await openAiAt(server), tools ? question() : question({ tools: [] }));
  }

  /** Text cut in deltas of three characters. */
  function typed(text: string, more: readonly unknown[] = [STOP, DONE]): Recording {
    return {
      packets: events(...(text.match(/[\s\S]{1,3}/gu) ?? []).map((content) => chunk({ content })), ...more),
    };
  }

  test('is no call written as text; it becomes a call', async () => {
    const reply = await hear(true, typed(`<think>${TEXT_CALL}</think>\n${TEXT_CALL}`));
    expect(reply).toMatchObject({ heard: '', stop: 'tool-calls', message: { text: '' } });
    expect(reply.message.toolCalls).toMatchObject([{ name: 'knowledge_search', input: { query: 'x' } }]);
    expect(reply.message.toolCalls[0]?.id).toMatch(/^[a-z0-9]{9}$/u);
  });

  test('is no call inside reasoning, and none is made of it', async () => {
    const reply = await hear(true, typed(`<think>${TEXT_CALL}</think>The answer.`));
    expect(reply).toMatchObject({ heard: 'The answer.', stop: 'end', message: { toolCalls: [] } });
    await server?.stop();
    const field = await hear(true, {
      packets: events(chunk({ reasoning_content: TEXT_CALL }), chunk({ content: 'The answer.' }), STOP, DONE),
    });
    expect(field).toMatchObject({ heard: 'The answer.', stop: 'end', message: { toolCalls: [] } });
  });

  test.each(['reasoning_content', 'reasoning'])('is nothing of the field %s', async (field) => {
    const reply = await hear(true, {
      packets: events(
        chunk({ [field]: 'Secret ' }),
        chunk({ content: 'Yes.', [field]: 'thought' }),
        STOP,
        DONE,
      ),
    });
    expect(reply).toMatchObject({ heard: 'Yes.', message: { text: 'Yes.' } });
    expect(JSON.stringify(reply)).not.toContain('Secret');
  });

  test('is a call to an undeclared tool, as the text it is, once it is whole', async () => {
    const text = TEXT_CALL.replace('knowledge_search', 'rm_rf');
    expect(await hear(true, typed(text))).toMatchObject({
      heard: text,
      stop: 'end',
      message: { text, toolCalls: [] },
    });
    await server?.stop();
    expect(await hear(false, typed(TEXT_CALL))).toMatchObject({
      heard: TEXT_CALL,
      message: { toolCalls: [] },
    });
  });

  test('is not the echo of a native call', async () => {
    const native = {
      tool_calls: [
        { index: 0, id: 'a', function: { name: 'knowledge_read', arguments: '{"ref":"abcdef"}' } },
      ],
    };
    const reply = await hear(true, typed(TEXT_CALL, [chunk(native), STOP, DONE]));
    expect(reply).toMatchObject({
      heard: '',
      message: { text: '', toolCalls: [{ id: 'a', name: 'knowledge_read' }] },
    });
    expect(reply.message.toolCalls).toHaveLength(1);
  });

  test('is no call that breaks off: the reply was cut', async () => {
    const reply = await hear(true, typed(TEXT_CALL.slice(0, 60)));
    expect(reply).toMatchObject({ heard: '', stop: 'length', message: { text: '', toolCalls: [] } });
  });

  test('is an answer that begins like a call', async () => {
    const text = '{"name": "puppet.conf"} is how it looks (#abcdef).';
    expect(await hear(true, typed(text))).toMatchObject({ heard: text, stop: 'end', message: { text } });
  });
});

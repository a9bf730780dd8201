import { afterEach, describe, expect, test } from 'vitest';
import { events, type Recording, ReplayServer, split } from '../support/replay-server.ts';
import { ask, callChunk, chunk, DONE, failure, openAiAt, question, recording, STOP } from './support.ts';

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function replay(...recordings: Recording[]) {
  server = await ReplayServer.start(...recordings);
  return { server, model: await openAiAt(server) };
}

describe('a stream that ends empty', () => {
  const EMPTY = events(chunk({ role: 'assistant', content: '' }), STOP, DONE);
  const WHOLE = JSON.stringify({
    choices: [
      {
        message: {
          content: '',
          tool_calls: [{ id: 'a', function: { name: 'knowledge_search', arguments: '{"query":"x"}' } }],
        },
        finish_reason: 'stop',
      },
    ],
  });

  test('is asked for once more without streaming when tools were offered', async () => {
    const { server, model } = await replay({ packets: EMPTY }, { packets: [WHOLE] });
    const reply = await ask(model);
    expect(reply).toMatchObject({
      stop: 'tool-calls',
      message: { toolCalls: [{ id: 'a', name: 'knowledge_search', input: { query: 'x' } }] },
    });
    expect(server.requests.map((request) => request.body?.['stream'])).toEqual([true, false]);
    expect(server.requests[1]?.body).not.toHaveProperty('stream_options');
  });

  test('twice is an empty reply, not an error', async () => {
    const { server, model } = await replay({ packets: EMPTY }, { packets: EMPTY });
    expect(await ask(model)).toMatchObject({ stop: 'end', heard: '', message: { text: '', toolCalls: [] } });
    expect(server.requests).toHaveLength(2);
  });

  test('is not asked for again without tools, nor when the limit cut it', async () => {
    const { server, model } = await replay(
      { packets: EMPTY },
      { packets: events(chunk({ reasoning_content: 'Hm' }), chunk({}, { finish_reason: 'length' }), DONE) },
    );
    expect((await ask(model, question({ tools: [] }))).stop).toBe('end');
    expect((await ask(model)).stop).toBe('length');
    expect(server.requests).toHaveLength(2);
  });

  test('with not even an empty delta after a long prompt is an overflow', async () => {
    const { model } = await replay({ packets: events(DONE) }, { packets: events(DONE) });
    const long = question({ messages: [{ role: 'user', text: 'word '.repeat(3000) }] });
    const error = await failure(ask(model, long));
    expect(error).toMatchObject({ code: 'model-overflow', details: { prompt: expect.any(Number) } });
  });
});

describe('tool calls in a stream', () => {
  test('of llama.cpp come in pieces', async () => {
    const { model } = await replay({ packets: split([recording('llama-cpp-tool-call.txt')], 11) });
    expect(await ask(model)).toMatchObject({
      stop: 'tool-calls',
      heard: '',
      model: 'qwen3-8b-q4_k_m.gguf',
      usage: { inputTokens: 412, outputTokens: 31, reported: true },
      message: {
        text: '',
        toolCalls: [{ id: 'Xa71kP', name: 'knowledge_search', input: { query: 'puppet.conf location' } }],
      },
    });
  });

  test('of Ollama are all at index 0 and stop with `stop`', async () => {
    const { model } = await replay({ packets: [recording('ollama-parallel-calls.txt')] });
    expect(await ask(model)).toMatchObject({
      stop: 'tool-calls',
      message: {
        toolCalls: [
          { id: 'call_p1', input: { query: 'agent run interval' } },
          { id: 'call_p2', input: { query: 'runinterval setting' } },
        ],
      },
    });
  });

  test('cut in their arguments are `length` whatever the server says, and keep the text', async () => {
    const { model } = await replay({
      packets: events(
        callChunk({ index: 0, id: 'a', name: 'knowledge_search', arguments: '{"query": "half' }),
        chunk({}, { finish_reason: 'tool_calls' }),
        DONE,
      ),
    });
    expect(await ask(model)).toMatchObject({
      stop: 'length',
      message: { toolCalls: [{ input: '{"query": "half' }] },
    });
  });

  test('with whole arguments that are no JSON go to the tool as text', async () => {
    const { model } = await replay({
      packets: events(
        callChunk({ index: 0, id: 'a', name: 'knowledge_search', arguments: "{'query': 'x'}" }),
        STOP,
        DONE,
      ),
    });
    expect(await ask(model)).toMatchObject({
      stop: 'tool-calls',
      message: { toolCalls: [{ input: "{'query': 'x'}" }] },
    });
  });

  test('do not get the id of an earlier call again', async () => {
    const { model } = await replay({
      packets: events(
        callChunk({ index: 0, id: 'call_0', name: 'knowledge_search', arguments: '{"query":"b"}' }),
        callChunk({ index: 1, id: '', name: 'knowledge_read', arguments: '{"ref":"abcdef"}' }),
        STOP,
        DONE,
      ),
    });
    const request = question({
      messages: [
        { role: 'user', text: 'q' },
        {
          role: 'assistant',
          text: '',
          toolCalls: [{ id: 'call_0', name: 'knowledge_search', input: { query: 'a' } }],
        },
        { role: 'tool', outcomes: [{ callId: 'call_0', ok: true, text: 'nothing' }] },
      ],
    });
    const ids = (await ask(model, request)).message.toolCalls.map((call) => call.id);
    expect(new Set(['call_0', ...ids]).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/u);
  });

  test('come with the reasoning before them only for servers that ask for it', async () => {
    const { server, model } = await replay(
      {
        status: 400,
        packets: [
          JSON.stringify({
            error: {
              message: 'Missing `reasoning_content` field in the assistant message at message index 2',
            },
          }),
        ],
      },
      { packets: events(chunk({ content: 'Yes.' }), STOP, DONE) },
    );
    const request = question({
      messages: [
        { role: 'user', text: 'q' },
        {
          role: 'assistant',
          text: '',
          toolCalls: [{ id: 'a', name: 'knowledge_read', input: { ref: 'abcdef' } }],
          opaque: { kind: 'openai-reasoning', field: 'reasoning_content', text: 'Hm.' },
        },
        { role: 'tool', outcomes: [{ callId: 'a', ok: true, text: 'text' }] },
      ],
    });
    expect((await ask(model, request)).message.text).toBe('Yes.');
    expect(server.requests[0]?.text).not.toContain('Hm.');
    expect(server.requests[1]?.body?.['messages']).toMatchObject([
      {},
      {},
      { role: 'assistant', reasoning_content: 'Hm.' },
      {},
    ]);
  });
});

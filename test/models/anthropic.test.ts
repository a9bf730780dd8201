import { afterEach, describe, expect, test } from 'vitest';
import { namedEvents, type Recording, ReplayServer, split } from '../support/replay-server.ts';
import { anthropicAt, ask, failure, question, recording } from './support.ts';

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

function toolUse(json: string, index = 1) {
  return [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `toolu_${index}`, name: 'knowledge_search', input: {} },
    },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } },
  ];
}

const ANSWER = { packets: namedEvents(START, ...text('Yes.'), OVER('end_turn'), STOP) };

describe('a Messages stream', () => {
  test('gives text, two calls, usage with cache reads apart, and the thinking to send back', async () => {
    const body = recording('anthropic-thinking-tool-use.txt');
    const sizes = [1, 13, body.length];
    const { model } = await replay(...sizes.map((size) => ({ packets: split([body], size) })));
    for (const _ of sizes) {
      expect(await ask(model)).toEqual({
        message: {
          role: 'assistant',
          text: 'I will search.',
          toolCalls: [
            { id: 'toolu_1', name: 'knowledge_search', input: { query: 'runinterval' } },
            { id: 'toolu_2', name: 'knowledge_read', input: { ref: 'abc234' } },
          ],
          opaque: {
            kind: 'anthropic-blocks',
            blocks: [
              { type: 'thinking', thinking: 'Two things to look up.', signature: 'c2lnbmF0dXJl' },
              { type: 'text', text: 'I will search.' },
              { type: 'tool_use', id: 'toolu_1', name: 'knowledge_search', input: { query: 'runinterval' } },
              { type: 'tool_use', id: 'toolu_2', name: 'knowledge_read', input: { ref: 'abc234' } },
            ],
          },
        },
        stop: 'tool-calls',
        usage: { inputTokens: 100, outputTokens: 77, cachedTokens: 900, reported: true },
        model: 'claude-test-1',
        heard: 'I will search.',
        deltas: ['I will search.'],
      });
    }
  });

  test.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'length'],
    ['refusal', 'refusal'],
    [null, 'end'],
  ])('that stops for %s is %s', async (reason, stop) => {
    const { model } = await replay({ packets: namedEvents(START, ...text('Some text'), OVER(reason), STOP) });
    expect(await ask(model)).toMatchObject({ stop, message: { text: 'Some text' } });
  });

  test('with the input of a call cut is `length`, whatever it says, and the input stays text', async () => {
    for (const reason of ['max_tokens', 'tool_use']) {
      const { server, model } = await replay({
        packets: namedEvents(START, ...toolUse('{"query": "ha'), OVER(reason), STOP),
      });
      expect(await ask(model)).toMatchObject({
        stop: 'length',
        message: { toolCalls: [{ input: '{"query": "ha' }] },
      });
      await server.stop();
    }
  });

  test('with a call that was opened and never closed is `length`', async () => {
    const { model } = await replay({ packets: namedEvents(START, ...toolUse(''), OVER('tool_use'), STOP) });
    expect((await ask(model)).stop).toBe('length');
  });

  test('with a refusal has no calls', async () => {
    const { model } = await replay({
      packets: namedEvents(
        START,
        ...toolUse('{"query":"x"}'),
        { type: 'content_block_stop', index: 1 },
        OVER('refusal'),
        STOP,
      ),
    });
    expect(await ask(model)).toMatchObject({ stop: 'refusal', message: { toolCalls: [] } });
  });

  test('with a call without input calls with nothing', async () => {
    const { model } = await replay({
      packets: namedEvents(
        START,
        ...toolUse(''),
        { type: 'content_block_stop', index: 1 },
        OVER('tool_use'),
        STOP,
      ),
    });
    expect(await ask(model)).toMatchObject({ stop: 'tool-calls', message: { toolCalls: [{ input: {} }] } });
  });

  test('passes over events and deltas it does not know', async () => {
    const { model } = await replay({
      packets: namedEvents(
        START,
        { type: 'ping' },
        { type: 'new_thing', index: 0 },
        ...text('Yes.'),
        { type: 'content_block_delta', index: 9, delta: { type: 'new_delta' } },
        OVER('end_turn'),
        STOP,
      ),
    });
    expect((await ask(model)).message.text).toBe('Yes.');
  });

  test.each(['complete', 'cut'] as const)('that ends without message_stop is a failure (%s)', async (end) => {
    const { model } = await replay({
      packets: namedEvents(START, ...text('Half an answer'), OVER('end_turn')),
      end,
    });
    expect(await failure(ask(model))).toMatchObject({ code: 'model-unreachable' });
  });

  test('may be a whole message from a server that does not stream', async () => {
    const message = {
      type: 'message',
      model: 'm',
      content: [{ type: 'text', text: 'Yes.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 4, output_tokens: 2 },
    };
    const { model } = await replay({
      packets: [JSON.stringify(message)],
      headers: { 'content-type': 'application/json' },
    });
    expect(await ask(model)).toMatchObject({
      heard: 'Yes.',
      stop: 'end',
      usage: { inputTokens: 4, reported: true },
    });
  });

  test('without usage has unknown usage', async () => {
    const { model } = await replay({
      packets: namedEvents(
        { type: 'message_start', message: {} },
        ...text('Yes.'),
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        STOP,
      ),
    });
    expect((await ask(model)).usage.reported).toBe(false);
  });
});

describe('an error of Anthropic', () => {
  const said = (type: string, message: string) =>
    JSON.stringify({ type: 'error', error: { type, message }, request_id: 'r' });

  test('keeps status and words', async () => {
    const { server, model } = await replay({
      status: 400,
      packets: [said('invalid_request_error', 'messages: roles must alternate')],
    });
    const error = await failure(ask(model));
    expect(error).toMatchObject({ code: 'model-rejected', details: { status: 400 } });
    expect(error.message).toContain('roles must alternate');
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['prompt is too long: 212345 tokens > 200000 maximum', { window: 200_000, prompt: 212_345 }],
    [
      'input length and `max_tokens` exceed context limit: 198000 + 8192 > 200000, decrease input length',
      { window: 200_000, prompt: 198_000 },
    ],
  ])('about the window is an overflow: %s', async (message, details) => {
    const { model } = await replay({ status: 400, packets: [said('invalid_request_error', message)] });
    expect(await failure(ask(model))).toMatchObject({ code: 'model-overflow', details });
  });

  test('of overload or too many requests is tried once more', async () => {
    const busy = (status: number, type: string) => ({
      status,
      headers: { 'retry-after': '0' },
      packets: [said(type, 'Overloaded')],
    });
    const { server, model } = await replay(
      busy(529, 'overloaded_error'),
      ANSWER,
      busy(429, 'rate_limit_error'),
      busy(429, 'rate_limit_error'),
    );
    expect((await ask(model)).message.text).toBe('Yes.');
    expect(await failure(ask(model))).toMatchObject({ code: 'model-rejected', details: { status: 429 } });
    expect(server.requests).toHaveLength(4);
  });

  test('in the middle of a stream is one', async () => {
    const { model } = await replay({
      packets: [
        ...namedEvents(START, ...text('Half')),
        `event: error\ndata: ${said('overloaded_error', 'Overloaded')}\n\n`,
      ],
    });
    const error = await failure(ask(model));
    expect(error).toMatchObject({ code: 'model-rejected', details: { status: 529 } });
    expect(error.message).toContain('after 4 characters');
  });

  test('of the key names the variable, not the key', async () => {
    const { model } = await replay({
      status: 401,
      packets: [said('authentication_error', 'invalid key secret-key-1234')],
    });
    const error = await failure(ask(model));
    expect(error.hint).toContain('KB_KEY');
    expect(error.message).not.toContain('secret-key');
  });

  test('is none when time runs out or the caller stops', async () => {
    const { server } = await replay(
      { packets: namedEvents(START), end: 'never' },
      { packets: namedEvents(START, ...text('Half')), end: 'never' },
    );
    expect((await failure(ask(await anthropicAt(server, { seconds: 0.15 })))).code).toBe('model-timeout');
    const stop = new AbortController();
    const stopped = ask(await anthropicAt(server), question(), {
      signal: stop.signal,
      onText: () => stop.abort(),
    });
    expect((await failure(stopped)).code).toBe('aborted');
    await expect.poll(() => server.abandoned).toBe(2);
  });
});

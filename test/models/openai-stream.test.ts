import { afterEach, describe, expect, test } from 'vitest';
import { events, type Recording, ReplayServer, split } from '../support/replay-server.ts';
import { ask, chunk, DONE, failure, openAiAt, recording, STOP, USAGE } from './support.ts';

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function replay(...recordings: Recording[]) {
  server = await ReplayServer.start(...recordings);
  return { server, model: await openAiAt(server) };
}

describe('a stream of a chat completion', () => {
  test('gives text as it comes, usage with cached tokens apart, and the model that answered', async () => {
    const { server, model } = await replay({
      packets: events(
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'In /etc' }),
        chunk({ content: '.' }),
        STOP,
        USAGE,
        DONE,
      ),
    });
    const reply = await ask(model);
    expect(reply).toEqual({
      message: { role: 'assistant', text: 'In /etc.', toolCalls: [] },
      stop: 'end',
      usage: { inputTokens: 20, outputTokens: 8, cachedTokens: 100, reported: true },
      model: 'small-model-q4',
      heard: 'In /etc.',
      deltas: ['In /etc', '.'],
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      body: { model: 'small-model', stream: true, stream_options: { include_usage: true }, max_tokens: 1000 },
    });
  });

  test('survives any cut into packets, characters in the middle included', async () => {
    const body = recording('openrouter-answer.txt');
    const bytes = Buffer.byteLength(body);
    const sizes = [1, 2, 3, 7, 64, bytes];
    const { model } = await replay(...sizes.map((size) => ({ packets: split([body], size) })));
    for (const size of sizes) {
      const reply = await ask(model);
      expect([size, reply.message.text, reply.heard]).toEqual([
        size,
        'It is in `/etc` — naïve 😀 (#abc234).',
        'It is in `/etc` — naïve 😀 (#abc234).',
      ]);
      expect(reply.usage).toEqual({ inputTokens: 176, outputTokens: 25, cachedTokens: 1024, reported: true });
      expect(reply.stop).toBe('end');
    }
  });

  test.each(['\r\n', '\r'])('is read with line ends %j', async (lineEnd) => {
    const body = recording('openrouter-answer.txt').replaceAll('\n', lineEnd);
    const { model } = await replay({ packets: split([body], 5) });
    expect((await ask(model)).message.text).toBe('It is in `/etc` — naïve 😀 (#abc234).');
  });

  test('is whole without [DONE] when a reason to stop came, and without a last empty line', async () => {
    const { model } = await replay({
      packets: [
        events(chunk({ content: 'Yes.' }), STOP)
          .join('')
          .trimEnd(),
      ],
    });
    expect((await ask(model)).message.text).toBe('Yes.');
  });

  test('is whole with [DONE] although no reason to stop ever came', async () => {
    const { model } = await replay({ packets: events(chunk({ content: 'Yes.' }), DONE) });
    expect(await ask(model)).toMatchObject({ stop: 'end', message: { text: 'Yes.' } });
  });

  test('that ends without either is a failure, not an answer', async () => {
    const { model } = await replay({ packets: events(chunk({ content: 'The half of an ans' })) });
    const error = await failure(ask(model));
    expect(error.code).toBe('model-unreachable');
    expect(error.message).toContain('after 18 characters');
  });

  test.each(['cut', 'complete'] as const)(
    'that breaks off inside an event is a failure (%s)',
    async (end) => {
      const { model } = await replay({ packets: ['data: {"choices":[{"delta":{"content":"The ha'], end });
      expect((await failure(ask(model))).code).toBe('model-unreachable');
    },
  );

  test('whose connection drops only after its reason to stop is whole', async () => {
    const { model } = await replay({ packets: events(chunk({ content: 'Yes.' }), STOP), end: 'cut' });
    expect((await ask(model)).message.text).toBe('Yes.');
  });

  test.each([
    ['[]', { choices: [] }],
    ['null', { choices: null }],
    ['absent', {}],
    ['of null', { choices: [null] }],
    ['without delta', { choices: [{ index: 0 }] }],
  ])('passes over chunks with choices %s', async (_, odd) => {
    const { model } = await replay({
      packets: events(odd, chunk({ content: 'Yes.' }), odd, STOP, odd, DONE),
    });
    expect((await ask(model)).message.text).toBe('Yes.');
  });

  test('passes over comments, also those a proxy made data of, and empty data', async () => {
    const { model } = await replay({
      packets: [
        ': keep-alive\n\n',
        'data: : keep-alive\n\n',
        'data:\n\n',
        'event: x\nid: 4\nretry: 10\n\n',
        ...events(chunk({ content: 'Yes.' }), STOP, DONE),
      ],
    });
    expect((await ask(model)).message.text).toBe('Yes.');
  });

  test('may have one JSON text over several data lines, the line ends cut in two', async () => {
    const pretty = (value: unknown) =>
      JSON.stringify(value, null, 1).replace(/^/gmu, 'data: ').replaceAll('\n', '\r\n');
    const body = [chunk({ content: 'Yes.' }), STOP].map((item) => `${pretty(item)}\r\n\r\n`);
    const { model } = await replay({ packets: split(body, 1) });
    expect((await ask(model)).message.text).toBe('Yes.');
  });

  test('may have several JSON lines in one event', async () => {
    const lines = [chunk({ content: 'Y' }), chunk({ content: 'es.' }), STOP].map(
      (item) => `data: ${JSON.stringify(item)}\n`,
    );
    const { model } = await replay({ packets: [...lines, '\n'] });
    expect((await ask(model)).message.text).toBe('Yes.');
  });

  test('with something else than JSON in it cannot be read', async () => {
    const { model } = await replay({ packets: events('upstream went away', DONE) });
    expect(await failure(ask(model))).toMatchObject({
      code: 'model-malformed',
      message: expect.stringContaining('upstream went away'),
    });
  });

  test.each([
    ['missing', []],
    ['null', [{ choices: [], usage: null }]],
    ['zero', [{ choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }]],
  ])('with usage %s has unknown usage', async (_, usage) => {
    const { model } = await replay({ packets: events(chunk({ content: 'Yes.' }), STOP, ...usage, DONE) });
    expect((await ask(model)).usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      reported: false,
    });
  });

  test('reports the last usage that says something when every chunk carries one', async () => {
    const usage = (completion_tokens: number) => ({ usage: { prompt_tokens: 50, completion_tokens } });
    const { model } = await replay({
      packets: events(
        chunk({ content: 'Y' }, usage(1)),
        chunk({ content: 'es.' }, usage(2)),
        STOP,
        { choices: [], usage: { prompt_tokens: 0 } },
        DONE,
      ),
    });
    expect((await ask(model)).usage).toEqual({
      inputTokens: 50,
      outputTokens: 2,
      cachedTokens: 0,
      reported: true,
    });
  });

  test('may be one JSON document although a stream was asked for', async () => {
    const document = {
      model: 'm',
      choices: [{ message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 2 },
    };
    const { model } = await replay({
      packets: [`\n\n${JSON.stringify(document)}`],
      headers: { 'content-type': 'application/json' },
    });
    expect(await ask(model)).toMatchObject({
      heard: 'Yes.',
      stop: 'end',
      model: 'm',
      usage: { inputTokens: 9, reported: true },
    });
  });

  test('may have parts instead of text, reasoning among them', async () => {
    const { model } = await replay({
      packets: events(
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
        chunk({ content: [{ type: 'text', text: 'Yes.' }] }),
        STOP,
        DONE,
      ),
    });
    expect(await ask(model)).toMatchObject({ heard: 'Yes.', message: { text: 'Yes.' } });
  });

  test.each([
    ['content_filter', 'refusal'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['end_turn', 'end'],
    ['eos', 'end'],
  ])('stopped for %s is %s', async (finish_reason, stop) => {
    const { model } = await replay({
      packets: events(chunk({ content: 'Some text' }), chunk({}, { finish_reason }), DONE),
    });
    expect((await ask(model)).stop).toBe(stop);
  });

  test('with a refusal is one, and its words are heard', async () => {
    const { model } = await replay({
      packets: events(chunk({ refusal: 'I cannot ' }), chunk({ refusal: 'do that.' }), STOP, DONE),
    });
    expect(await ask(model)).toMatchObject({
      stop: 'refusal',
      heard: 'I cannot do that.',
      message: { text: 'I cannot do that.' },
    });
  });
});

import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createChatModel } from '../../src/models/create-model.ts';
import { events, type Recording, ReplayServer } from '../support/replay-server.ts';
import { ask, chunk, DONE, failure, openAiAt, question, STOP, settings } from './support.ts';

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function replay(...recordings: Recording[]) {
  server = await ReplayServer.start(...recordings);
  return { server, model: await openAiAt(server) };
}

const ANSWER = { packets: events(chunk({ content: 'Yes.' }), STOP, DONE) };

describe('a server that speaks a little differently', () => {
  test('is asked once more as it wants it, and from then on at once', async () => {
    const refused = (message: string) => ({ status: 400, packets: [JSON.stringify({ error: { message } })] });
    const { server, model } = await replay(
      refused(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
      refused('Unrecognized request argument supplied: stream_options'),
      ANSWER,
      ANSWER,
    );
    await ask(model);
    await ask(model);
    expect(server.requests).toHaveLength(4);
    expect(server.requests[3]?.body).toMatchObject({ max_completion_tokens: 1000 });
    expect(server.requests[3]?.body).not.toHaveProperty('max_tokens');
    expect(server.requests[3]?.body).not.toHaveProperty('stream_options');
  });

  test('is not asked again once text was heard', async () => {
    const error = { error: { message: 'stream_options is not supported', code: 400 } };
    const { server, model } = await replay({ packets: events(chunk({ content: 'Half' }), error) }, ANSWER);
    expect(await failure(ask(model))).toMatchObject({ code: 'model-rejected', details: { status: 400 } });
    expect(server.requests).toHaveLength(1);
  });

  test('and closes reasoning it never opens is not heard reasoning a second time', async () => {
    const packets = events(
      chunk({ content: 'Let me think' }),
      chunk({ content: '</think>The answer.' }),
      STOP,
      DONE,
    );
    const { model } = await replay({ packets }, { packets });
    expect(await ask(model)).toMatchObject({ message: { text: 'The answer.' } });
    expect(await ask(model)).toMatchObject({ message: { text: 'The answer.' }, heard: 'The answer.' });
  });
});

describe('a busy server', () => {
  test.each([429, 503])('of status %i is asked once more', async (status) => {
    const { server, model } = await replay(
      { status, headers: { 'retry-after': '0' }, packets: ['{"error":"busy"}'] },
      ANSWER,
    );
    expect((await ask(model)).message.text).toBe('Yes.');
    expect(server.requests).toHaveLength(2);
  });

  test('that stays busy, asks for a long wait, or wants money is reported', async () => {
    const busy = { status: 429, headers: { 'retry-after': '0' }, packets: ['{"error":"busy"}'] };
    const { server, model } = await replay(
      busy,
      busy,
      { status: 429, headers: { 'retry-after': '3600' }, packets: ['{"error":"busy"}'] },
      {
        status: 429,
        packets: ['{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}'],
      },
    );
    for (const count of [2, 3, 4]) {
      expect(await failure(ask(model))).toMatchObject({ code: 'model-rejected', details: { status: 429 } });
      expect(server.requests).toHaveLength(count);
    }
  });

  test('is not asked again for any other error', async () => {
    const { server, model } = await replay({ status: 500, packets: ['{"error":"crash"}'] }, ANSWER);
    expect((await failure(ask(model))).code).toBe('model-rejected');
    expect(server.requests).toHaveLength(1);
  });
});

describe('no server', () => {
  test('is told with its address and how to start one', async () => {
    const gone = await ReplayServer.start();
    const baseUrl = `${gone.origin}/v1`;
    await gone.stop();
    const model = await createChatModel(settings({ baseUrl }), {});
    const error = await failure(ask(model));
    expect(error).toMatchObject({
      code: 'model-unreachable',
      details: { url: baseUrl },
      hint: expect.stringContaining('ollama serve'),
    });
    expect(error.message).toContain('connection refused');
  });

  test('but something that speaks no HTTP is told apart', async () => {
    const other = createServer((socket) => socket.end('220 mail ready\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const model = await createChatModel(settings({ baseUrl: `http://127.0.0.1:${port}/v1` }), {});
    const error = await failure(ask(model));
    expect(error).toMatchObject({
      code: 'model-unreachable',
      message: expect.stringContaining('does not speak HTTP'),
    });
    other.close();
  });
});

describe('time', () => {
  test('runs out for a server that sends nothing, before the first byte and after it', async () => {
    for (const packets of [
      [],
      events(chunk({ content: 'Half' })),
      [events(chunk({ content: 'Half' })).join(''), ': still here\n\n'],
    ]) {
      const { server, model } = await replay({ packets, end: 'never' });
      const patient = await openAiAt(server, { seconds: 0.15 });
      expect(model.id).toBe('small-model');
      const error = await failure(ask(patient));
      expect([error.code, error.details]).toEqual(['model-timeout', { seconds: 0.15 }]);
      await server.stop();
    }
  });

  test('runs out although comments keep coming', async () => {
    const { server } = await replay({
      packets: Array.from({ length: 20 }, () => [': wait\n\n', 30]).flat(),
      end: 'never',
    });
    expect((await failure(ask(await openAiAt(server, { seconds: 0.2 })))).code).toBe('model-timeout');
  });

  test('does not run out for a slow stream that goes on', async () => {
    const slow = Array.from({ length: 8 }, (_, number) => [
      ...events(chunk({ content: `${number} ` })),
      60,
    ]).flat();
    const { server } = await replay({ packets: [...slow, ...events(STOP, DONE)] });
    const reply = await ask(await openAiAt(server, { seconds: 0.3 }));
    expect(reply.message.text.trim()).toBe('0 1 2 3 4 5 6 7');
  });

  test('ends at once when the caller stops the call, and the connection with it', async () => {
    const { server, model } = await replay({ packets: events(chunk({ content: 'Half' })), end: 'never' });
    const stop = new AbortController();
    const error = await failure(ask(model, question(), { signal: stop.signal, onText: () => stop.abort() }));
    expect(error.code).toBe('aborted');
    await expect.poll(() => server.abandoned).toBe(1);
  });

  test('ends before anything is sent when the caller has stopped already', async () => {
    const { server, model } = await replay(ANSWER);
    expect((await failure(ask(model, question(), { signal: AbortSignal.abort() }))).code).toBe('aborted');
    expect(server.requests).toEqual([]);
  });

  test('does not matter while a busy server is waited for: a stop ends the wait', async () => {
    const { model } = await replay({ status: 503, headers: { 'retry-after': '10' }, packets: [] });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    expect((await failure(ask(model, question(), { signal: stop.signal }))).code).toBe('aborted');
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { KbError } from '../../src/core/errors.ts';
import { createChatModel } from '../../src/models/create-model.ts';
import { events, namedEvents, type Recording, ReplayServer } from '../support/replay-server.ts';
import { ask, chunk, DONE, failure, openAiAt, STOP, settings } from './support.ts';

const run = promisify(execFile);
const servers: ReplayServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function serve(...recordings: Recording[]) {
  const server = await ReplayServer.start(...recordings);
  servers.push(server);
  return server;
}

const OPENAI_ANSWER = { packets: events(chunk({ content: 'Yes.' }), STOP, DONE) };
const ANTHROPIC_ANSWER = {
  packets: namedEvents(
    { type: 'message_start', message: { model: 'm', usage: { input_tokens: 3 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes.' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ),
};

test('a server on this machine is asked without a key where its variable is not set', async () => {
  const server = await serve(OPENAI_ANSWER);
  const model = await createChatModel(
    settings({ baseUrl: `${server.origin}/v1`, apiKeyEnv: 'KB_NO_KEY' }),
    {},
  );
  await ask(model);
  expect(server.requests[0]?.headers['authorization']).toBeUndefined();
});

describe('a model is not made', () => {
  const local = 'http://127.0.0.1:1/v1';
  test.each([
    ['without provider', settings({ provider: 'none' }), {}, /provider is none/u],
    [
      'for openai without base URL',
      settings(),
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: local },
      /llm\.base_url is not set/u,
    ],
    ['without model', { ...settings({ baseUrl: local }), model: ' ' }, {}, /llm\.model/u],
    [
      'without the variable of its key',
      settings({ baseUrl: 'https://models.example/v1', apiKeyEnv: 'KB_NO_KEY' }),
      {},
      /KB_NO_KEY.*not set/u,
    ],
    [
      'with an empty key',
      settings({ baseUrl: local, apiKeyEnv: 'KB_KEY' }),
      { KB_KEY: ' ' },
      /KB_KEY.*empty/u,
    ],
    [
      'with a key of two lines',
      settings({ baseUrl: local, apiKeyEnv: 'KB_KEY' }),
      { KB_KEY: 'one\ntwo-secret' },
      /KB_KEY.*characters/u,
    ],
    ['for http beyond this machine', settings({ baseUrl: 'http://example.org/v1' }), {}, /https/u],
    [
      'for an address with a password',
      settings({ baseUrl: 'https://me:two-secret@example.org/v1' }),
      {},
      /password/u,
    ],
    ['for an address that is none', settings({ baseUrl: 'localhost:1234' }), {}, /llm\.base_url/u],
    [
      'for anthropic without a key',
      settings({ provider: 'anthropic' }),
      { ANTHROPIC_API_KEY: 'k' },
      /api_key_env/u,
    ],
  ])('%s', async (_, config, environment, message) => {
    const error = await createChatModel(config, environment).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(KbError);
    expect(error).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
    expect(JSON.stringify([(error as KbError).message, (error as KbError).details])).not.toContain(
      'two-secret',
    );
  });
});

describe('a model sends', () => {
  test('no key when none is configured, the configured one otherwise, and few headers', async () => {
    const server = await serve(OPENAI_ANSWER, OPENAI_ANSWER);
    await ask(await openAiAt(server));
    await ask(await openAiAt(server, { apiKeyEnv: 'KB_KEY' }));
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[1]?.headers.authorization).toBe('Bearer secret-key-1234');
    expect(Object.keys(server.requests[0]?.headers ?? {}).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ]);
  });

  test.each(['/v1', '/v1/', '/proxy/api/v1?version=2'])('to the path of its base URL: %s', async (path) => {
    const server = await serve(OPENAI_ANSWER);
    await ask(await openAiAt(server, { baseUrl: server.origin + path }));
    const [folder, query] = path.replace(/\/$/u, '').split('?');
    expect(server.requests[0]?.path).toBe(
      `${folder}/chat/completions${query === undefined ? '' : `?${query}`}`,
    );
  });

  test('nothing but to its base URL, whatever the variables of the SDKs say', async () => {
    const wanted = await serve(OPENAI_ANSWER, ANTHROPIC_ANSWER);
    const foreign = await serve();
    const leak = 'leaked-value';
    const { stdout } = await run(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'ask-both.ts'), wanted.origin],
      {
        env: {
          HOME: import.meta.dirname,
          KB_KEY: 'secret-key-1234',
          OPENAI_BASE_URL: `${foreign.origin}/v1`,
          OPENAI_API_KEY: leak,
          OPENAI_ADMIN_KEY: leak,
          OPENAI_ORG_ID: leak,
          OPENAI_PROJECT_ID: leak,
          OPENAI_CUSTOM_HEADERS: `x-leak: ${leak}\nAuthorization: Bearer ${leak}`,
          OPENAI_LOG: 'debug',
          ANTHROPIC_BASE_URL: foreign.origin,
          ANTHROPIC_API_KEY: leak,
          ANTHROPIC_AUTH_TOKEN: leak,
          ANTHROPIC_CUSTOM_HEADERS: `x-leak: ${leak}\nx-api-key: ${leak}`,
          ANTHROPIC_PROFILE: leak,
          ANTHROPIC_LOG: 'debug',
          HTTP_PROXY: foreign.origin,
          http_proxy: foreign.origin,
        },
      },
    );
    expect(JSON.parse(stdout)).toEqual(['Yes.', 'Yes.']);
    expect(foreign.requests).toEqual([]);
    expect(wanted.requests.map((request) => request.path)).toEqual(['/v1/chat/completions', '/v1/messages']);
    expect(JSON.stringify(wanted.requests)).not.toContain(leak);
    expect(wanted.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(wanted.requests[1]?.headers).toMatchObject({
      authorization: 'Bearer secret-key-1234',
      'x-api-key': 'secret-key-1234',
    });
  });

  test('nothing of its key in any error', async () => {
    const server = await serve({
      status: 401,
      packets: ['{"error":{"message":"Incorrect API key provided: secret-key-1234"}}'],
    });
    const error = await failure(ask(await openAiAt(server, { apiKeyEnv: 'KB_KEY' })));
    expect(error.hint).toContain('KB_KEY');
    expect(`${error.message}${JSON.stringify(error.details)}${error.hint}`).not.toContain('secret-key');
  });
});

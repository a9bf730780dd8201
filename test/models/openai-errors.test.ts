import { afterEach, describe, expect, test } from 'vitest';
import type { ChatRequest } from '../../src/core/chat.ts';
import { events, type Recording, ReplayServer } from '../support/replay-server.ts';
import { ask, chunk, DONE, failure, openAiAt, question, STOP } from './support.ts';

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function replay(...recordings: Recording[]) {
  server = await ReplayServer.start(...recordings);
  return { server, model: await openAiAt(server) };
}

async function refusalOf(status: number, body: unknown, request: ChatRequest = question()) {
  const { model } = await replay({
    status,
    packets: [typeof body === 'string' ? body : JSON.stringify(body)],
  });
  return failure(ask(model, request));
}

const ANSWER = { packets: events(chunk({ content: 'Yes.' }), STOP, DONE) };

describe('a refusal', () => {
  test.each([
    ['OpenAI', { error: { message: 'You sent nonsense.', type: 'invalid_request_error', code: null } }],
    ['vLLM', { object: 'error', message: 'You sent nonsense.', type: 'BadRequestError', code: 400 }],
    ['FastAPI', { detail: [{ msg: 'You sent nonsense.', loc: ['body'] }] }],
    ['plain', { error: 'You sent nonsense.' }],
    ['text', 'You sent nonsense.'],
    ['HTML', '<html><style>p{}</style><body><p>You sent nonsense.</p></body></html>'],
    [
      'a gateway',
      {
        error: {
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"You sent nonsense."}}' },
        },
      },
    ],
  ])('of %s keeps the words and the status of the server', async (_, body) => {
    const error = await refusalOf(400, body);
    expect(error).toMatchObject({
      code: 'model-rejected',
      details: { status: 400, body: expect.stringContaining('You sent nonsense.') },
    });
    expect(error.message).toContain('You sent nonsense.');
    expect(error.message).not.toContain('{');
  });

  test('is shortened, without control characters and without the key', async () => {
    server = await ReplayServer.start({
      status: 400,
      packets: [`bad \u001b[31m secret-key-1234 ${'x'.repeat(5000)}`],
    });
    const error = await failure(ask(await openAiAt(server, { apiKeyEnv: 'KB_KEY' })));
    const shown = JSON.stringify([error.message, error.details, error.hint]);
    expect(shown).not.toContain('secret-key-1234');
    expect(shown).not.toMatch(/\\u001b/u);
    expect(error.details).toMatchObject({ body: expect.stringMatching(/^bad \[31m \*\*\* x+…$/u) });
    expect(error.message.length).toBeLessThan(1200);
  });

  test.each([
    [401, /llm\.api_key_env/u],
    [404, /ollama pull small-model.*\/v1/u],
    [402, /credit/u],
    [500, /log/u],
  ])('of status %i has a hint', async (status, hint) => {
    expect((await refusalOf(status, { error: { message: 'no' } })).hint).toMatch(hint);
  });

  test('of a redirect is not followed', async () => {
    const elsewhere = await ReplayServer.start(ANSWER);
    const { model } = await replay({
      status: 307,
      headers: { location: `${elsewhere.origin}/v1/chat/completions` },
      packets: [],
    });
    const error = await failure(ask(model));
    expect(error).toMatchObject({
      code: 'model-rejected',
      details: { status: 307 },
      hint: expect.stringContaining(elsewhere.origin),
    });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.stop();
  });

  test.each([
    ['first in a stream', [{ error: { message: 'It broke.', code: 502 } }], 502, 0],
    [
      'in the middle of a stream',
      [chunk({ content: 'Half' }), { error: { message: 'It broke.', code: 'server_error' } }],
      200,
      4,
    ],
    ['as text', [chunk({ content: 'Half' }), { error: 'It broke.' }], 200, 4],
    ["in vLLM's shape", [{ object: 'error', message: 'It broke.', code: '400' }], 400, 0],
  ])('inside a reply of status 200, %s, is one', async (_, data, status, partial) => {
    const { server, model } = await replay({ packets: events(...data, DONE) });
    const error = await failure(ask(model));
    expect(error).toMatchObject({
      code: 'model-rejected',
      details: { status, body: expect.stringContaining('It broke.') },
    });
    expect(error.message.includes(`after ${partial} characters`)).toBe(partial > 0);
    expect(server.requests).toHaveLength(1);
  });

  test('may be an event named error, or a whole body of status 200', async () => {
    const { model } = await replay(
      { packets: ['event: error\ndata: {"message":"It broke."}\n\n'] },
      { packets: ['{"error":{"message":"It broke."}}'], headers: { 'content-type': 'application/json' } },
      { packets: ['{"hello":"world"}'] },
      { packets: ['<!doctype html><title>Web UI</title>'], headers: { 'content-type': 'text/html' } },
    );
    expect((await failure(ask(model))).message).toContain('It broke.');
    expect(await failure(ask(model))).toMatchObject({ code: 'model-rejected', details: { status: 200 } });
    expect((await failure(ask(model))).code).toBe('model-malformed');
    expect(await failure(ask(model))).toMatchObject({
      code: 'model-malformed',
      hint: expect.stringContaining('/v1'),
    });
  });
});

describe('a prompt too long for the server', () => {
  test.each([
    [
      'llama.cpp',
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 5000,
          n_ctx: 4096,
        },
      },
      { window: 4096, prompt: 5000 },
    ],
    [
      'llama.cpp in words',
      {
        error: {
          message:
            'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
        },
      },
      { window: 4096, prompt: 5000 },
    ],
    [
      'OpenAI',
      {
        error: {
          message:
            "This model's maximum context length is 4097 tokens. However, your messages resulted in 4500 tokens. Please reduce the length of the messages.",
          code: 'context_length_exceeded',
        },
      },
      { window: 4097, prompt: 4500 },
    ],
    [
      'vLLM',
      {
        object: 'error',
        message:
          "This model's maximum context length is 2048 tokens. However, you requested 2900 tokens (1900 in the messages, 1000 in the completion).",
      },
      { window: 2048, prompt: 1900 },
    ],
    [
      'vLLM without parts',
      {
        object: 'error',
        message: "This model's maximum context length is 2048 tokens. However, you requested 3048 tokens.",
      },
      { window: 2048, prompt: 2048 },
    ],
    [
      'LM Studio',
      {
        error:
          'Trying to keep the first 5123 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
      },
      { window: 4096, prompt: 5123 },
    ],
    [
      'Mistral',
      {
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      },
      { window: 32_768, prompt: 40_000 },
    ],
    [
      'Groq',
      {
        error: {
          message: 'Please reduce the length of the messages or completion.',
          code: 'context_length_exceeded',
        },
      },
      {},
    ],
    ['Ollama', { error: { message: 'the input length exceeds the context length' } }, {}],
  ])('is an overflow with the numbers %s gives', async (_, body, details) => {
    const error = await refusalOf(400, body);
    expect([error.code, error.details]).toEqual(['model-overflow', details]);
    expect(error.hint).toContain('max_injected_tokens');
  });

  test('is one as an error of status 500 or 200 too', async () => {
    const body = {
      error: { type: 'exceed_context_size_error', message: 'too long', n_prompt_tokens: 9, n_ctx: 8 },
    };
    expect((await refusalOf(500, body)).code).toBe('model-overflow');
    await server?.stop();
    const { model } = await replay({ packets: events(body) });
    expect((await failure(ask(model))).code).toBe('model-overflow');
  });

  test('is not what a limit on tokens a minute reports', async () => {
    const error = await refusalOf(413, {
      error: {
        message:
          'Request too large for model: tokens per minute (TPM): Limit 6000, Requested 8000, exceeds the context',
      },
    });
    expect(error.code).toBe('model-rejected');
  });

  test('only with the answer beside it is asked again with a shorter answer', async () => {
    const words =
      "This model's maximum context length is 2048 tokens. However, you requested 2500 tokens (1500 in the messages, 1000 in the completion).";
    const { server, model } = await replay(
      { status: 400, packets: [JSON.stringify({ message: words })] },
      ANSWER,
    );
    expect((await ask(model)).message.text).toBe('Yes.');
    expect(server.requests.map((request) => request.body?.['max_tokens'])).toEqual([1000, 2048 - 1500 - 32]);
  });
});

describe('a server or model without tools', () => {
  test.each([
    ['registry.ollama.ai/library/gemma:2b does not support tools', /template/u],
    ['No endpoints found that support tool use. Try disabling "knowledge_search".', /llm\.model/u],
    ['tools param requires --jinja flag', /--jinja/u],
    ['Unsupported param: tools', /--jinja/u],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', /vLLM/u],
    ['Function calling is not enabled for models/gemma-3', /direct/u],
  ])('is said to be one: %s', async (message, hint) => {
    const error = await refusalOf(400, { error: { message } });
    expect(error).toMatchObject({
      code: 'model-no-tools',
      details: { model: 'small-model' },
      hint: expect.stringMatching(hint),
    });
    expect(error.message).toContain(message);
    await server?.stop();
    expect((await refusalOf(400, { error: { message } }, question({ tools: [] }))).code).toBe(
      'model-rejected',
    );
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { REMARK, UNBACKED } from '../../src/agent/answer.ts';
import { ask } from '../../src/agent/ask.ts';
import { KbError } from '../../src/core/errors.ts';
import { anthropicAt } from '../models/support.ts';
import { PAGES } from '../support/asking.ts';
import { MemoryKnowledge } from '../support/memory-knowledge.ts';
import { namedEvents, type Recording, ReplayServer } from '../support/replay-server.ts';

/** The whole way from the wire to the answer, against a server that speaks Anthropic's protocol and misbehaves. */

let server: ReplayServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function answerOf(...recordings: readonly Recording[]) {
  server = await ReplayServer.start(...recordings);
  const answer = await ask('How often does the agent run?', {
    model: await anthropicAt(server),
    knowledge: new MemoryKnowledge(PAGES),
    mode: 'tools',
    budget: { turns: 6, toolCalls: 8, tokens: 100_000, seconds: 60 },
    replyTokens: 500,
    topK: 1,
    maxInjectedTokens: 2000,
    readTool: true,
    signal: new AbortController().signal,
    emit: () => undefined,
    now: () => 0,
  });
  return { answer, requests: server.requests };
}

type Event = { readonly type: string; readonly [key: string]: unknown };
const START: Event = {
  type: 'message_start',
  message: { model: 'claude-test-1', usage: { input_tokens: 10, output_tokens: 1 } },
};

function message(stop: string | null, ...blocks: readonly (readonly Event[])[]): Recording {
  const end: Event = { type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: 5 } };
  return { packets: namedEvents(START, ...blocks.flat(), end, { type: 'message_stop' }) };
}

function text(value: string, index = 0): readonly Event[] {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: value } },
    { type: 'content_block_stop', index },
  ];
}

function toolUse(name: string, json: string, index = 0): readonly Event[] {
  return [
    {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: `toolu_${name}_${json.length}`, name, input: {} },
    },
    { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: json } },
    { type: 'content_block_stop', index },
  ];
}

const says = (value: string): Recording => message('end_turn', text(value));
const calls = (json = '{"query":"agent run"}', name = 'knowledge_search'): Recording =>
  message('tool_use', toolUse(name, json));

describe('an Anthropic server that misbehaves', () => {
  test('with an invented ref is asked once more, and the ref is never a source', async () => {
    const { answer, requests } = await answerOf(
      calls(),
      says('Every 30 minutes (#zzzzzz).'),
      says('Every 30 minutes (#agenta)(#zzzzzz). See #qwerty.'),
    );
    expect(requests[2]?.text).toContain('#zzzzzz: no section has this ref');
    expect(answer).toMatchObject({ outcome: 'answered', markdown: 'Every 30 minutes [1]. See.' });
    expect(answer.citations.map((citation) => citation.ref)).toEqual(['agenta']);
    expect(answer.removed.map((one) => one.text)).toEqual(['#zzzzzz', '#qwerty']);
  });

  test('citing a section it never saw, quoting what is not there and changing a number is reported', async () => {
    const said = says(
      'It "runs twice every single day" (#agenta). Every 45 minutes (#agenta). Port 8081 (#dbdbdb).',
    );
    const { answer } = await answerOf(calls(), said, said);
    expect(answer.removed).toEqual([{ text: '#dbdbdb', reason: 'not-shown' }]);
    expect(answer.unsupported.map((one) => one.kind)).toEqual(['quote', 'number']);
    expect(answer.citations.map((citation) => citation.ref)).toEqual(['agenta']);
  });

  test('that repeats one call forever runs it once and ends without tools', async () => {
    const { answer, requests } = await answerOf(calls(), calls(), calls(), calls(), says('Daily (#agenta).'));
    expect(requests.at(-1)?.body?.['tool_choice']).toEqual({ type: 'none' });
    expect(answer.outcome).toBe('answered');
    expect(answer.warnings.join()).toMatch(/call/u);
  });

  test('that is cut by length inside a call runs none', async () => {
    const cut = message('max_tokens', toolUse('knowledge_search', '{"query":"agent'));
    const { answer } = await answerOf(cut, cut, says('I do not know.'), says('Still not.'));
    expect(answer).toMatchObject({ outcome: 'not-found', citations: [], spend: { toolCalls: 0 } });
    expect(answer.markdown.startsWith(UNBACKED)).toBe(true);
  });

  test.each([
    ['arguments that are no JSON', calls('{"query": agent}')],
    ['arguments that are a list', calls('["agent"]')],
    ['a tool that does not exist', calls('{"path":"/etc/passwd"}', 'read_file')],
    ['no arguments', calls('')],
  ])('with %s gets the error back and may go on', async (_, call) => {
    const { answer, requests } = await answerOf(call, calls(), says('Every 30 minutes (#agenta).'));
    expect(requests[1]?.text).toMatch(/"is_error":true|was not run/u);
    expect(answer).toMatchObject({ outcome: 'answered', markdown: 'Every 30 minutes [1].' });
  });

  test('without any text, or with thinking alone, ends honestly', async () => {
    const thinking: Recording = message('end_turn', [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm (#agenta).' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'eA==' } },
      { type: 'content_block_stop', index: 0 },
    ]);
    for (const silent of [says(''), says(' \n'), thinking, message('end_turn')]) {
      const { answer } = await answerOf(calls(), silent, silent, silent);
      expect(answer).toMatchObject({ outcome: 'not-found', citations: [] });
      expect(answer.markdown).toBe('No answer was found in the knowledge base.');
      await server?.stop();
    }
  });

  test('that emits escape sequences, links and sources of its own is made inert', async () => {
    const { answer } = await answerOf(
      calls(),
      says(
        '\u001b]8;;https://evil.example\u0007Every\u001b]8;;\u0007 30 minutes\u009b2J \u202e(#agenta) ' +
          '![x](https://evil.example/x) <img src=x onerror=alert(1)>\n\nSources:\n- https://evil.example',
      ),
    );
    expect(JSON.stringify(answer)).not.toMatch(/\\u001b|\\u0007|\u202e|\u009b/u);
    expect(answer.markdown).not.toMatch(/(?<!`)https:|(?<!\\)<img|evil\.example\/x/u);
    expect(answer.citations.map((citation) => citation.ref)).toEqual(['agenta']);
  });

  test('that refuses, or says NOT FOUND with a claim, is labelled', async () => {
    const refused = await answerOf(calls(), message('refusal', text('I cannot.')));
    expect(refused.answer).toMatchObject({ outcome: 'refused', citations: [] });
    expect(refused.answer.markdown.startsWith(UNBACKED)).toBe(true);
    await server?.stop();
    const { answer } = await answerOf(calls(), says('NOT FOUND: it runs every 99 minutes (#agenta).'));
    expect(answer).toMatchObject({ outcome: 'not-found', citations: [] });
    expect(answer.markdown).toBe(`${REMARK}\n\nit runs every 99 minutes.`);
  });

  test.each([
    [
      'breaks off in the middle',
      {
        ...says('Every 30 minutes (#agenta).'),
        end: 'cut' as const,
        packets: namedEvents(START, ...text('Every')),
      },
    ],
    [
      'sends an error in its stream',
      {
        packets: namedEvents(START, {
          type: 'error',
          error: { type: 'overloaded_error', message: 'busy \u001b[31m' },
        }),
      },
    ],
    ['sends no event at all', { packets: ['hello'] }],
    ['sends a page of HTML', { headers: { 'content-type': 'text/html' }, packets: ['<html>login</html>'] }],
    ['sends half of an event', { packets: ['event: message_start\ndata: {"type":"mess'] }],
  ])('that %s is a KbError without a source', async (_, bad: Recording) => {
    const ended = await answerOf(calls(), bad, bad, bad, bad).catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(KbError);
    expect((ended as KbError).code).toMatch(/^model-/u);
    expect((ended as KbError).message).not.toContain('\u001b');
  });
});

import { describe, expect, test } from 'vitest';
import type { AskOptions } from '../../src/agent/ask.ts';
import type { ChatReply, ChatRequest, Message } from '../../src/core/chat.ts';
import { KbError } from '../../src/core/errors.ts';
import { askScripted, callsTools, PAGES, searches, typesOf } from '../support/asking.ts';
import { MemoryKnowledge } from '../support/memory-knowledge.ts';
import { says } from '../support/scripted-model.ts';

const ROOM = { turns: 6, toolCalls: 8, tokens: 100_000, seconds: 60 };
const answer = says('Every 30 minutes (#agenta).');
const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 0, cachedTokens: 0, reported: true });

describe('when the budget ends, one last turn without tools says what is known', () => {
  test.each([
    ['turns', { turns: 1 }, 1],
    ['toolCalls', { toolCalls: 1 }, 1],
    ['tokens', { tokens: 50 }, 1],
  ])('%s', async (_, budget, toolCalls) => {
    const asked = await askScripted([searches(), answer], { budget: { ...ROOM, ...budget } });
    expect(asked.model.requests[1]).toMatchObject({ tools: [] });
    expect(asked.model.requests[1]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining('No more tool calls'),
    });
    expect(asked.answer).toMatchObject({
      outcome: 'out-of-budget',
      markdown: 'Every 30 minutes [1].',
      spend: { turns: 2, toolCalls },
    });
  });

  test('seconds', async () => {
    let time = 0;
    const now = () => (time += 4000);
    const asked = await askScripted([searches(), searches('other'), answer], {
      budget: { ...ROOM, seconds: 30 },
      now,
    });
    expect(asked.answer.outcome).toBe('out-of-budget');
    expect(asked.answer.spend.seconds).toBeGreaterThan(30);
  });

  test('a server that reports no usage does not make the token budget endless', async () => {
    const silent = { ...searches(), usage: { ...usage(0), reported: false } };
    const asked = await askScripted([silent, answer], { budget: { ...ROOM, tokens: 200 } });
    expect(asked.answer.outcome).toBe('out-of-budget');
  });

  test('an answer with bad refs is not repaired, only cleaned', async () => {
    const asked = await askScripted([searches(), says('Yes (#zzzzzz).')], { budget: { ...ROOM, turns: 1 } });
    expect(asked.answer).toMatchObject({
      outcome: 'out-of-budget',
      citations: [],
      removed: [{ text: '#zzzzzz' }],
    });
  });

  test('nothing known is said so', async () => {
    const asked = await askScripted([searches(), says('')], { budget: { ...ROOM, turns: 1 } });
    expect(asked.answer).toMatchObject({
      outcome: 'out-of-budget',
      markdown: 'The budget ended before an answer was found.',
    });
  });
});

test('parallel calls are answered together in one message, in order, those over the budget with a note', async () => {
  const both = callsTools(
    ['knowledge_search', { query: 'agent' }],
    ['knowledge_search', { query: 'certificates' }],
    ['knowledge_search', { query: 'database' }],
  );
  const { model, knowledge } = await askScripted([both, answer], { budget: { ...ROOM, toolCalls: 2 } });
  expect(knowledge.searches.map((query) => query.text)).toEqual(['agent', 'certificates']);
  const last = model.requests[1]?.messages.at(-2);
  expect(last).toMatchObject({
    role: 'tool',
    outcomes: [
      { callId: 'call-1', ok: true },
      { callId: 'call-2', ok: true },
      { callId: 'call-3', ok: false, text: expect.stringContaining('no tool calls are left') },
    ],
  });
});

/** Without usage nothing can be concluded about the prompt. */
const quiet = (reply: ChatReply): ChatReply => ({ ...reply, usage: { ...usage(0), reported: false } });

const LONG = new MemoryKnowledge(
  PAGES.map((page) => ({
    ...page,
    markdown: `${page.markdown}\n${'More about the agent run and its database.\n'.repeat(80)}`,
  })),
);
const long: Partial<AskOptions> = { knowledge: LONG, maxInjectedTokens: 4000, topK: 3 };

function toolTexts(request: ChatRequest | undefined): readonly string[] {
  const tool = (message: Message) =>
    message.role === 'tool' ? message.outcomes.map((outcome) => outcome.text) : [];
  return (request?.messages ?? []).flatMap(tool);
}

test('old results are left out at pair boundaries when the prompt grows too long, and still count as shown', async () => {
  const { answer: got, model } = await askScripted(
    ['agent', 'certificates', 'database', 'agent']
      .map((query) => quiet(searches(query)))
      .concat(quiet(answer)),
    { ...long, promptLimit: 2500 },
  );
  const texts = toolTexts(model.requests[3]);
  expect(texts.map((text) => text.startsWith('['))).toEqual([true, true, false]);
  expect(texts[0]).toContain('#agenta');
  for (const request of model.requests) {
    const ids = request.messages.flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.length : [],
    );
    expect(request.messages.filter((message) => message.role === 'tool')).toHaveLength(ids.length);
  }
  // The first search was left out, so asking it again is no repetition.
  expect(LONG.searches.filter((query) => query.text === 'agent')).toHaveLength(2);
  expect(got).toMatchObject({ outcome: 'answered', warnings: [] });
});

describe('a prompt that does not fit', () => {
  const overflow = () => new KbError('model-overflow', 'too long', { window: 2500, prompt: 5000 });

  test('is given once more with less of the sections, and only those count as shown', async () => {
    const wide = quiet(callsTools(['knowledge_search', { query: 'agent run interval', top_k: 3 }]));
    const { answer: got, model } = await askScripted(
      [wide, overflow(), quiet(says('Runs (#agenta) (#dbdbdb).')), quiet(says('Runs (#agenta) (#dbdbdb).'))],
      long,
    );
    const [before = '', after = ''] = [toolTexts(model.requests[1])[0], toolTexts(model.requests[2])[0]];
    expect(after.length).toBeLessThan(before.length / 2);
    expect(after).toMatch(/END KNOWLEDGE [0-9a-f]+$/u);
    expect(got).toMatchObject({ markdown: 'Runs [1].', removed: [{ text: '#dbdbdb', reason: 'not-shown' }] });
    expect(got.warnings.join()).toContain('did not fit');
  });

  test('twice is an error of the model', async () => {
    await expect(askScripted([searches(), overflow(), overflow()], long)).rejects.toMatchObject({
      code: 'model-overflow',
    });
    await expect(askScripted([overflow()], { mode: 'extract' })).resolves.toBeDefined();
  });

  test('in direct mode the evidence before the question is made smaller', async () => {
    const { model, answer: got } = await askScripted([overflow(), answer], { ...long, mode: 'direct' });
    const size = (index: number) => JSON.stringify(model.requests[index]?.messages).length;
    expect(size(1)).toBeLessThan(size(0));
    expect(got.outcome).toBe('answered');
  });
});

describe('a server that cuts the prompt without a word', () => {
  const wide = callsTools(['knowledge_search', { query: 'agent run interval', top_k: 3 }]);

  test('is asked again with less, and the run says so', async () => {
    const {
      answer: got,
      events,
      model,
    } = await askScripted([wide, { ...says('cut (#caaaaa)'), usage: usage(900) }, quiet(answer)], long);
    expect(model.requests).toHaveLength(3);
    expect(typesOf(events)).toContain('warning context-cut');
    expect(got.markdown).toBe('Every 30 minutes [1].');
    expect(got.warnings.join()).toContain('asked again with less');
  });

  test('again and again is never called grounded: the answer carries the warning', async () => {
    const cut = { ...answer, usage: usage(300) };
    const { answer: got } = await askScripted([wide, cut, cut], {
      ...long,
      systemPrompt: 'Be brief. '.repeat(800),
    });
    expect(got.outcome).toBe('answered');
    expect(got.warnings.join('\n')).toContain('may not rest on the sections it cites');
  });

  test('is not suspected for unreported usage, a short prompt or a cached one', async () => {
    for (const one of [{ ...usage(0), reported: false }, { ...usage(20), cachedTokens: 6000 }, usage(6000)]) {
      const { answer: got } = await askScripted([wide, { ...answer, usage: one }], long);
      expect(got.warnings).toEqual([]);
    }
    expect((await askScripted([searches(), { ...answer, usage: usage(10) }])).answer.warnings).toEqual([]);
  });
});

test('another model than the one asked for is reported', async () => {
  const other = await askScripted([searches(), { ...answer, model: 'llama3:8b' }]);
  expect(other.answer.warnings.join()).toContain('llama3:8b');
  const same = await askScripted([searches(), { ...answer, model: 'scripted:latest' }]);
  expect(same.answer.warnings).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { UNBACKED } from '../../src/agent/answer.ts';
import { askScripted, callsTools, searches, typesOf } from '../support/asking.ts';
import { says } from '../support/scripted-model.ts';

describe('a model that misbehaves', () => {
  test('an invented ref gets one repair turn with the reason, then is removed and reported', async () => {
    const { answer, events, model } = await askScripted([
      searches(),
      says('Every 30 minutes (#zzzzzz).'),
      says('Every 30 minutes (#agenta)(#zzzzzz).'),
    ]);
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining('#zzzzzz: no section has this ref'),
    });
    expect(model.requests[2]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining('You can cite: (#agenta)'),
    });
    expect(answer).toMatchObject({
      outcome: 'answered',
      markdown: 'Every 30 minutes [1].',
      removed: [{ text: '#zzzzzz', reason: 'unknown' }],
    });
    expect(typesOf(events)).toEqual(
      expect.arrayContaining(['warning citation-repair', 'text-withdrawn', 'warning citation-removed']),
    );
  });

  test('a section that exists but was never shown is no source', async () => {
    const text = 'Every 30 minutes (#agenta). The port is 8081 (#dbdbdb).';
    const { answer } = await askScripted([searches(), says(text), says(text)]);
    expect(answer.markdown).toBe('Every 30 minutes [1]. The port is 8081.');
    expect(answer.removed).toEqual([{ text: '#dbdbdb', reason: 'not-shown' }]);
    expect(answer.citations.map((citation) => citation.ref)).toEqual(['agenta']);
    expect(answer.sentences).toEqual({ total: 2, uncited: 1 });
  });

  test('a table of contents shows no section', async () => {
    const text = 'Every 30 minutes (#agenta).';
    const { answer } = await askScripted([callsTools(['knowledge_enumerate', {}]), says(text), says(text)]);
    expect(answer).toMatchObject({
      outcome: 'not-found',
      citations: [],
      removed: [{ text: '#agenta', reason: 'not-shown' }],
    });
    expect(answer.markdown).toBe(`${UNBACKED}\n\nEvery 30 minutes.`);
  });

  test('words that are not there and a changed number are marked', async () => {
    const { answer, events } = await askScripted([
      searches(),
      says('It says "the agent runs twice a day" (#agenta). It runs every 45 minutes (#agenta).'),
    ]);
    expect(answer.outcome).toBe('answered');
    expect(answer.unsupported).toMatchObject([
      { kind: 'quote', text: 'the agent runs twice a day', refs: ['agenta'] },
      { kind: 'number', text: '45 minutes', refs: ['agenta'] },
    ]);
    expect(typesOf(events).filter((type) => type === 'warning citation-unsupported')).toHaveLength(2);
  });

  test('one call forever is broken: it runs once, is answered with a note, and ends in a turn without tools', async () => {
    const { answer, model, knowledge, events } = await askScripted([
      searches(),
      searches(),
      searches(),
      searches(),
      says('Every 30 minutes (#agenta).'),
    ]);
    expect(knowledge.searches).toHaveLength(1);
    expect(model.requests[4]?.tools).toEqual([]);
    expect(answer).toMatchObject({ outcome: 'answered', markdown: 'Every 30 minutes [1].' });
    expect(typesOf(events)).toContain('warning call-repeated');
    const noted = model.requests[2]?.messages.at(-1);
    expect(noted).toMatchObject({
      role: 'tool',
      outcomes: [{ ok: false, text: expect.stringContaining('same call') }],
    });
  });

  test('calls of a reply cut by length are never run', async () => {
    const cut = { ...searches(), stop: 'length' as const };
    const { answer, model, knowledge, events } = await askScripted([
      cut,
      cut,
      says('I do not know.'),
      says('Still nothing.'),
    ]);
    expect(knowledge.searches).toEqual([]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('cut by the output limit'),
    });
    expect(model.requests[2]?.tools).toEqual([]);
    expect(typesOf(events)).toContain('warning reply-truncated');
    expect(answer).toMatchObject({ outcome: 'not-found', citations: [] });
  });

  test('an answer cut by length is kept, with a warning and without its half citation', async () => {
    const { answer } = await askScripted([
      searches(),
      says('Every 30 minutes (#agenta). And (#age', { stop: 'length' }),
    ]);
    expect(answer).toMatchObject({ outcome: 'answered', markdown: 'Every 30 minutes [1]. And' });
    expect(answer.warnings).toEqual(['the answer was cut by the output limit']);
  });

  test('no text gets one nudge, then an honest failure', async () => {
    const { answer, model } = await askScripted([searches(), says(''), says(' \n')]);
    expect(model.requests).toHaveLength(3);
    expect(answer).toMatchObject({
      outcome: 'not-found',
      citations: [],
      markdown: 'No answer was found in the knowledge base.',
    });
    expect(answer.warnings).toEqual(['the model replied without any text']);
  });

  test('escape sequences reach neither the stream nor the answer', async () => {
    const { answer, events } = await askScripted([
      searches(),
      says('\u001b]8;;https://evil.example\u0007Every\u001b]8;;\u0007 30 minutes \u202e(#agenta).\u009b2J'),
    ]);
    const all = JSON.stringify([answer, events.filter((event) => event.type !== 'tool-call')]);
    expect(all).not.toMatch(/\\u001b|\\u0007|\u202e|\u009b/u);
    expect(answer.markdown).not.toMatch(/(?<!`)https:/u);
    expect(answer.citations).toHaveLength(1);
  });

  test('links, images and its own sources are inert and reported', async () => {
    const { answer } = await askScripted([
      searches(),
      says(
        'Every 30 minutes (#agenta) [1], see [x](https://evil.example) ![y](https://evil.example/y).\n\nSources:\n- https://evil.example',
      ),
    ]);
    expect(answer.markdown).toBe('Every 30 minutes [1], see x y.');
    expect(answer.removed).toEqual([{ text: '[1]', reason: 'malformed' }]);
    expect(answer.warnings.join('\n')).toContain('list of sources was taken out');
  });

  test('an answer without citations is asked for again, then shown as not from the knowledge base', async () => {
    const { answer, model } = await askScripted([says('Every hour.'), says('Every hour, trust me.')]);
    expect(model.requests).toHaveLength(2);
    expect(answer).toMatchObject({
      outcome: 'not-found',
      citations: [],
      markdown: `${UNBACKED}\n\nEvery hour, trust me.`,
    });
  });

  test('a repair that is worse does not replace the first answer', async () => {
    const first = says('Every 30 minutes (#agenta)(#zzzzzz).');
    const { answer } = await askScripted([searches(), first, says('Sorry about that.')]);
    expect(answer).toMatchObject({ outcome: 'answered', markdown: 'Every 30 minutes [1].' });
    expect((await askScripted([searches(), first, says('')])).answer.markdown).toBe('Every 30 minutes [1].');
  });

  test('a wrong tool, wrong arguments and an unknown ref go back to it as errors', async () => {
    const { answer, model } = await askScripted([
      callsTools(['lookup', {}], ['knowledge_search', { q: 'x' }], ['knowledge_read', { ref: 'zzzzzz' }]),
      callsTools(['knowledge_read', { ref: '(#agenta)' }]),
      says('Every 30 minutes (#agenta).'),
    ]);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      outcomes: [
        { callId: 'call-1', ok: false, text: expect.stringContaining('no tool "lookup"') },
        { callId: 'call-2', ok: false, text: expect.stringContaining('no parameter "q"') },
        { callId: 'call-3', ok: false, text: expect.stringContaining('nearest: agenta') },
      ],
    });
    expect(answer.outcome).toBe('answered');
  });
});

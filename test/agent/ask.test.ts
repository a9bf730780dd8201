import { describe, expect, test } from 'vitest';
import { REMARK, UNBACKED } from '../../src/agent/answer.ts';
import { KbError } from '../../src/core/errors.ts';
import { askScripted, searches, typesOf } from '../support/asking.ts';
import { MemoryKnowledge } from '../support/memory-knowledge.ts';
import { says } from '../support/scripted-model.ts';

test('a model that searches and cites gets a checked answer with numbered citations', async () => {
  const { answer, events, model } = await askScripted([searches(), says('Every 30 minutes (#agenta).')]);
  expect(answer).toMatchObject({
    outcome: 'answered',
    markdown: 'Every 30 minutes [1].',
    citations: [{ marker: 1, ref: 'agenta', url: 'https://docs.example.org/agent.html#run-interval' }],
    removed: [],
    unsupported: [],
    sentences: { total: 1, uncited: 0 },
    mode: 'tools',
    model: 'scripted',
    tier: 'tier: lexical (FTS5) - no embeddings configured',
    spend: { turns: 2, toolCalls: 1 },
    warnings: [],
  });
  expect(typesOf(events).filter((type) => type !== 'text-delta')).toEqual([
    'session-start',
    'turn-start',
    'turn-end',
    'tool-call',
    'tool-result',
    'turn-start',
    'turn-end',
    'session-end',
  ]);
  const streamed = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  expect(streamed).toBe('Every 30 minutes (#agenta).');
  expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool']);
  expect(model.requests[0]?.system).toBe(model.requests[1]?.system);
});

test('a model that says it found nothing is believed, and cites nothing', async () => {
  const { answer, model } = await askScripted([
    searches('agent'),
    says('NOT FOUND: kafka is not covered (#agenta).'),
  ]);
  expect(model.requests).toHaveLength(2);
  expect(answer).toMatchObject({
    outcome: 'not-found',
    citations: [],
    markdown: `${REMARK}\n\nkafka is not covered.`,
    warnings: [],
  });
});

test('a refusal is an outcome', async () => {
  const { answer } = await askScripted([says('I cannot help.', { stop: 'refusal' })]);
  expect(answer).toMatchObject({ outcome: 'refused', markdown: `${UNBACKED}\n\nI cannot help.` });
});

test('a stopped question ends as aborted with the text so far, checked', async () => {
  const stop = new AbortController();
  const { answer, events } = await askScripted(
    [
      searches(),
      (_request, { onText }) => {
        onText?.('Every 30 minutes (#agenta). Also (#zzz');
        stop.abort();
        throw new KbError('aborted', 'stopped', {});
      },
    ],
    { signal: stop.signal },
  );
  expect(answer).toMatchObject({ outcome: 'aborted' });
  expect(answer.markdown).toContain('Every 30 minutes');
  expect(events.at(-1)?.type).toBe('session-end');
});

test('errors of the model leave as KbErrors', async () => {
  const failure = new KbError('model-unreachable', 'no connection', { url: 'http://127.0.0.1:1' });
  await expect(askScripted([() => Promise.reject(failure)])).rejects.toBe(failure);
  await expect(askScripted([], { mode: 'direct', model: undefined as never })).rejects.toMatchObject({
    code: 'usage-invalid',
  });
});

test('nothing indexed is an answer that names the next command, without a call', async () => {
  const knowledge = new MemoryKnowledge([]);
  knowledge.status = 'index_not_built';
  for (const mode of ['tools', 'direct', 'extract'] as const) {
    const { answer, model } = await askScripted([], { knowledge, mode });
    expect(answer).toMatchObject({ outcome: 'not-found', citations: [], mode });
    expect(answer.markdown).toContain('kb ingest');
    expect(model.requests).toEqual([]);
  }
});

describe('direct mode', () => {
  test('retrieves first and calls once without tools', async () => {
    const { answer, model, knowledge } = await askScripted([says('Every 30 minutes (#agenta).')], {
      mode: 'direct',
    });
    expect(knowledge.searches).toHaveLength(1);
    expect(model.requests[0]?.tools).toEqual([]);
    expect(model.requests[0]?.messages).toMatchObject([
      { role: 'user', text: expect.stringMatching(/BEGIN KNOWLEDGE[\s\S]*Question: How often/u) },
    ]);
    expect(answer).toMatchObject({ outcome: 'answered', mode: 'direct', markdown: 'Every 30 minutes [1].' });
  });

  test('calls nobody when nothing was found', async () => {
    const { answer, model } = await askScripted([], { mode: 'direct', question: 'kafka?' });
    expect(model.requests).toEqual([]);
    expect(answer).toMatchObject({
      outcome: 'not-found',
      markdown: 'The knowledge base does not answer this question.',
    });
  });

  test('is where a model ends that cannot call tools', async () => {
    const { answer, events } = await askScripted([
      () => Promise.reject(new KbError('model-no-tools', 'no tools', { model: 'x' })),
      says('Every 30 minutes (#agenta).'),
    ]);
    expect(answer).toMatchObject({ outcome: 'answered', mode: 'direct' });
    expect(typesOf(events)).toContain('warning tools-unsupported');
  });

  test('a degraded tier is told', async () => {
    const knowledge = new MemoryKnowledge([
      { path: 'a.md', headings: ['Agent'], markdown: 'agent run', ref: 'agenta' },
    ]);
    knowledge.tier = 'tier: hybrid -> DEGRADED to lexical (embeddings unreachable: refused)';
    for (const mode of ['direct', 'tools', 'extract'] as const) {
      const { answer, events } = await askScripted([says('NOT FOUND')], {
        mode,
        knowledge,
        question: 'agent run',
      });
      expect(answer.tier).toContain('DEGRADED');
      expect(answer.warnings).toContain(knowledge.tier);
      expect(typesOf(events)).toContain('warning tier-degraded');
    }
  });
});

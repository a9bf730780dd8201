import { describe, expect, test } from 'vitest';
import { askScripted, searches } from '../support/asking.ts';
import { says } from '../support/scripted-model.ts';

describe('a reply that is no text', () => {
  test.each([
    '\u200b\u2060\ufeff',
    ' \u00a0\u200b ',
    '\u001b[2J\u0007',
    '\u001b]8;;https://evil.example\u0007\u001b]8;;\u0007',
  ])('of invisible characters alone counts as empty: %j', async (text) => {
    const { answer } = await askScripted([searches(), says(text), says(text)]);
    expect(answer).toMatchObject({
      outcome: 'not-found',
      markdown: 'No answer was found in the knowledge base.',
      warnings: ['the model replied without any text'],
    });
  });

  test.each([
    '<tool_call>{"name":"knowledge_search","arguments":{"query":"agent"}}</tool_call>',
    '{"name": "knowledge_search", "arguments": {"query": "agent"}}',
    '<function=knowledge_search><parameter=query>agent</parameter>',
    '[TOOL_CALLS][{"name":"knowledge_search"}]',
  ])('of a call written as text after the last call is not shown as the answer: %s', async (text) => {
    const { answer } = await askScripted([searches(), searches(), searches(), searches(), says(text)]);
    expect(answer).toMatchObject({
      outcome: 'not-found',
      markdown: 'No answer was found in the knowledge base.',
    });
  });
});

test('an endless reply is cut, and the answer says so', async () => {
  const text = 'Every 30 minutes (#agenta). '.repeat(200_000);
  const { answer } = await askScripted([searches(), says(text)]);
  expect(answer.outcome).toBe('answered');
  expect(answer.markdown.length).toBeLessThanOrEqual(50_000);
  expect(answer.warnings).toEqual(['the reply was longer than it may be; after 50000 characters it was cut']);
});

test('escape sequences leave nothing behind, and citations split by hidden characters hold', async () => {
  const text =
    '\u001b]8;;https://evil.example\u0007Every\u001b]8;;\u001b\\ \u001b[31m30\u001b[0m min\u00adutes (#age\u200bnta\u{e0041}).';
  const { answer } = await askScripted([searches(), says(text)]);
  expect(answer).toMatchObject({ markdown: 'Every 30 minutes [1].', unsupported: [], removed: [] });
});

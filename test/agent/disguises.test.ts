import { describe, expect, test } from 'vitest';
import { REMARK } from '../../src/agent/answer.ts';
import { checkAnswer, repairReasons } from '../../src/agent/gate.ts';
import type { Ref } from '../../src/core/ref.ts';
import { askScripted, searches } from '../support/asking.ts';
import { MemoryKnowledge } from '../support/memory-knowledge.ts';
import { says } from '../support/scripted-model.ts';

const page = (path: string, ref: string, markdown: string) => ({
  path,
  ref,
  markdown,
  headings: ['Page', 'Part'],
});
const knowledge = new MemoryKnowledge([
  page('docs/a.md', 'abc234', '## Part\n\nThe agent runs. The channel is #gen567s, see (other.md#part).\n'),
  page('docs/b.md', 'bcd345', '## Part\n\nThe server listens.\n'),
]);
const shown = new Map<Ref, string>(knowledge.sections.slice(0, 1).map((one) => [one.ref, one.markdown]));
const check = (text: string) => checkAnswer(text, { shown, knowledge });

describe('a citation in disguise', () => {
  test.each([
    ['It runs #abc234.', 'It runs [1].'],
    ['It runs (#abc234; see also #abc234).', 'It runs [1].'],
    ['According to #ABC234, it runs.', 'According to [1], it runs.'],
    ['It runs (**#abc234**).', 'It runs [1].'],
    ['It runs (＃abc234).', 'It runs [1].'],
    ['It runs (#\nabc234).', 'It runs [1].'],
    ['It runs [1](#abc234).', 'It runs [1].'],
    ['It runs[^abc234].', 'It runs[1].'],
    ['It runs.[^1]\n\n[^1]: See (#abc234)', 'It runs.\n\n[1]'],
  ])('of a shown section is one: %j', (text, markdown) => {
    const checked = check(text);
    expect(checked.markdown).toBe(markdown);
    expect(checked.citations.map((citation) => citation.ref)).toEqual(['abc234']);
  });

  test.each([
    ['According to #bcd345 it listens.', '#bcd345', 'not-shown'],
    ['It runs #zzz777 (#abc234).', '#zzz777', 'unknown'],
    ['It runs (#abc234 and the rest of #zzz777).', '#zzz777', 'unknown'],
    ['It runs (*#zzz777*) (#abc234).', '#zzz777', 'unknown'],
    ['It runs {#zzz777} <#zzz777> \\#zzz777 (#abc234).', '#zzz777', 'unknown'],
    ['It listens (docs/b.md#part).', 'docs/b.md#part', 'not-shown'],
    ['It listens (docs/fake.md#part).', 'docs/fake.md#part', 'unknown'],
    ['It listens (docs/fake.md:3-9).', 'docs/fake.md:3-9', 'unknown'],
    ['It runs[^docs] (#abc234).\n\n[^docs]: The Official Manual, p. 9', '[^docs]', 'malformed'],
  ])('of anything else is taken out and reported: %j', (text, name, reason) => {
    const checked = check(text);
    expect(checked.removed).toContainEqual({ text: name, reason });
    expect(checked.markdown).not.toContain(name.replace(/^#/u, ''));
    expect(checked.markdown).not.toContain('Manual');
  });

  test('lines of link definitions are no text', () => {
    const checked = check(
      'It runs (#abc234).\n\n[1]: http://evil.example\n[docs]: <http://evil.example/d> "t"',
    );
    expect(checked.markdown).toBe('It runs [1].');
  });
});

test.each([
  'The colour is #ff5722.',
  'Use #define and #general.',
  'Issue #123456 (#4711).',
  'The channel is #gen567s, see (other.md#part).',
  'Read (README.md) (# items).',
])('what only looks like a citation stays: %j', (text) => {
  expect(check(text)).toMatchObject({ markdown: text, removed: [] });
});

test('a model is told ten wrong citations, not hundreds', () => {
  const refs = Array.from(
    { length: 300 },
    (_, index) => `(#zz${'abcdefghij'[index % 10]}${'klmnopqrst'[Math.floor(index / 10) % 10]}77)`,
  );
  expect(repairReasons(check(`It runs (#abc234). ${refs.join(' ')}`))).toHaveLength(10);
});

test.each([
  'NOT FOUND: the port is missing. But everyone knows it is 99 minutes.',
  'NOT FOUND: the agent runs every 99 minutes.',
])('what follows NOT FOUND is not shown as if the knowledge base said it: %s', async (reply) => {
  const { answer } = await askScripted([searches(), says(reply)]);
  expect(answer.outcome).toBe('not-found');
  expect(answer.markdown.startsWith(`${REMARK}\n\n`)).toBe(true);
});

describe('a bare ref of letters alone', () => {
  test.each([
    ['Every 30 minutes #zzzzzz.', 'Every 30 minutes.'],
    ['Every 30 minutes. #zzzzzz', 'Every 30 minutes.'],
    ['Every 30 minutes #zzzzzz #abc234.', 'Every 30 minutes [1].'],
    ['Every 30 minutes (#abc234) #zzzzzz, and so on.', 'Every 30 minutes [1], and so on.'],
    ['- every 30 minutes #qwerty\n- other', '- every 30 minutes\n- other'],
  ])('is a citation where one stands: %s', (text, markdown) => {
    const checked = check(text);
    expect(checked.markdown).toBe(markdown);
    expect(checked.removed).toMatchObject([{ reason: 'unknown' }]);
  });

  test.each(['Write #define at the top.', 'The colour #facade is used.', 'Use #pragma once (#abc234).'])(
    'is a word where a sentence goes on: %s',
    (text) => {
      expect(check(text).removed).toEqual([]);
    },
  );
});

describe('a title of sources above an answer', () => {
  test('takes no paragraph with it', () => {
    const checked = check('**Sources**\n\nThe agent runs every 30 minutes (#abc234).\n\nIt may be changed.');
    expect(checked.markdown).toBe('The agent runs every 30 minutes [1].\n\nIt may be changed.');
  });

  test('takes its list and leaves what follows', () => {
    const text =
      'Sources:\n\n1. Manual of the agent\n2. docs/agent.md\n\nThe agent runs every 30 minutes (#abc234).\n';
    expect(check(text).markdown).toBe('The agent runs every 30 minutes [1].');
  });

  test('does not take a list that is the whole answer', () => {
    const checked = check(
      'Sources:\n\n- The agent runs every 30 minutes (#abc234).\n- Set `runinterval` (#abc234).',
    );
    expect(checked.markdown).toBe('- The agent runs every 30 minutes [1].\n- Set `runinterval` [1].');
  });

  test('below an answer goes with its entries, whatever their form', () => {
    for (const list of ['[1] Manual, page 3.', 'docs/agent.md', 'https://x.example/a.', '1) Agent handbook.'])
      expect(check(`Every 30 minutes (#abc234).\n\nReferences:\n\n${list}`).markdown).not.toMatch(
        /Manual|docs|x\.example|handbook/u,
      );
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkQuestions } from '../../src/bench/link-questions.ts';
import { modelQuestions } from '../../src/bench/model-questions.ts';
import type { Kb } from '../../src/kb.ts';
import { definitionsOf, linksOf } from '../../src/markdown/links.ts';
import { TestBase } from '../support/knowledge-base.ts';
import { ScriptedModel, says } from '../support/scripted-model.ts';

const LONG = 'Words that explain the matter at some length, so that a question can be asked of them. '.repeat(
  4,
);
const base = new TestBase({
  'a.md': [
    '# A',
    'See [how to change the way certificates are signed](b.md#signing) and [again](b.md#signing).',
    'Also [signing of certificates in short](b.md#signing), [Signing certificates guide][sign], [the Signing page of b](b.md).',
    '`[not a link at all here](b.md#signing)` ![an image of the thing](b.md#signing)',
    '```\n[neither is this one here](b.md#signing)\n```',
    '[within the same page it is](#a) [to some other place entirely](https://example.org/b.md#signing)',
    '[what nobody has ever written](b.md#gone)',
    '',
    '[sign]: b.md#signing',
  ].join('\n\n'),
  'b.md': `# B\n\n${LONG}\n\n## Signing\n\n${LONG}\n`,
  'c/d.md': `# D\n\nRead [How to change the way *certificates* are signed](../b.md#signing).\n`,
});
let kb: Kb;
beforeAll(async () => {
  await base.ingest();
  kb = await base.open();
});
afterAll(() => kb.close());

describe('questions from links', () => {
  test('are the words of links to sections of other documents, with every place they stand in', () => {
    const made = linkQuestions(kb);
    expect(made.map(({ question }) => question).sort()).toEqual([
      'Signing certificates guide',
      'how to change the way certificates are signed',
      'signing of certificates in short',
    ]);
    expect(made.find(({ question }) => question.startsWith('how'))).toEqual({
      id: expect.stringMatching(/^link-[\da-f]{10}$/u),
      kind: 'link',
      question: 'how to change the way certificates are signed',
      relevant: [{ path: 'b.md', heading: 'Signing', line: 5, grade: 1 }],
      source: [
        { path: 'a.md', line: 1 },
        { path: 'c/d.md', line: 1 },
      ],
      made_by: 'links',
    });
  });
});

describe('questions from a model', () => {
  test('are one line each, marked with its name; what is no question is left out', async () => {
    const model = new ScriptedModel(
      [says('"How are they signed?"\n'), says('Sure!\nHere is one:'), says('')],
      'writer',
    );
    const signal = new AbortController().signal;
    const made = await modelQuestions(kb, { model, count: 3, signal });
    expect(made).toEqual([
      expect.objectContaining({ kind: 'model', question: 'How are they signed?', made_by: 'model writer' }),
    ]);
    expect(model.requests.length).toBeLessThanOrEqual(3);
    const first = new ScriptedModel([says('A?'), says('B?'), says('C?')]);
    const again = new ScriptedModel([says('A?'), says('B?'), says('C?')]);
    expect(await modelQuestions(kb, { model: first, count: 2, signal })).toEqual(
      await modelQuestions(kb, { model: again, count: 2, signal }),
    );
    expect(first.requests).toHaveLength(2);
  });
});

describe('links of a text', () => {
  const text = [
    'A [one](x.md), [*two* `b`](<y z.md> "title"), [three][ref], [ref][], [ref] and \\[no](n.md).',
    '[outer ![alt](i.png) text](o.md) [broken](a(b.md [text]: x',
    '',
    '[ref]: r.md#a',
    '[other]: <s t.md> "t"',
  ].join('\n');

  test('come with their words and where they lead', () => {
    expect(linksOf(text, definitionsOf(text)).map(({ text: words, target }) => [words, target])).toEqual([
      ['one', 'x.md'],
      ['two b', 'y z.md'],
      ['three', 'r.md#a'],
      ['ref', 'r.md#a'],
      ['ref', 'r.md#a'],
      ['outer text', 'o.md'],
    ]);
  });

  test('are found in linear time', () => {
    const started = performance.now();
    for (const piece of ['[', '[a](', '[a][', '`', '``a', '\n```\n', '[x]: y\n', ']('])
      linksOf(piece.repeat(20_000), definitionsOf(piece.repeat(20_000)));
    expect(performance.now() - started).toBeLessThan(4000);
  });
});

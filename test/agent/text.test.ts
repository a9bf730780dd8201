import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinBlocks, splitBlocks } from '../../src/agent/blocks.ts';
import { plainText } from '../../src/agent/plain.ts';
import { QuantitySet, quantitiesIn } from '../../src/agent/quantities.ts';
import { splitSentences } from '../../src/agent/sentences.ts';
import { claimsOf, SupportText } from '../../src/agent/support.ts';
import { unitsOf } from '../../src/agent/units.ts';
import { stem } from '../../src/core/words.ts';

const sentences = (text: string) => splitSentences(text).map((sentence) => sentence.text);

describe('sentences', () => {
  test.each([
    ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
    [
      'Use v8.15.2 of e.g. Foo Inc. on Linux. Then go.',
      ['Use v8.15.2 of e.g. Foo Inc. on Linux.', 'Then go.'],
    ],
    ['See puppet.conf and example.com. Next.', ['See puppet.conf and example.com.', 'Next.']],
    ['Run `a. B c.` now. Then `x`. Done', ['Run `a. B c.` now.', 'Then `x`.', 'Done']],
    ['He said "stop." Then left.', ['He said "stop."', 'Then left.']],
    ['It is on. puppetserver reads it.', ['It is on. puppetserver reads it.']],
    ['The agent stops. puppetserver goes on.', ['The agent stops.', 'puppetserver goes on.']],
    ['1. First step. 2. Second.', ['1. First step.', '2. Second.']],
    ['首先。然后！', ['首先。', '然后！']],
    ['Oh... what? Yes.', ['Oh... what?', 'Yes.']],
    ['A \ue0000\ue001. B. \ue0001\ue001 C.', ['A \ue0000\ue001.', 'B. \ue0001\ue001', 'C.']],
    ['Be.\ue0001\ue001\ue0002\ue001 c goes on.', ['Be.\ue0001\ue001\ue0002\ue001', 'c goes on.']],
  ])('%s', (text, expected) => {
    expect(sentences(text)).toEqual(expected);
  });

  test('hold every character of the text but the blanks between them', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab A.!?\n`"\ue0001\ue001)(:8') }), (text) => {
        expect(sentences(text).join('').replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
      }),
    );
  });
});

describe('blocks', () => {
  test('fences, lists, tables, quotes and headings are told apart', () => {
    const text =
      '# T\npara\nmore\n- item\n  goes on\n1. two\n\n| a | b |\n|---|---|\n| x | y |\n> quote\n```sh\nls\n```';
    const forms = splitBlocks(text).map((block) => (block.kind === 'text' ? block.form : block.kind));
    expect(forms).toEqual([
      'heading',
      'paragraph',
      'item',
      'item',
      'blank',
      'table-head',
      'table-rule',
      'row',
      'paragraph',
      'fence',
    ]);
    expect(joinBlocks(splitBlocks(text))).toBe(text);
  });

  test('written and read again they are the same', () => {
    const line = fc.constantFrom(
      'text',
      '- item',
      '  more',
      '```',
      '~~~',
      '> q',
      '> ```',
      '',
      '# h',
      '| a |',
      '|---|',
      '    code',
      '````',
      '1. ```js',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const once = joinBlocks(splitBlocks(lines.join('\n')));
        expect(joinBlocks(splitBlocks(once))).toBe(once);
      }),
    );
  });
});

describe('plain text', () => {
  test.each([
    ['**bold** and _it_ and `code`', 'bold and it and code'],
    ['[label](https://x.org/a_(b)) ![alt](i.png) [ref][id]', 'label alt ref'],
    ['[the `==` operator][equality], [`a`](b.html), `[x](y)`', 'the == operator, a, [x](y)'],
    ['snake_case_name and 2*3*4', 'snake_case_name and 2*3*4'],
    ['a<br>b <kbd>x</kbd> <!-- no --> &amp; &lt;tag&gt; \\*', 'ab x  & <tag> *'],
    ['`` a ` b ``', 'a ` b'],
    ['Tip {: .tip } {% raw %}x{% endraw %}', 'Tip  x'],
  ])('%s', (markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });
});

describe('numbers', () => {
  test.each([
    ['keeps 1,000 or 1 reports', ['1000', '1']],
    ['8.15.2 and v2', ['8.15.2', '2']],
    ['from 1-5, at 10:30, -1 is none', ['1', '5', '10:30', '-1']],
    ['sha256 x86_64 2nd', ['2']],
  ])('%s', (text, values) => {
    expect(quantitiesIn(text).map((quantity) => quantity.value)).toEqual(values);
  });

  test.each([
    ['30 minutes', 'every 30m', true],
    ['30 seconds', 'every 30m', false],
    ['30 minutes', 'every thirty minutes', true],
    ['30', 'every 30 minutes', true],
    ['1000', '1,000 reports', true],
    ['100', '1,000 reports', false],
    ['512 MB', '512m heap', true],
    ['1', 'only -1 works', false],
    ['50%', '50 percent', true],
    ['8080', 'map 8080:80', true],
  ])('%s in "%s": %s', (text, source, isThere) => {
    const [quantity] = quantitiesIn(text);
    expect(quantity !== undefined && new QuantitySet(source).has(quantity)).toBe(isThere);
  });
});

describe('claims', () => {
  test('code, quotes, identifiers and numbers are each taken once; prose is not taken', () => {
    expect(
      claimsOf(
        '2. Set `a = 5` and "use the force" in /etc/x.conf, not "this", on 3 well-known hosts and/or e.g. GitHub.',
      ),
    ).toEqual([
      { kind: 'code', text: 'a = 5' },
      { kind: 'quote', text: 'use the force' },
      { kind: 'identifier', text: '/etc/x.conf' },
      { kind: 'identifier', text: 'GitHub' },
      { kind: 'number', text: '3' },
    ]);
  });

  test.each([
    ['code', 'puppet agent --test', 'Run\n`puppet  agent\n--test`', true],
    ['code', 'a=b', 'set a = b', true],
    ['code', '--ssl', 'use --ssl-verify', false],
    ['code', 'foo()', 'call foo($x)', true],
    ['identifier', 'runinterval', 'the runintervals', false],
    ['quote', 'the “agent” runs — daily', 'the "agent" runs - daily', true],
    ['quote', 'runs every day', 'It runs **every** [day](x.html).', true],
    ['quote', 'runs every day', 'It runs every holiday', false],
    ['quote', '毎日実行', 'エージェントは毎日実行されます', true],
  ] as const)('%s %s in "%s": %s', (kind, text, source, isThere) => {
    expect(new SupportText(source).supports({ kind, text })).toBe(isThere);
  });

  test('whatever a section says word for word is supported by it', () => {
    const word = fc.constantFrom(
      'agent',
      '`a_b`',
      '--flag',
      '8.15.2',
      '30 minutes',
      '/etc/x',
      '"one two three"',
      '**bold**',
      'a::b',
      '1,000',
      '[x](y)',
      '<b>',
      '-1',
      '(',
      ')',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const text = words.join(' ');
        const support = new SupportText(text);
        expect(claimsOf(text).filter((claim) => !support.supports(claim))).toEqual([]);
      }),
    );
  });
});

describe('units', () => {
  test('are sentences, items, rows and short code, with the line that announces them', () => {
    const markdown =
      '# Head\n\nThe first [one](x) is here. The second is `two`.\nValues are:\n\n* red\n* blue\n\n| n | m |\n|---|---|\n| 1x | two |\n\n' +
      '```\nls\n```\n\n[id]: http://x\n';
    expect(unitsOf(markdown)).toEqual([
      { kind: 'sentence', text: 'The first one is here.' },
      { kind: 'sentence', text: 'The second is `two`.' },
      { kind: 'lead', text: 'Values are:' },
      { kind: 'item', text: 'red', lead: 2 },
      { kind: 'item', text: 'blue', lead: 2 },
      { kind: 'row', text: '1x - two', lead: 2 },
      { kind: 'code', text: 'ls' },
    ]);
  });

  test.each([
    ['fenced', '1. Clean the state:\n\n   ```sh\n   kb clean\n   ```\n2. Then start it again.'],
    ['fenced at the margin', '1. Clean the state:\n\n```\nkb clean\n```\n\n2. Then start it again.'],
    ['set in', '1. Clean the state:\n\n        kb clean\n\n2. Then start it again.'],
    ['set in with a tab', '* Clean the state:\n\n\t\tkb clean\n\n* Then start it again.'],
  ])('keep the code of a step with it: %s', (_, markdown) => {
    expect(unitsOf(markdown)).toEqual([
      { kind: 'item', text: 'Clean the state:', code: ['kb clean'] },
      { kind: 'item', text: 'Then start it again.' },
    ]);
  });

  test('keep the code of a paragraph with the sentence above it, blank lines in it too', () => {
    const markdown = 'Some words come first. Run this:\n\n    a\n\n      b\n\nThe end of it all.';
    expect(unitsOf(markdown)).toEqual([
      { kind: 'sentence', text: 'Some words come first.' },
      { kind: 'item', text: 'Run this:', code: ['a', '', '  b'] },
      { kind: 'sentence', text: 'The end of it all.' },
    ]);
  });

  test('know the items of an item from its neighbours', () => {
    const markdown = 'Set these keys:\n\n- `mode`, one of:\n  - `on`\n  - `off`\n- `path`\n';
    expect(unitsOf(markdown)).toEqual([
      { kind: 'lead', text: 'Set these keys:' },
      { kind: 'lead', text: '`mode`, one of:', lead: 0 },
      { kind: 'item', text: '`on`', lead: 1 },
      { kind: 'item', text: '`off`', lead: 1 },
      { kind: 'item', text: '`path`', lead: 0 },
    ]);
  });

  test.each([
    'Yes.',
    'See also',
    '* [Name of a page](x.html)',
    '[One](a), [two][b]',
    '| a | b |\n|---|---|\n| only one cell | |',
    '* Debian 10',
    'Values are:',
  ])('say nothing alone: %s', (markdown) => {
    expect(unitsOf(markdown).filter((unit) => unit.kind !== 'lead')).toEqual([]);
  });

  test('join a word or two with the sentence they belong to, and leave out a title in bold', () => {
    expect(unitsOf('Yes. The file may be removed at once.')).toEqual([
      { kind: 'sentence', text: 'Yes. The file may be removed at once.' },
    ]);
    expect(unitsOf('**Why it is so.** The file may be removed.')).toEqual([
      { kind: 'sentence', text: 'The file may be removed.' },
    ]);
  });
});

test.each([
  ['running', 'runs'],
  ['configured', 'configure'],
  ['settings', 'setting'],
  ['policies', 'policy'],
  ['matches', 'matching'],
  ['stopped', 'stops'],
])('%s and %s have one stem', (a, b) => {
  expect(stem(a)).toBe(stem(b));
});

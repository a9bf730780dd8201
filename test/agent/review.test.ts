import { describe, expect, test } from 'vitest';
import { checkAnswer } from '../../src/agent/gate.ts';
import type { Ref } from '../../src/core/ref.ts';
import { MemoryKnowledge } from '../support/memory-knowledge.ts';

const knowledge = new MemoryKnowledge([
  {
    path: 'docs/agent.md',
    headings: ['Agent', 'Interval'],
    markdown:
      "## Interval\n\nThe agent runs every 30 minutes. It doesn't wait for the server, then it sleeps.\n\n    runinterval = 30m\n\nSince version 7 it keeps 12 reports.\n",
    ref: 'agenta',
  },
]);
const shown = new Map<Ref, string>(knowledge.sections.map((section) => [section.ref, section.markdown]));
const unsupported = (text: string) =>
  checkAnswer(text, { shown, knowledge }).unsupported.map((found) => `${found.kind} ${found.text}`);

describe('a false claim is found', () => {
  test.each([
    [
      'in a paragraph above a line of citations',
      'It runs every 45 minutes.\n\n(#agenta)',
      ['number 45 minutes'],
    ],
    [
      'in a list above it',
      '- Every 45 minutes\n- with `evil_setting`\n\n(#agenta)',
      ['number 45 minutes', 'code evil_setting'],
    ],
    ['in a table above it', '| a | b |\n|---|---|\n| run | 45 minutes |\n\n(#agenta)', ['number 45 minutes']],
    ['in a quote above it', '> Every 45 minutes.\n>\n> (#agenta)', ['number 45 minutes']],
    ['in code above it', 'Set:\n\n```\nruninterval = 45m\n```\n\n(#agenta)', ['code runinterval = 45m']],
    ['in a heading', '## Every 45 minutes (#agenta)\n\nIt sleeps (#agenta).', ['number 45 minutes']],
    ['in a table head', '| Every 45 minutes (#agenta) | b |\n|---|---|\n| x | y |', ['number 45 minutes']],
    ['in code that is only set in', 'Set (#agenta):\n\n    runinterval = 45m\n', ['number 45m']],
    [
      'in a paragraph of a list item',
      'Facts (#agenta):\n\n- It sleeps\n\n  every 45 minutes\n',
      ['number 45 minutes'],
    ],
    [
      'in an announced block quote',
      'It says (#agenta):\n\n> The agent never sleeps.\n',
      ['quote The agent never sleeps.'],
    ],
    ['in a quotation over two lines', 'It "never\nsleeps at all" (#agenta).', ['quote never sleeps at all']],
    ['in single quotes', "It 'doesn't sleep at all' (#agenta).", ["quote doesn't sleep at all"]],
    ['in curved single quotes', 'It ‘doesn’t sleep at all’ (#agenta).', ['quote doesn’t sleep at all']],
    [
      'in other quotes',
      'It 「never sleeps at all」 ‹never ever sleeps› (#agenta).',
      ['quote never sleeps at all', 'quote never ever sleeps'],
    ],
    [
      'in a quotation of two sentences',
      'It says "The agent runs. It never sleeps." (#agenta).',
      ['quote The agent runs. It never sleeps.'],
    ],
    [
      'in a quotation turned round',
      'It "every 30 minutes … The agent runs" (#agenta).',
      ['quote every 30 minutes … The agent runs'],
    ],
    ['in a version', 'Since v8 it runs (#agenta).', ['number 8']],
    [
      'in digits of another script',
      'Every ４５ minutes, ٤٥ minutes (#agenta).',
      ['number 45 minutes', 'number 45 minutes'],
    ],
    ['in digits split by a hidden character', 'It keeps 1\u200d3 reports (#agenta).', ['number 13']],
    ['in a unit after a hyphen', 'A 30-second interval (#agenta).', ['number 30-second']],
  ])('%s', (_place, text, found) => {
    expect([...new Set(unsupported(text))]).toEqual([...new Set(found)]);
  });
});

test.each([
  'It runs every 30 minutes.\n\n(#agenta)',
  'It says (#agenta):\n\n> The agent runs every 30 minutes.\n',
  'It says (#agenta):\n\n> **Note:** it sleeps now and then.\n',
  "It 'doesn't wait for the server' and the agents' runs are the servers' (#agenta).",
  'It ‘doesn’t wait for the server’ (#agenta).',
  'It "The agent … then it sleeps" (#agenta).',
  'Since v7, a 30-minute interval of ３０ minutes (#agenta).',
  'Set <code>runinterval</code> in <b>30 minutes</b>.<br>It sleeps (#agenta).',
  'Set (#agenta):\n\n    runinterval = 30m\n',
  '# Nine lives\n\nIt sleeps (#agenta).',
])('what the section says is no false claim: %j', (text) => {
  expect(unsupported(text)).toEqual([]);
});

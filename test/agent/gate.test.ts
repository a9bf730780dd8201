import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatCitation, parseCitations } from '../../src/agent/citations.ts';
import { checkAnswer, repairReasons } from '../../src/agent/gate.ts';
import { renderFindings, renderSources } from '../../src/agent/sources.ts';
import type { Ref } from '../../src/core/ref.ts';
import { MemoryKnowledge } from '../support/memory-knowledge.ts';

const knowledge = new MemoryKnowledge([
  {
    path: 'docs/agent.md',
    headings: ['Agent', 'Interval'],
    markdown:
      '## Interval\n\nThe agent runs **every 30 minutes** by default. Set `runinterval = 30m` in `/etc/puppet/puppet.conf`.\n' +
      'Version 8.15.2 keeps 1,000 reports; see <https://example.org/run>. Use `--no-daemonize` or `puppet_agent::service`.\n',
    ref: 'agenta',
    url: 'https://docs.example.org/agent.html#interval',
  },
  {
    path: 'docs/ca.md',
    headings: ['CA'],
    markdown: '# CA\n\nCertificates are valid for five years.\n',
    ref: 'caaaaa',
  },
  {
    path: 'docs/db.md',
    headings: ['DB'],
    markdown: '# DB\n\nThe database listens on port 8081.\n',
    ref: 'dbdbdb',
  },
]);
const shown = new Map<Ref, string>(
  knowledge.sections.slice(0, 2).map((section) => [section.ref, section.markdown]),
);

const check = (text: string) => checkAnswer(text, { shown, knowledge });

describe('citations', () => {
  test.each([
    ['The agent runs (#agenta).', 'The agent runs [1].', ['agenta']],
    ['Runs (#agenta)(#caaaaa). Again (#agenta).', 'Runs [1][2]. Again [1].', ['agenta', 'caaaaa']],
    ['Runs ( #agenta ), (#AGENTA).', 'Runs [1], [1].', ['agenta']],
    ['Runs (#caaaaa, #agenta).', 'Runs [1][2].', ['caaaaa', 'agenta']],
    ['Runs (#caaaaa; agenta).', 'Runs [1][2].', ['caaaaa', 'agenta']],
    ['Runs [#agenta] and 【#caaaaa】.', 'Runs [1] and [2].', ['agenta', 'caaaaa']],
    ['Runs (agenta).', 'Runs [1].', ['agenta']],
    ['Runs (see #agenta and #caaaaa).', 'Runs [1][2].', ['agenta', 'caaaaa']],
    ['Runs (docs/agent.md#interval).', 'Runs [1].', ['agenta']],
    ['Runs `(#agenta)`.', 'Runs [1].', ['agenta']],
    ['Runs [often](#agenta).', 'Runs often[1].', ['agenta']],
    ['(#agenta): runs', '[1]\\: runs', ['agenta']],
    ['Runs (#agenta)(daily).', 'Runs [1] (daily).', ['agenta']],
    ['Runs (#agenta) (#agenta).', 'Runs [1].', ['agenta']],
  ])('%s', (text, markdown, refs) => {
    const checked = check(text);
    expect(checked.markdown).toBe(markdown);
    expect(checked.citations.map((citation) => citation.ref)).toEqual(refs);
    expect(checked.removed).toEqual([]);
  });

  test.each([
    ['Runs (#zzzzzz).', 'Runs.', [{ text: '#zzzzzz', reason: 'unknown' }]],
    ['Port 8081 (#dbdbdb).', 'Port 8081.', [{ text: '#dbdbdb', reason: 'not-shown' }]],
    ['Runs (#ab19).', 'Runs.', [{ text: '#ab19', reason: 'malformed' }]],
    [
      'Runs (#ag(#zzzzzz)enta2).',
      'Runs.',
      [
        { text: '#zzzzzz', reason: 'unknown' },
        { text: '#agenta2', reason: 'unknown' },
      ],
    ],
    ['Runs [1].', 'Runs.', [{ text: '[1]', reason: 'malformed' }]],
    ['Runs \\[1\\], [^2] and 【3†source】.', 'Runs, and.', expect.anything()],
    ['Runs &#91;1].', 'Runs.', [{ text: '[1]', reason: 'malformed' }]],
    ['Runs [[1]2].', 'Runs.', expect.anything()],
    ['Runs (#zzzzzz, #agenta).', 'Runs [1].', [{ text: '#zzzzzz', reason: 'unknown' }]],
    ['Runs (#agen', 'Runs', []],
  ])('%s does not survive', (text, markdown, removed) => {
    const checked = check(text);
    expect(checked.markdown).toBe(markdown);
    expect(checked.removed).toEqual(removed);
  });

  test.each([
    'Issue (#1234) is closed.',
    'In C (#) or (C#) code.',
    'A list (agents, servers).',
    'a[0] and `a[1]`',
  ])('%s is no citation', (text) => {
    expect(check(text)).toMatchObject({ markdown: text, citations: [], removed: [] });
  });

  test('code is left alone, and is closed where the model left it open', () => {
    const checked = check('See (#agenta):\n\n   ```sh\n   echo (#zzzzzz) [1] <b>\n');
    expect(checked.markdown).toBe('See [1]:\n\n```sh\necho (#zzzzzz) [1] <b>\n```');
    expect(checked.removed).toEqual([]);
  });

  test('a citation carries all a reader needs to open it', () => {
    expect(check('Runs (#agenta).').citations).toEqual([
      {
        marker: 1,
        ref: 'agenta',
        path: 'docs/agent.md',
        title: 'Agent',
        headings: ['Agent', 'Interval'],
        anchor: 'interval',
        lines: { first: 1, last: 9 },
        url: 'https://docs.example.org/agent.html#interval',
        hash: knowledge.sections[0]?.hash,
      },
    ]);
  });

  test('reading the refs of a text is the inverse of writing them', () => {
    const ref = fc.stringMatching(/^[a-z2-7]{6,9}$/u) as fc.Arbitrary<Ref>;
    fc.assert(
      fc.property(fc.array(ref), (refs) => {
        expect(parseCitations(refs.map((one) => `word ${formatCitation(one)}.`).join(' '))).toEqual(refs);
        expect(parseCitations(refs.map(formatCitation).join(''))).toEqual(refs);
      }),
    );
  });
});

describe('claims of cited sentences', () => {
  test.each([
    'It runs "every 30 minutes by default" (#agenta).',
    'It runs “every 30 … by default”. (#agenta)',
    'It runs every 30 min, version v8.15.2, keeps 1000 reports (#agenta).',
    'Set `runinterval=30m` in /etc/puppet/puppet.conf (#agenta).',
    'Use --no-daemonize or puppet_agent::service (#agenta).',
    '1. Certificates last 5 years (#caaaaa).',
    'See docs/agent.md, "Interval" (#agenta).',
    'Set it (#agenta):\n\n```ini\nruninterval = 30m\n```',
  ])('%s is supported', (text) => {
    expect(check(text).unsupported).toEqual([]);
  });

  test.each([
    ['It runs "every thirty days at noon" (#agenta).', 'quote', 'every thirty days at noon'],
    ['It runs every 45 minutes (#agenta).', 'number', '45 minutes'],
    ['It runs every 30 hours (#agenta).', 'number', '30 hours'],
    ['Version 8.15 keeps them (#agenta).', 'number', '8.15'],
    ['Version 8.15.3 keeps them. (#agenta)', 'number', '8.15.3'],
    ['Set `runinterval = 45m` (#agenta).', 'code', 'runinterval = 45m'],
    ['Use --daemonize now (#agenta).', 'identifier', '--daemonize'],
    ['Use --no-daemon (#agenta).', 'identifier', '--no-daemon'],
    ['Edit /etc/puppet/other.conf (#agenta).', 'identifier', '/etc/puppet/other.conf'],
    ['Use puppet_agent::other (#agenta).', 'identifier', 'puppet_agent::other'],
    ['Use runInterval2x (#agenta).', 'identifier', 'runInterval2x'],
    ['Port 8081 (#agenta).', 'number', '8081'],
    ['Set it (#agenta):\n\n```ini\nruninterval = 45m\n```', 'code', 'runinterval = 45m'],
    ['Values (#agenta):\n\n- 30 minutes\n- 90 minutes', 'number', '90 minutes'],
    ['| a | b |\n|---|---|\n| 30 minutes | 70 reports (#agenta) |', 'number', '70'],
  ])('%s is marked', (text, kind, claim) => {
    expect(check(text).unsupported).toMatchObject([{ kind, text: claim, refs: ['agenta'] }]);
  });

  test('sentences without a citation are counted; headings, code, lead-ins and table heads are not', () => {
    const text =
      '# Title\n\nThe agent runs, e.g. daily, on v8.15.2 hosts. (#agenta) This is not cited. Do this:\n\n' +
      '- one (#caaaaa)\n- two\n\n| h |\n|---|\n| x |\n\n```\ncode\n```\n\n---\n';
    expect(check(text).sentences).toEqual({ total: 5, uncited: 3 });
  });
});

test('repair is asked for bad refs and for an answer without citations, with the reasons', () => {
  expect(repairReasons(check('Runs (#agenta).'))).toBeUndefined();
  expect(repairReasons(check('NOT FOUND: nothing about it.'))).toBeUndefined();
  expect(repairReasons(check('Runs.'))).toEqual(['no sentence cites a section that was given to you']);
  expect(repairReasons(check('Runs 45 minutes (#agenta). Port (#dbdbdb), (#zzzzzz).'))).toEqual([
    '#dbdbdb: its text was never given to you',
    '#zzzzzz: no section has this ref',
    'number "45 minutes": not in the section cited for it',
  ]);
});

test('an answer that says it found nothing has no citations', () => {
  const checked = check('**NOT FOUND**: kafka is not covered, only the agent (#agenta).');
  expect(checked).toMatchObject({
    saysNotFound: true,
    citations: [],
    markdown: 'kafka is not covered, only the agent.',
  });
});

test('sources and findings are rendered with text as data', () => {
  const checked = check('Runs 45 minutes (#agenta). No (#zzzzzz).');
  expect(renderSources(checked.citations)).toBe(
    'Sources:\n\n1. [Agent > Interval](<https://docs.example.org/agent.html#interval>) - docs/agent.md\\#interval, lines 1-9 (#agenta)'.replace(
      'Agent >',
      'Agent \\>',
    ),
  );
  expect(renderFindings(checked)).toBe(
    'Check:\n\n- unsupported number: 45 minutes (not in #agenta)\n- citation removed: \\#zzzzzz (unknown)',
  );
});

import { describe, expect, test } from 'vitest';
import { renderHits } from '../../../src/cli/render/hits.ts';
import { headingPathOf, locationOf } from '../../../src/cli/render/place.ts';
import { renderAnswer, renderSources } from '../../../src/cli/render/sources.ts';
import type { Answer } from '../../../src/core/answer.ts';
import { answer, citation, extract, hit, result, TIER } from './samples.ts';
import { PIPE, PLAIN, RICH, shown } from './support.ts';

describe('hits', () => {
  test('on a terminal', () => {
    expect(renderHits(result, PLAIN)).toBe(
      [
        '1. Configuration > Run interval',
        '   docs/configuration.md:12-40  #abc234  score 12.3',
        '   https://docs.example.org/configuration.html#run-interval',
        '   The agent runs every 30 minutes; `runinterval` configures',
        '   how often.',
        '',
        '2. docs/configuration.md',
        '   docs/configuration.md:1  #def567  score 12.3  [changed since it was indexed]',
        '',
        TIER,
      ].join('\n'),
    );
  });

  test('open with a click and show the words that matched in all their forms', () => {
    const painted = shown(renderHits(result, RICH, { stems: new Set(['configur', 'agent']) }));
    expect(painted).toContain(
      '1. {1}<a https://docs.example.org/configuration.html#run-interval>Configuration > Run interval</a>{22}',
    );
    expect(painted).toContain('The {1}agent{22} runs every 30 minutes; `runinterval` {1}configures{22}\n');
    expect(painted).toContain('{33}[changed since it was indexed]{39}');
  });

  test('are the same in a pipe, nothing wrapped', () => {
    expect(renderHits(result, PIPE)).toBe(renderHits(result, { ...PLAIN, columns: 200 }));
  });

  test('explain what became of the words', () => {
    const explanation = {
      kept: ['agent', 'runs'],
      dropped: ['how', 'the'],
      replaced: [{ word: 'agnet', by: 'agent' }],
      unknown: ['zzz'],
      weights: [],
      parts: [{ ref: hit.ref, words: 10, written: 1.5, phrase: 2.25, near: 0.0956, page: 3, feedback: 0 }],
    };
    expect(renderHits({ ...result, hits: [], note: 'a note', explanation }, PIPE)).toContain(
      'note: a note\nNo section matches.\n',
    );
    expect(renderHits({ ...result, hits: [hit], explanation }, PIPE)).toMatch(
      new RegExp(
        [
          'searched: agent, runs',
          'stop words left out: how, the',
          'spelling corrected: agnet -> agent',
          'in no section: zzz',
          'ref {6}words {2}written {2}phrase {4}near {2}page {2}feedback {2}evidence',
          '#abc234 {5}10 {6}1\\.5 {4}2\\.25 {2}0\\.0956 {5}3 {9}0 {2}lexical 1 \\(12\\.3\\)',
          '',
          'tier: .*$',
        ].join('\n'),
        'u',
      ),
    );
  });

  test.each([
    ['ok', 'No section matches.\ntry: fewer or other words; what there is: kb list'],
    ['index_not_built', 'There is no index yet.\ntry: kb ingest ./FOLDER'],
    [
      'index_empty',
      'The index holds no sections.\ntry: put Markdown files into its folder, then kb ingest ./FOLDER',
    ],
  ] as const)('that are none name the next command: %s', (status, text) => {
    expect(renderHits({ status, tier: TIER, hits: [] }, PIPE)).toBe(`${text}\n\n${TIER}`);
  });
});

describe('a place', () => {
  test('names the title once and keeps the blanks of a file name', () => {
    expect(headingPathOf(hit)).toBe('Configuration > Run interval');
    expect(headingPathOf({ ...hit, title: 'Other\nname' })).toBe('Other name > Configuration > Run interval');
    expect(locationOf({ ...hit, path: 'a  b\n\u001b.md' })).toBe('a  b .md:12-40');
  });
});

describe('an answer', () => {
  test('on a terminal', () => {
    expect(renderAnswer(answer, { ...PLAIN, columns: 90 })).toBe(
      [
        'Every **30 minutes** [1]. Set `runinterval` [2].',
        '',
        'Sources',
        '[1] Configuration > Run interval — docs/configuration.md:12-40  (#abc234)',
        '    https://docs.example.org/configuration.html#run-interval',
        '[2] C_[x] — docs/configuration.md:3  (#def567)',
        '',
        '! citation removed: "(#zzzzzz)" names a section the model was not shown',
        '! unsupported number: "30" is not in #abc234: "Every *30* minutes."',
        '! 2 of 5 sentences carry no citation',
        '! the server cut the prompt',
        '',
        'outcome: answered - mode=tools model=qwen3:8b turns=3 tool_calls=2 tokens=12345 seconds=4.2',
        TIER,
      ].join('\n'),
    );
  });

  test('links its markers and sources where a click opens them', () => {
    const painted = shown(renderAnswer(answer, RICH));
    const open = '<a https://docs.example.org/configuration.html#run-interval>';
    expect(painted).toContain(`{1}30 minutes{22} ${open}[1]</a>. Set {36}runinterval{39} [2].`);
    expect(painted).toContain(
      `[1] ${open}Configuration > Run interval</a>\n    {2}docs/configuration.md:12-40  (#abc234){22}\n`,
    );
  });

  test('takes one line a source where there is room', () => {
    expect(renderSources([citation], { ...PLAIN, columns: 200 })).toBe(
      'Sources\n[1] Configuration > Run interval — docs/configuration.md:12-40  (#abc234)  https://docs.example.org/configuration.html#run-interval',
    );
  });

  test('is Markdown in a pipe', () => {
    expect(renderAnswer(answer, PIPE)).toBe(
      [
        'Every **30 minutes** [1]. Set `runinterval` [2].',
        '',
        '## Sources',
        '',
        '- [1] [Configuration > Run interval](https://docs.example.org/configuration.html#run-interval) — `docs/configuration.md:12-40` (#abc234)',
        '- [2] C\\_\\[x\\] — `docs/configuration.md:3` (#def567)',
        '',
        '- citation removed: "(#zzzzzz)" names a section the model was not shown',
        '- unsupported number: "30" is not in #abc234: "Every \\*30\\* minutes."',
        '- 2 of 5 sentences carry no citation',
        '- the server cut the prompt',
        '',
        'outcome: answered - mode=tools model=qwen3:8b turns=3 tool_calls=2 tokens=12345 seconds=4.2',
        TIER,
      ].join('\n'),
    );
  });

  test('names the mode of an extract', () => {
    expect(renderAnswer(extract, PIPE)).toContain(
      'outcome: answered - mode=extract model=qwen3:8b seconds=0.04\n',
    );
  });

  test('that was not found is no more than that', () => {
    const none: Answer = { ...extract, markdown: '', citations: [], outcome: 'not-found' };
    expect(renderAnswer(none, PLAIN)).toBe(
      `outcome: not found in this knowledge base - mode=extract model=qwen3:8b seconds=0.04\n${TIER}`,
    );
  });

  test('never makes a link of an address that is not safe to open', () => {
    const unsafe = { ...citation, url: 'javascript:alert(1)' };
    expect(renderSources([unsafe], PIPE)).toBe(
      '## Sources\n\n- [1] Configuration > Run interval — `docs/configuration.md:12-40` (#abc234)',
    );
    expect(renderSources([{ ...citation, url: 'https://e.org/a_(b)' }], PIPE)).toContain(
      '](<https://e.org/a_(b)>)',
    );
    expect(shown(renderSources([unsafe], RICH))).not.toContain('<a');
  });
});

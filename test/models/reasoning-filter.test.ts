import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReasoningFilter } from '../../src/models/reasoning-filter.ts';

function filter(text: string, size = text.length || 1, opensUnseen = false) {
  const reader = new ReasoningFilter(opensUnseen);
  let heard = '';
  for (let start = 0; start < text.length; start += size)
    heard += reader.push(text.slice(start, start + size));
  heard += reader.end();
  return { text: reader.text, heard, reasoning: reader.reasoning, closedUnopened: reader.closedUnopened };
}

describe('reasoning in text', () => {
  test.each([
    ['<think>secret</think>Answer', 'Answer', 'secret'],
    ['<think>\n\n</think>\n\nAnswer', 'Answer', '\n\n'],
    ['\n<thinking>secret</thinking>\nAnswer', 'Answer', 'secret'],
    ['<thought>secret</thought>Answer', 'Answer', 'secret'],
    ['[THINK]secret[/THINK]Answer', 'Answer', 'secret'],
    ['<THINK>secret</Think>Answer', 'Answer', 'secret'],
    [
      '<think>secret with <b> and < and </ in it</think>Answer',
      'Answer',
      'secret with <b> and < and </ in it',
    ],
    ['<think>one</think><think>two</think>Answer', 'Answer', 'onetwo'],
    ['<think>one</think>An<think>two</think>swer', 'Answer', 'onetwo'],
    ['<think>never closed', '', 'never closed'],
    ['<think>never closed </thin', '', 'never closed </thin'],
    ['<thi', '<thi', ''],
    ['a < b and [x] and <thirteen>', 'a < b and [x] and <thirteen>', ''],
    ['see [THINK] in the log', 'see [THINK] in the log', ''],
    ['Write `<think>` to reason', 'Write `<think>` to reason', ''],
    ['Write ``a ` <think>`` so', 'Write ``a ` <think>`` so', ''],
    ['```xml\n<think>kept</think>\n```\nAnswer', '```xml\n<think>kept</think>\n```\nAnswer', ''],
    [
      '~~~\n<think>kept</think>\n~~~\n<think>secret</think>Answer',
      '~~~\n<think>kept</think>\n~~~\nAnswer',
      'secret',
    ],
    ['a ` lone tick\n\n<think>secret</think>Answer', 'a ` lone tick\n\nAnswer', 'secret'],
    ['', '', ''],
  ])('%j is cut out however the deltas are cut', (text, visible, reasoning) => {
    for (const size of [1, 2, 3, 5, 100]) {
      expect(filter(text, size)).toEqual({ text: visible, heard: visible, reasoning, closedUnopened: false });
    }
  });

  test('that is only closed was all the text before, and is known the next time', () => {
    const first = filter('The user wants…\n</think>\n\nAnswer', 4);
    expect(first).toMatchObject({ text: 'Answer', reasoning: 'The user wants…\n', closedUnopened: true });
    const next = filter('The user wants…\n</think>\n\nAnswer', 4, true);
    expect(next).toEqual({
      text: 'Answer',
      heard: 'Answer',
      reasoning: 'The user wants…\n',
      closedUnopened: true,
    });
    expect(filter('Answer without reasoning', 4, true)).toMatchObject({
      text: 'Answer without reasoning',
      heard: 'Answer without reasoning',
    });
    expect(filter('<think>secret</think>Answer', 4, true)).toMatchObject({ text: 'Answer', heard: 'Answer' });
  });

  test('never loses text that has no tags, and never hears half a character', () => {
    const word = fc.oneof(
      fc.constantFrom('<', '[', '`', '```', '\n', ' ', '<th', '😀', '~~~', '</', '[/'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 1, max: 4 }), (words, size) => {
        const text = words.join('');
        fc.pre(!/<\/?(?:think|thinking|thought)>|\[\/?THINK\]/iu.test(text));
        const reader = new ReasoningFilter();
        const heard: string[] = [];
        for (let start = 0; start < text.length; start += size)
          heard.push(reader.push(text.slice(start, start + size)));
        heard.push(reader.end());
        expect(heard.join('')).toBe(text.trimStart());
        expect(reader.text).toBe(text.trimStart());
        for (const delta of heard.slice(0, -1)) expect(delta).not.toMatch(/[\ud800-\udbff]$/u);
      }),
    );
  });
});

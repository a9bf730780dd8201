import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLiteralCalls } from '../../src/models/literal-calls.ts';
import { salvageCalls } from '../../src/models/salvage.ts';
import { TextGate } from '../../src/models/text-gate.ts';
import { READ, SEARCH } from './support.ts';

const TOOLS = [SEARCH, READ];
const CALL = [{ name: 'knowledge_search', input: { query: 'x' } }];
const TWO = [...CALL, { name: 'knowledge_read', input: { ref: 'abcdef' } }];

describe('a message that is a tool call written as text', () => {
  test.each([
    ['<tool_call>{"name":"knowledge_search","arguments":{"query":"x"}}</tool_call>', CALL],
    ['\n<tool_call>\n{"name": "knowledge_search", "arguments": {"query": "x"}}\n</tool_call>\n', CALL],
    ['<tool_call>{"name":"knowledge_search","arguments":{"query":"x"}}', CALL],
    [
      '<tool_call>{"name":"knowledge_search","arguments":{"query":"x"}}</tool_call>\n<tool_call>{"name":"knowledge_read","arguments":{"ref":"abcdef"}}</tool_call>',
      TWO,
    ],
    ['<function=knowledge_search><parameter=query>x</parameter></function>', CALL],
    [
      '<tool_call>\n<function=knowledge_search>\n<parameter=query>\nx\n</parameter>\n</function>\n</tool_call>',
      CALL,
    ],
    ['{"name":"knowledge_search","arguments":{"query":"x"}}', CALL],
    ['{"name":"knowledge_search","parameters":{"query":"x"}}', CALL],
    ['{"type":"function","function":{"name":"knowledge_search","arguments":{"query":"x"}}}', CALL],
    [
      '{"tool_calls":[{"name":"knowledge_search","arguments":{"query":"x"}},{"function":{"name":"knowledge_read","arguments":{"ref":"abcdef"}}}]}',
      TWO,
    ],
    [
      '[{"name":"knowledge_search","arguments":{"query":"x"}},{"name":"knowledge_read","arguments":{"ref":"abcdef"}}]',
      TWO,
    ],
    ['<|tool_call_start|>[knowledge_search(query="x")]<|tool_call_end|>', CALL],
    [
      '<|tool_call_start|>[knowledge_search(query="x"), knowledge_read(ref=\'abcdef\')]<|tool_call_end|>',
      TWO,
    ],
    ['<|tool_call_start|>[{"name":"knowledge_search","arguments":{"query":"x"}}]<|tool_call_end|>', CALL],
    ['<|python_tag|>{"name":"knowledge_search","parameters":{"query":"x"}}', CALL],
    ['[TOOL_CALLS][{"name":"knowledge_search","arguments":{"query":"x"}}]', CALL],
    ['[TOOL_CALLS]knowledge_search{"query":"x"}[TOOL_CALLS]knowledge_read[ARGS]{"ref":"abcdef"}', TWO],
  ])('is read: %s', (text, calls) => {
    expect(salvageCalls(text, TOOLS)).toEqual({ kind: 'calls', calls });
  });

  test('gets numbers where the schema wants them, and text where it wants text', () => {
    const text =
      '<function=knowledge_search><parameter=query>38</parameter><parameter=top_k>3</parameter></function>';
    expect(salvageCalls(text, TOOLS)).toEqual({
      kind: 'calls',
      calls: [{ name: 'knowledge_search', input: { query: '38', top_k: 3 } }],
    });
  });

  test.each([
    ['I will search. <tool_call>{"name":"knowledge_search","arguments":{"query":"x"}}</tool_call>'],
    ['<tool_call>{"name":"knowledge_search","arguments":{"query":"x"}}</tool_call> Done.'],
    ['```json\n{"name":"knowledge_search","arguments":{"query":"x"}}\n```'],
    ['> {"name":"knowledge_search","arguments":{"query":"x"}}'],
    ['`{"name":"knowledge_search","arguments":{"query":"x"}}`'],
    ['{"name":"delete_everything","arguments":{}}'],
    ['<tool_call>{"name":"delete_everything","arguments":{}}</tool_call>'],
    ['[{"name":"knowledge_search","arguments":{}},{"name":"delete_everything","arguments":{}}]'],
    ['{"name":"knowledge_search","version":"1.0","arguments":{}}'],
    ['{"name":"knowledge_search"}'],
    ['<tool_call>{"name":"knowledge_search", arguments}</tool_call>'],
    ['<function=knowledge_search>query=x</function>'],
    ['{}'],
    ['[]'],
    ['<tool_call>'],
    ['<|tool_call_start|>[__import__("os").system("x")]<|tool_call_end|>'],
    ['The answer (#abcdef).'],
    [''],
  ])('is not this: %s', (text) => {
    expect(salvageCalls(text, TOOLS)).toEqual({ kind: 'text' });
  });

  test.each([
    ['<tool_call>{"name":"knowledge_search","arguments":{"query":"ha'],
    ['{"name":"knowledge_search","arguments":{"query":"ha'],
    ['<function=knowledge_search><parameter=query>ha'],
    ['<|tool_call_start|>[knowledge_search(query="ha'],
    ['[TOOL_CALLS]knowledge_search{"query":"ha'],
  ])('that breaks off is cut: %s', (text) => {
    expect(salvageCalls(text, TOOLS)).toEqual({ kind: 'cut' });
  });

  test('is nothing any text can break', () => {
    const part = fc.constantFrom(
      '<tool_call>',
      '</tool_call>',
      '<function=',
      'knowledge_search',
      '>',
      '</function>',
      '<parameter=a>',
      '</parameter>',
      '{',
      '}',
      '"name":',
      '[',
      ']',
      '<|tool_call_start|>',
      '(',
      ')',
      '=',
      '"',
      '[TOOL_CALLS]',
      ',',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => {
        const { kind } = salvageCalls(parts.join(''), TOOLS);
        expect(['text', 'cut', 'calls']).toContain(kind);
      }),
    );
    expect(salvageCalls(`${'['.repeat(200_000)}${']'.repeat(200_000)}`, TOOLS)).toEqual({ kind: 'text' });
    expect(salvageCalls(`<|tool_call_start|>[f(a=${'['.repeat(200_000)})]`, TOOLS)).toEqual({ kind: 'text' });
  });
});

describe('calls written as Python', () => {
  test('have literals of every kind', () => {
    expect(
      parseLiteralCalls('[f(a="x\\n\\"y\\"", b=-1.5e2, c=True, d=None, e=[1, \'z\'], g={"k": False}), h()]'),
    ).toEqual([
      { name: 'f', input: { a: 'x\n"y"', b: -150, c: true, d: null, e: [1, 'z'], g: { k: false } } },
      { name: 'h', input: {} },
    ]);
    expect(parseLiteralCalls('f(a=1)')).toEqual([{ name: 'f', input: { a: 1 } }]);
  });

  test.each([
    'f',
    'f(',
    'f(a)',
    'f(1)',
    'f(a=b)',
    'f(a=g())',
    'f(a=1) + 2',
    '[f(a=1)',
    '[]',
    '',
    'f(a="x)',
    'f(a=1 b=2)',
    'f(a=toString)',
  ])('are not this: %s', (text) => {
    expect(parseLiteralCalls(text)).toBeUndefined();
  });
});

describe('the gate before answer text', () => {
  function pass(text: string, size: number, ending: 'release' | 'discard') {
    let heard = '';
    const gate = new TextGate(true, (delta) => {
      heard += delta;
    });
    for (let start = 0; start < text.length; start += size) gate.push(text.slice(start, start + size));
    const before = heard;
    gate[ending]();
    return { before, heard };
  }

  test.each(['<tool_call>{"name"', '{"name"', '<function=f>', '[TOOL_CALLS]x', '<|tool_call_start|>[f'])(
    'holds %s back',
    (text) => {
      for (const size of [1, 3, 50]) {
        expect(pass(text, size, 'discard')).toEqual({ before: '', heard: '' });
        expect(pass(text, size, 'release')).toEqual({ before: '', heard: text });
      }
    },
  );

  test('lets everything else through at once', () => {
    for (const text of ['An answer {"name"', '<b>bold</b>', '[a link](x)', '<tool>']) {
      expect(pass(text, 1, 'discard')).toEqual({ before: text, heard: text });
    }
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readArguments, ToolCallAssembly } from '../../src/models/tool-call-assembly.ts';

const NAMES = ['knowledge_search', 'knowledge_read'];

function assemble(...entries: readonly unknown[]) {
  const assembly = new ToolCallAssembly(NAMES);
  for (const entry of entries) assembly.accept([entry]);
  const { calls, cut } = assembly.finish(new Set());
  return { calls: calls.map(({ name, input }) => [name, input]), cut, ids: calls.map(({ id }) => id) };
}

function piece(fields: { index?: number; id?: string | null; name?: string; arguments?: unknown }) {
  const { name, arguments: given, ...rest } = fields;
  return { ...rest, function: { name, arguments: given } };
}

describe('pieces of tool calls', () => {
  test.each([
    ['an object', { query: 'x' }, { query: 'x' }],
    ['text', '{"query":"x"}', { query: 'x' }],
    ['JSON in JSON text', JSON.stringify('{"query":"x"}'), { query: 'x' }],
    ['empty text', '', {}],
    ['blanks', '  ', {}],
    ['null', null, {}],
    ['the text null', 'null', {}],
    ['absent', undefined, {}],
    ['empty JSON text', '""', {}],
    ['a list', '[1]', [1]],
    ['no JSON', 'query=x', 'query=x'],
  ])('have arguments that are %s', (_, given, input) => {
    expect(assemble(piece({ index: 0, id: 'a', name: 'knowledge_search', arguments: given }))).toMatchObject({
      calls: [['knowledge_search', input]],
      cut: false,
    });
  });

  test.each([
    ['text', '{"query": "ha'],
    ['a bracket', '{"query": ["a"'],
    ['JSON text', '"{\\"query\\": \\"ha'],
    ['JSON inside whole JSON text', JSON.stringify('{"query": "ha')],
  ])('that end inside %s are cut', (_, given) => {
    expect(assemble(piece({ name: 'knowledge_search', arguments: given })).cut).toBe(true);
  });

  test('without index belong to the call before them until a new one begins', () => {
    const { calls, ids } = assemble(
      piece({ id: 'a', name: 'knowledge_search', arguments: '{"query":' }),
      piece({ arguments: '"x"}' }),
      piece({ id: 'b', name: 'knowledge_read', arguments: '{"ref":' }),
      piece({ arguments: '"abcdef"}' }),
    );
    expect(calls).toEqual([
      ['knowledge_search', { query: 'x' }],
      ['knowledge_read', { ref: 'abcdef' }],
    ]);
    expect(ids).toEqual(['a', 'b']);
  });

  test('with their index may interleave', () => {
    const { calls } = assemble(
      piece({ index: 0, id: 'a', name: 'knowledge_search', arguments: '{"query":' }),
      piece({ index: 1, id: 'b', name: 'knowledge_read', arguments: '{"ref":' }),
      piece({ index: 0, arguments: '"x"}' }),
      piece({ index: 1, arguments: '"abcdef"}' }),
    );
    expect(calls).toEqual([
      ['knowledge_search', { query: 'x' }],
      ['knowledge_read', { ref: 'abcdef' }],
    ]);
  });

  test('at index 0 for every call are told apart by id, by name, or by a whole object before', () => {
    const two = [
      ['knowledge_search', { query: 'x' }],
      ['knowledge_search', { query: 'y' }],
    ];
    const first = { index: 0, name: 'knowledge_search', arguments: '{"query":"x"}' };
    const second = { index: 0, name: 'knowledge_search', arguments: '{"query":"y"}' };
    expect(assemble(piece({ ...first, id: 'a' }), piece({ ...second, id: 'b' })).calls).toEqual(two);
    expect(assemble(piece(first), piece(second)).calls).toEqual(two);
    expect(assemble(piece(first), piece({ index: 0, arguments: '{"query":"y"}' })).calls).toEqual(two);
    expect(
      assemble(piece(first), piece({ index: 0, name: 'knowledge_read', arguments: '{"ref":"abcdef"}' }))
        .calls,
    ).toEqual([
      ['knowledge_search', { query: 'x' }],
      ['knowledge_read', { ref: 'abcdef' }],
    ]);
  });

  test('begin anew with a new id beside a name, whole or not', () => {
    const next = piece({ index: 0, id: 'b', name: 'knowledge_search', arguments: '{"query":"y"}' });
    for (const given of ['', '{"query":"ha']) {
      const { calls, ids } = assemble(
        piece({ index: 0, id: 'a', name: 'knowledge_search', arguments: given }),
        next,
      );
      expect(ids).toEqual(['a', 'b']);
      expect(calls[1]).toEqual(['knowledge_search', { query: 'y' }]);
    }
  });

  test('may change their id from piece to piece', () => {
    const { calls, ids } = assemble(
      piece({ index: 0, id: 'chunk-1', name: 'knowledge_search', arguments: '' }),
      piece({ index: 0, id: 'chunk-2', arguments: '{"query":' }),
      piece({ index: 0, id: 'chunk-3', arguments: '"x"}' }),
    );
    expect([calls, ids]).toEqual([[['knowledge_search', { query: 'x' }]], ['chunk-1']]);
  });

  test('may repeat the whole call, or begin with an empty object', () => {
    const whole = { index: 0, id: 'a', name: 'knowledge_search', arguments: '{"query":"x"}' };
    expect(assemble(piece(whole), piece(whole)).calls).toEqual([['knowledge_search', { query: 'x' }]]);
    expect(
      assemble(piece({ ...whole, arguments: '{}' }), piece({ index: 0, arguments: '{"query":"x"}' })).calls,
    ).toEqual([['knowledge_search', { query: 'x' }]]);
  });

  test('may cut the name', () => {
    expect(
      assemble(
        piece({ index: 0, id: 'a', name: 'knowledge_' }),
        piece({ index: 0, name: 'read' }),
        piece({ index: 0, arguments: '{}' }),
      ).calls,
    ).toEqual([['knowledge_read', {}]]);
  });

  test('get ids where there are none or equal ones', () => {
    const entry = (id: string | null) =>
      piece({ index: 0, id, name: 'knowledge_search', arguments: '{"query":"x"}' });
    const other = (id: string | null) =>
      piece({ index: 1, id, name: 'knowledge_read', arguments: '{"ref":"x"}' });
    for (const id of [null, '', 'same']) {
      const { ids } = assemble(entry(id), other(id));
      expect(new Set(ids).size).toBe(2);
      expect(ids.every((made) => made.length > 0)).toBe(true);
    }
  });

  test('that are no pieces are passed over', () => {
    const assembly = new ToolCallAssembly(NAMES);
    for (const value of [null, undefined, 'x', 3, [null], ['x'], []]) assembly.accept(value);
    expect(assembly.size).toBe(0);
  });

  test('give the same calls however their arguments are cut', () => {
    const input = fc.dictionary(
      fc.string({ minLength: 1 }),
      fc.oneof(fc.string(), fc.integer(), fc.constant({ a: ['{', '}'] })),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(
        fc.array(input, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (inputs, size, indexed) => {
          const assembly = new ToolCallAssembly(NAMES);
          inputs.forEach((value, number) => {
            const text = JSON.stringify(value);
            for (let start = 0; start < text.length; start += size) {
              const head =
                start === 0
                  ? {
                      id: `id-${number}`,
                      function: { name: 'knowledge_search', arguments: text.slice(0, size) },
                    }
                  : { function: { arguments: text.slice(start, start + size) } };
              assembly.accept([{ ...(indexed ? { index: number } : {}), ...head }]);
            }
          });
          const { calls, cut } = assembly.finish(new Set());
          expect(calls.map((call) => call.input)).toEqual(
            inputs.map((value) => JSON.parse(JSON.stringify(value))),
          );
          expect(cut).toBe(false);
        },
      ),
    );
  });
});

test('arguments nested without end are text, so that nothing that walks them overflows', () => {
  const text = `{"query":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  expect(readArguments(text)).toBe(text);
  expect(readArguments('{"query":[[["agent"]]]}')).toEqual({ query: [[['agent']]] });
});

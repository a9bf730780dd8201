import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEvents } from '../../src/models/event-stream.ts';

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += size) {
    yield text.slice(start, start + size);
    // A packet that ends inside a character gives no text yet.
    yield '';
  }
}

async function eventsOf(text: string, size: number) {
  const found: unknown[] = [];
  for await (const event of parseEvents(pieces(text, size))) found.push(event);
  return found;
}

describe('server-sent events', () => {
  test('are the same with every line end and however they are cut', async () => {
    const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/u.test(text));
    const event = fc.record({
      event: fc.option(line, { nil: undefined }),
      data: fc.array(line, { minLength: 1, maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 4 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 8 }),
        async (wanted, lineEnd, size) => {
          const text = wanted
            .map(({ event: name, data }) =>
              [
                ': comment',
                ...(name === undefined ? [] : [`event: ${name}`]),
                ...data.map((part) => `data: ${part}`),
                '',
                '',
              ].join(lineEnd),
            )
            .join('');
          expect(await eventsOf(text, size)).toEqual(
            wanted.map(({ event: name, data }) =>
              name === undefined ? { data: data.join('\n') } : { event: name, data: data.join('\n') },
            ),
          );
        },
      ),
    );
  });

  test('of one very long line are read in linear time', async () => {
    const data = 'x'.repeat(8_000_000);
    const started = performance.now();
    expect(await eventsOf(`data: ${data}\n\n`, 4096)).toEqual([{ data }]);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('without any end of line are refused', async () => {
    await expect(eventsOf('x'.repeat(33_000_000), 1_000_000)).rejects.toMatchObject({
      code: 'model-malformed',
    });
  });
});

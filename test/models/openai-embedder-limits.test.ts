import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutAtWord } from '../../src/models/embedding-input.ts';
import { type Behaviour, hashedEmbedding, tokensOf } from '../support/embedding-server.ts';
import { cosine, embedAll, embedderAt, serve, texts } from './embedding-support.ts';
import { failure } from './support.ts';

const signal = new AbortController().signal;

/** Each text has its own vector: that of the text, or of its beginning. */
function isRight(vectors: readonly Float32Array[], inputs: readonly string[]): boolean {
  return vectors.every((vector, index) => cosine(vector, hashedEmbedding(inputs[index] ?? '')) > 0.9999);
}

describe('a server that takes less', () => {
  test('items: halves or obeys, remembers for the process, and loses nothing', async () => {
    const server = await serve({ maxItems: 3 });
    const inputs = texts(20);
    const { vectors, notices } = await embedAll(await embedderAt(server), inputs);
    expect(isRight(vectors, inputs)).toBe(true);
    expect(notices).toEqual([{ kind: 'limit-learned', axis: 'items', limit: 3 }]);
    expect(server.requests.filter((request) => request.status !== 200)).toHaveLength(1);
    // Another embedder for the same server and model knows.
    await embedAll(await embedderAt(server), inputs);
    expect(server.requests.filter((request) => request.status !== 200)).toHaveLength(1);
    expect([...server.embedded].sort()).toEqual([...inputs, ...inputs].sort());
  });

  test('bytes: keeps requests below what a 413 refused', async () => {
    const server = await serve({ maxBytes: 4000 });
    const inputs = texts(60, 40);
    const { vectors, notices } = await embedAll(await embedderAt(server), inputs);
    expect(isRight(vectors, inputs)).toBe(true);
    expect(notices[0]).toMatchObject({ kind: 'limit-learned', axis: 'request-bytes' });
    const refused = server.requests.filter((request) => request.status === 413);
    expect(refused.length).toBeLessThan(5);
    expect(server.requests.lastIndexOf(refused.at(-1) ?? server.requests[0] ?? fail())).toBeLessThan(6);
  });

  test.each<[NonNullable<Behaviour['tokenRefusal']>, number]>([
    ['llama.cpp', 500],
    ['openai', 400],
    ['without-numbers', 400],
  ])(
    'tokens per text, in the words of %s: shortens only what is too long, and tells',
    async (tokenRefusal) => {
      const server = await serve({ maxInputTokens: 100, tokenRefusal });
      const inputs = texts(30).map(
        (text, index) => (index % 10 === 4 ? texts(1, 200 + index)[0] : text) ?? '',
      );
      const { vectors, notices } = await embedAll(await embedderAt(server), inputs);
      const cut = notices.flatMap((notice) => (notice.kind === 'shortened' ? [notice] : []));
      expect(cut.map((notice) => notice.index).sort((left, right) => left - right)).toEqual([4, 14, 24]);
      for (const { index, characters, kept } of cut) {
        const whole = inputs[index] ?? '';
        expect(characters).toBe(whole.length);
        // No more is lost than a third of what would have fitted, and words stay whole.
        const sent = whole.slice(0, kept);
        expect(tokensOf(sent).length).toBeGreaterThan(65);
        expect(whole[kept]).toMatch(/\s/u);
        expect(cosine(vectors[index] ?? new Float32Array(), hashedEmbedding(sent))).toBeGreaterThan(0.9999);
      }
      const others = [...inputs.keys()].filter((index) => index % 10 !== 4);
      for (const index of others) {
        expect(
          cosine(vectors[index] ?? new Float32Array(), hashedEmbedding(inputs[index] ?? '')),
        ).toBeGreaterThan(0.9999);
      }
      expect(server.requests.filter((request) => request.status !== 200).length).toBeLessThan(14);
    },
  );

  test('a prefix is never what is cut', async () => {
    const server = await serve({ maxInputTokens: 60 });
    const embedder = await embedderAt(server, { documentPrefix: 'title: {title} | text: ' });
    await embedder.embed(texts(1, 100), 'document', { signal, titles: ['Masts > Rigging'] });
    expect(server.embedded).toEqual([
      expect.stringMatching(/^title: Masts > Rigging \| text: harbour0 mast0/u),
    ]);
  });

  test('a limit given in the settings is obeyed before anything is refused', async () => {
    const server = await serve();
    const embedder = await embedderAt(server, { batch: { items: 4, inputTokens: 50, requestBytes: 1024 } });
    const inputs = [...texts(9), texts(1, 100)[0] ?? ''];
    const { notices } = await embedAll(embedder, inputs);
    expect(Math.max(...server.requests.map((request) => request.input.length))).toBeLessThanOrEqual(4);
    expect(Math.max(...server.requests.map((request) => request.bytes))).toBeLessThanOrEqual(1024);
    expect(notices.map((notice) => notice.kind)).toContain('shortened');
    for (const text of server.embedded) expect(text.length).toBeLessThan(50 * 3.6);
  });

  test('a text that even 16 characters of are too long is an error, not an endless loop', async () => {
    const server = await serve({ maxInputTokens: 1 });
    const error = await failure(embedAll(await embedderAt(server), texts(3)));
    expect(error.code).toBe('embedder-rejected');
    expect(error.message).toContain('too large to process');
    expect(server.requests.length).toBeLessThan(30);
  });

  test.each([400, 404, 409, 422])('status %i about anything else is not asked again', async (status) => {
    const server = await serve({ refusal: { status, body: '{"error":{"message":"model not found"}}' } });
    const error = await failure(embedAll(await embedderAt(server), texts(20)));
    expect(error).toMatchObject({ code: 'embedder-rejected', details: { status } });
    expect(server.requests).toHaveLength(1);
  });

  test('an error with status 200 is one', async () => {
    const server = await serve({ reply: 'error' });
    const error = await failure(embedAll(await embedderAt(server), texts(2)));
    expect(error).toMatchObject({ code: 'embedder-rejected', details: { status: 200 } });
    expect(error.hint).toContain('made for embeddings');
  });

  test('whatever the limits, every text gets its vector', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          maxItems: fc.integer({ min: 1, max: 9 }),
          maxBytes: fc.integer({ min: 3000, max: 9000 }),
          maxInputTokens: fc.integer({ min: 40, max: 500 }),
          tokenRefusal: fc.constantFrom('llama.cpp' as const, 'openai' as const, 'without-numbers' as const),
        }),
        fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 30 }),
        async (behaviour, sizes) => {
          const server = await serve(behaviour);
          const inputs = sizes.map((size, index) => `${index} ${texts(1, size)[0]}`);
          const { vectors, notices } = await embedAll(await embedderAt(server), inputs);
          const kept = new Map(notices.flatMap((n) => (n.kind === 'shortened' ? [[n.index, n.kept]] : [])));
          expect(vectors).toHaveLength(inputs.length);
          expect(
            isRight(
              vectors,
              inputs.map((text, index) => text.slice(0, kept.get(index))),
            ),
          ).toBe(true);
          await server.stop();
        },
      ),
      { numRuns: 25 },
    );
  });
});

test('a text is cut at a word where one ends near, never inside a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.integer({ min: 1, max: 60 }),
      (text, length) => {
        const cut = cutAtWord(text, length);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(length);
        expect(/[\ud800-\udbff]$/u.test(cut) && text !== cut).toBe(false);
      },
    ),
  );
  expect(cutAtWord('one two three', 8)).toBe('one two');
  expect(cutAtWord('one two three', 7)).toBe('one two');
  expect(cutAtWord('abcdefghijklmnop', 5)).toBe('abcde');
});

function fail(): never {
  throw new Error('no request');
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { env } from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import type { EmbeddingsConfig } from '../../src/core/config.ts';
import type { EmbeddedBatch, Embedder } from '../../src/core/embedder.ts';
import { createEmbedder } from '../../src/models/create-embedder.ts';
import { cosine, embedAll, embeddings, norm, texts } from './embedding-support.ts';
import { failure } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'kb-tiny-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const signal = new AbortController().signal;

function tiny(kind: 'mean' | 'sentence'): string {
  const place = join(folder, kind);
  execFileSync(process.execPath, [
    resolve(import.meta.dirname, '../../scripts/make-tiny-onnx.mjs'),
    place,
    kind,
  ]);
  return place;
}

const { KB_TRANSFORMERS } = env;

function embedder(more: Partial<EmbeddingsConfig>, environment = { KB_TRANSFORMERS }): Promise<Embedder> {
  return createEmbedder(embeddings({ provider: 'transformers', model: './tiny', ...more }), environment);
}

/** Beside kb, or where the variable says. */
function isInstalled(): boolean {
  const from = KB_TRANSFORMERS === undefined ? import.meta.filename : join(KB_TRANSFORMERS, 'package.json');
  try {
    createRequire(from).resolve('@huggingface/transformers');
    return true;
  } catch {
    return false;
  }
}

describe('without the package', () => {
  test('an embedder in this process says which command installs it', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty, { recursive: true });
    const error = await failure(
      embedAll(await embedder({ modelFolder: folder }, { KB_TRANSFORMERS: empty }), ['x']),
    );
    expect(error).toMatchObject({ code: 'embedder-missing', details: { what: '@huggingface/transformers' } });
    expect(error.message).toContain('is not installed');
    expect(error.hint).toContain('npm install @huggingface/transformers');
  });

  test('one that is broken is told from one that is absent', async () => {
    const place = join(folder, 'broken', 'node_modules', '@huggingface', 'transformers');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{"name":"@huggingface/transformers","main":"index.cjs"}');
    writeFileSync(join(place, 'index.cjs'), "throw new Error('no binding for this machine')");
    const error = await failure(
      embedAll(await embedder({ modelFolder: folder }, { KB_TRANSFORMERS: join(folder, 'broken') }), ['x']),
    );
    expect(error.code).toBe('embedder-missing');
    expect(error.message).toContain('cannot be loaded');
    expect(error.message).toContain('no binding for this machine');
  });
});

describe.skipIf(!isInstalled())(
  'a model in this process (skipped: @huggingface/transformers is neither installed nor named by KB_TRANSFORMERS)',
  () => {
    test('is loaded from its directory and embeds in batches by length, results in order', async () => {
      const batches: EmbeddedBatch[] = [];
      const one = await embedder({ modelFolder: tiny('mean'), batch: { items: 2 } });
      const inputs = ['a long text of some words', 'short', 'a text of words', 'tiny', 'another short one'];
      const vectors = await one.embed(inputs, 'document', {
        signal,
        onBatch: (batch) => {
          batches.push(batch);
        },
      });
      expect(batches.map((batch) => batch.indexes)).toEqual([[3, 1], [2, 4], [0]]);
      for (const [index, vector] of vectors.entries()) {
        expect(vector).toHaveLength(32);
        expect(norm(vector)).toBeCloseTo(1, 5);
        // Padding has no part in it: alone a text has the same vector.
        const [alone] = await one.embed([inputs[index] ?? ''], 'document', { signal });
        expect(cosine(vector, alone ?? new Float32Array())).toBeCloseTo(1, 5);
      }
      expect(await one.identity(signal)).toMatchObject({ model: './tiny', dimensions: 32, normalised: true });
    });

    test('pools as told, or takes what the model has pooled', async () => {
      const place = tiny('mean');
      const poolings = await Promise.all(
        (['mean', 'cls', 'last_token'] as const).map(async (pooling) => {
          const one = await embedder({ modelFolder: place, pooling });
          return (
            (await one.embed(['some words', 'a longer text'], 'document', { signal }))[0] ??
            new Float32Array()
          );
        }),
      );
      const [mean, cls, last] = poolings.map((vector) => [...vector]);
      expect(mean).not.toEqual(cls);
      expect(cls).not.toEqual(last);
      // The first token is the same in every text.
      const clsAgain = await embedder({ modelFolder: place, pooling: 'cls' });
      expect([...((await clsAgain.embed(['else'], 'document', { signal }))[0] ?? [])]).toEqual(cls);
      const own = await embedder({ modelFolder: tiny('sentence'), pooling: 'cls' });
      const alone = (await own.embed(['some words'], 'document', { signal }))[0] ?? new Float32Array();
      expect(cosine(alone, Float32Array.from(mean ?? []))).toBeCloseTo(1, 5);
    });

    test('tells what it cuts', async () => {
      const one = await embedder({ modelFolder: tiny('mean') });
      const long = texts(1, 40)[0] ?? '';
      const { vectors, notices } = await embedAll(one, ['short', long]);
      const [notice] = notices;
      expect(notices).toHaveLength(1);
      expect(notice).toMatchObject({ kind: 'shortened', index: 1, characters: long.length });
      const kept = notice?.kind === 'shortened' ? notice.kept : 0;
      expect(kept).toBeGreaterThan(30);
      const [beginning] = await one.embed([long.slice(0, kept)], 'document', { signal });
      expect(cosine(vectors[1] ?? new Float32Array(), beginning ?? new Float32Array())).toBeCloseTo(1, 5);
    });

    test('is never fetched unless allowed, and says what is missing', async () => {
      const named = await failure(embedAll(await embedder({ model: 'nobody/no-such-model' }), ['x']));
      expect(named).toMatchObject({
        code: 'embedder-missing',
        hint: expect.stringContaining('allow_download'),
      });
      const nowhere = await failure(embedAll(await embedder({ modelFolder: join(folder, 'none') }), ['x']));
      expect(nowhere.code).toBe('embedder-missing');
      expect(nowhere.message).toContain('config.json');
      expect(nowhere.hint).toContain('onnx/model.onnx');
    });

    test('another dimension than the settings name is an error', async () => {
      const error = await failure(
        embedAll(await embedder({ modelFolder: tiny('mean'), dimensions: 64 }), ['x']),
      );
      expect(error.code).toBe('embedder-changed');
    });

    test('stops between two batches', async () => {
      const stop = new AbortController();
      const one = await embedder({ modelFolder: tiny('mean'), batch: { items: 1 } });
      let done = 0;
      const call = one.embed(texts(50, 4), 'document', {
        signal: stop.signal,
        onBatch: () => {
          done += 1;
          if (done === 3) stop.abort();
        },
      });
      expect((await failure(call)).code).toBe('aborted');
      expect(done).toBe(3);
    });
  },
);

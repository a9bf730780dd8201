import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeConfig } from '../../src/config/describe.ts';
import { folderConfig, loadConfig, loadConfigWithOrigins } from '../../src/config/load.ts';
import { isKbError } from '../../src/core/errors.ts';
import { failure, saved, temporaryFolder } from './support.ts';

const folder = temporaryFolder();
const MINIMAL = 'harness:\n  knowledge:\n    paths: [docs]\n';

describe('settings from outside the file', () => {
  const file = saved(
    folder,
    `${MINIMAL}    top_k: 3\nllm: { provider: none, model: small }\n`,
    'layers.yaml',
  );

  test('win in the order flag, environment, file, default, and say so', () => {
    const environment = { KB_TOP_K: '7', KB_LLM_MODEL: 'medium', KB_MAX_TOKENS: ' ', KB_CALL_TIMEOUT: '90' };
    const { config, origins } = loadConfigWithOrigins(file, environment, { model: 'large' });
    expect(config.knowledge.topK).toBe(7);
    expect(config.llm).toMatchObject({
      model: 'large',
      budget: { callTimeoutSeconds: 90, maxTokens: 100_000 },
    });
    const rows = new Map(describeConfig(config, origins, environment).map((row) => [row.key, row.from]));
    expect(rows.get('harness.knowledge.top_k')).toBe('environment KB_TOP_K');
    expect(rows.get('llm.model')).toBe('flag --model');
    expect(rows.get('llm.provider')).toBe(`${file}:5`);
    expect(rows.get('harness.knowledge.paths')).toBe(`${file}:3`);
    expect(rows.get('llm.budget.max_tokens')).toBe('default');
  });

  test.each([
    [
      { KB_TOP_K: 'many' },
      'environment KB_TOP_K: harness.knowledge.top_k must be a whole number from 1 to 20, not "many"',
    ],
    [
      { KB_TOP_K: '21' },
      'environment KB_TOP_K: harness.knowledge.top_k must be a whole number from 1 to 20, not 21',
    ],
    [
      { KB_LLM_BASE_URL: 'http://far.example' },
      /^environment KB_LLM_BASE_URL: llm\.base_url must use https/u,
    ],
    [{ KB_LLM_PROVIDER: 'openia' }, /^environment KB_LLM_PROVIDER: .*did you mean openai/u],
  ])('are checked like the file: %o', (environment, message) => {
    const error = failure(() => loadConfig(file, environment));
    expect(isKbError(error, 'config-invalid') && error.details.problems[0]).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  test('turn embeddings on where the file has none', () => {
    const environment = { KB_EMBED_BASE_URL: 'http://localhost:9/v1', KB_EMBED_MODEL: 'small' };
    expect(folderConfig(folder, environment).knowledge.embeddings).toMatchObject({
      provider: 'openai',
      baseUrl: 'http://localhost:9/v1',
      model: 'small',
    });
    const error = failure(() => loadConfig(file, { KB_EMBED_BASE_URL: 'http://far.example' }));
    expect(isKbError(error, 'config-invalid') && error.details.problems).toEqual([
      expect.stringMatching(/^environment KB_EMBED_BASE_URL: .*base_url must use https/u),
      expect.stringMatching(/harness\.knowledge\.embeddings\.model is missing$/u),
    ]);
  });

  test('do not hide a bad value of the file', () => {
    const bad = saved(folder, `${MINIMAL}    top_k: 99\n`, 'bad.yaml');
    const error = failure(() => loadConfig(bad, {}, { topK: 3 }));
    expect(isKbError(error, 'config-invalid') && error.details.problems).toEqual([
      expect.stringContaining('bad.yaml:4: harness.knowledge.top_k'),
    ]);
  });

  test('do not change other keys whose names objects inherit', () => {
    expect(loadConfig(file, { constructor: 'x', KB_LLM_KEY_ENV: 'toString' }).llm.apiKeyEnv).toBe('toString');
  });

  test('show of a key only whether it is set', () => {
    const secret = 'sk-very-secret';
    for (const [environment, shown] of [
      [{ KB_LLM_KEY_ENV: 'MY_KEY', MY_KEY: secret }, 'MY_KEY (set)'],
      [{ KB_LLM_KEY_ENV: 'MY_KEY', MY_KEY: '' }, 'MY_KEY (not set)'],
    ] as const) {
      const { config, origins } = loadConfigWithOrigins(file, environment);
      const rows = describeConfig(config, origins, environment);
      expect(rows.find((row) => row.key === 'llm.api_key_env')?.value).toBe(shown);
      expect(JSON.stringify([rows, config])).not.toContain(secret);
    }
  });
});

describe('a bare folder', () => {
  test('is a knowledge base of everything in it', () => {
    const docs = join(folder, 'My Docs');
    mkdirSync(docs);
    writeFileSync(join(docs, 'a.md'), 'a');
    const config = folderConfig(docs);
    expect(config).toMatchObject({ name: 'my-docs', root: docs, knowledge: { paths: ['.'] } });
    expect(config.file).toBeUndefined();
  });

  test('takes the same settings from outside, with the same checks', () => {
    const environment = {
      KB_LLM_PROVIDER: 'openai',
      KB_LLM_BASE_URL: 'http://127.0.0.1:1/v1',
      KB_LLM_MODEL: 'm',
    };
    expect(folderConfig(folder, environment).llm).toMatchObject({ provider: 'openai', model: 'm' });
    const error = failure(() => folderConfig(folder, { KB_LLM_PROVIDER: 'openai' }));
    expect(isKbError(error, 'config-invalid') && error.details.problems).toEqual([
      expect.stringMatching(/^llm\.model is missing/u),
      expect.stringMatching(/^llm\.base_url is missing/u),
    ]);
  });
});

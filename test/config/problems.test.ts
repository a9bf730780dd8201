import { describe, expect, test } from 'vitest';
import { stripControls } from '../../src/core/text.ts';
import { loaded, problemsOf, temporaryFolder } from './support.ts';

const folder = temporaryFolder();

/** A file whose knowledge block holds these lines from line 4 on. */
function knowledge(...lines: readonly string[]): string {
  return ['harness:', '  knowledge:', '    paths: [docs]', ...lines.map((line) => `    ${line}`), ''].join(
    '\n',
  );
}

function llm(line: string): string {
  return `${knowledge()}llm:\n  ${line}\n`;
}

describe('problems of a file', () => {
  test('are reported all at once, each with its line, in the order of the file', () => {
    const text = [
      'identty: x',
      'harness:',
      '  knowledge:',
      '    paths: [docs, /etc]',
      '    top_k: 0',
      '    exclude:',
      '      - ok',
      '      - 7',
      '    anchors: kramdwn',
      'llm:',
      '  provider: none',
      '  budget: { call_timeout: soon }',
      '  provider: none',
      '',
    ].join('\n');
    expect(problemsOf(folder, text).map((problem) => problem.slice(0, 58))).toEqual(
      [
        'agent.yaml:1: unknown key "identty" at the top level: did you mean identity?'.slice(0, 58),
        'agent.yaml:4: harness.knowledge.paths[1] must be relative to',
        'agent.yaml:5: harness.knowledge.top_k must be a whole number',
        'agent.yaml:8: harness.knowledge.exclude[1] must be text, not',
        'agent.yaml:9: harness.knowledge.anchors must be one of auto,',
        'agent.yaml:12: llm.budget.call_timeout must be a duration suc',
        'agent.yaml:13: the key provider stands here a second time',
      ].map((line) => line.slice(0, 58)),
    );
  });

  test.each([
    ['topk: 3', 'unknown key "topk" in harness.knowledge: did you mean top_k?'],
    [
      'max-injected-tokens: 3',
      'unknown key "max-injected-tokens" in harness.knowledge: did you mean max_injected_tokens?',
    ],
    [
      'base_url: x',
      'unknown key "base_url" in harness.knowledge: it belongs in harness.knowledge.embeddings or in harness.knowledge.site',
    ],
    ['identity: x', 'unknown key "identity" in harness.knowledge: it belongs at the top level'],
    [
      'embeddings: { base_url: "http://localhost:1/v1", model: m, querytimeout: 3s }',
      'unknown key "querytimeout" in harness.knowledge.embeddings: did you mean query_timeout?',
    ],
    [
      'embeddings: { base_url: "http://localhost:1/v1", model: m, request_bytes: 5000 }',
      'unknown key "request_bytes" in harness.knowledge.embeddings: it belongs in harness.knowledge.embeddings.batch',
    ],
    ['model: m', 'unknown key "model" in harness.knowledge: it belongs in harness.knowledge.embeddings'],
  ])('answer an unknown key with the name that was meant: %s', (line, message) => {
    expect(problemsOf(folder, knowledge(line))).toEqual([`agent.yaml:4: ${message}`]);
  });

  test('name every mapping a key may stand in', () => {
    expect(problemsOf(folder, `${knowledge()}provider: openai\n`)).toEqual([
      'agent.yaml:4: unknown key "provider" at the top level: it belongs in harness.knowledge.embeddings or in llm',
    ]);
  });

  test.each([
    ['{ model: m }', 'harness.knowledge.embeddings.base_url is missing'],
    ['{ provider: transformers }', 'harness.knowledge.embeddings.model is missing'],
    ['{ provider: ollama, model: m }', 'harness.knowledge.embeddings.provider must be one of openai, transf'],
    [
      '{ provider: transformers, model: m, base_url: "http://localhost:1" }',
      'harness.knowledge.embeddings.base_url has no meaning',
    ],
    [
      '{ base_url: "http://localhost:1", model: m, allow_download: true }',
      'harness.knowledge.embeddings.allow_download has a meaning with',
    ],
    [
      '{ base_url: "http://localhost:1", model: m, batch: { items: 0 } }',
      'harness.knowledge.embeddings.batch.items must be a whole number',
    ],
    [
      '{ base_url: "http://localhost:1", model: m, query_timeout: 0 }',
      'harness.knowledge.embeddings.query_timeout must be more than 0',
    ],
    [
      '{ base_url: "http://far.example/v1", model: m }',
      'harness.knowledge.embeddings.base_url must use https',
    ],
  ])('tell what is wrong with embeddings: %s', (value, message) => {
    expect(problemsOf(folder, knowledge(`embeddings: ${value}`))).toEqual([
      expect.stringContaining(`agent.yaml:4: ${message}`),
    ]);
  });

  test('list the valid names when none is near', () => {
    expect(problemsOf(folder, llm('zzz: 1'))).toEqual([
      'agent.yaml:5: unknown key "zzz" in llm: the valid names are provider, base_url, model, api_key_env, max_output_tokens, budget',
    ]);
  });

  test.each(['api_key', 'apiKey', 'token', 'password', 'api-key'])(
    'never accept or repeat a secret: %s',
    (key) => {
      const problems = problemsOf(folder, llm(`${key}: sk-123456`));
      expect(problems[0]).toMatch(/^agent\.yaml:5: .*api_key_env/u);
      expect(problems.join()).not.toContain('sk-123456');
    },
  );

  test.each([
    llm('{ provider: none, api_key_env: sk-123456 }'),
    llm('{ provider: none, api_key_env: [sk-123456] }'),
    llm('{ provider: none, base_url: "https://me:sk-123456@host/v1" }'),
    knowledge('sources: { docs: { git: "https://sk-123456@host/x" } }'),
    knowledge('sources: { docs: { git: [sk-123456] } }'),
    llm('api_key_env: "sk-123456'),
  ])('never repeat a secret put in the wrong place: %j', (text) => {
    expect(problemsOf(folder, text).join()).not.toContain('sk-123456');
  });

  test('show values without their control characters', () => {
    const [problem = ''] = problemsOf(folder, knowledge('anchors: "\\e[31m\\u202e"'));
    expect(problem).toContain('anchors');
    expect(problem).toBe(stripControls(problem));
  });

  test.each([
    ['top_k', ['0', '-1', '21', '2.5', 'lots', '"5"', '.nan', '.inf', 'true', '[5]', '{}', '']],
    ['max_injected_tokens', ['0', '-5', '1e300', 'x']],
    ['expand_to_section', ['yes', '1', '"true"', '']],
    ['anchors', ['docusarus', '1', '[auto]', '']],
    ['exclude', ['"**"', '[1]', '[""]', '{}', '']],
    ['paths', ['docs', '[1]', '{}', '', '[]']],
    ['citations', ['x', '[x]', '[{ pattern: a }]', '']],
    [
      'site',
      [
        ...['x', '[]', '{}', '{ generator: mkdocs }', '{ base_url: "https://h.example" }'],
        ...[
          'h.example',
          '"javascript:x"',
          '"https://"',
          '"https://h.example/?q"',
          '"https://h.example/#x"',
        ].map((url) => `{ generator: mkdocs, base_url: ${url} }`),
        '{ generator: mkdoks, base_url: "https://h.example" }',
        '{ generator: mkdocs, base_url: "https://h.example", path: ../x }',
        '{ generator: mkdocs, base_url: "https://h.example", ending: php }',
      ],
    ],
    ['sites', ['x', '{}', '[x]', '[{ generator: mkdocs }]']],
    ['embeddings', ['true', '{}', '{ model: m }', '{ base_url: "http://localhost:1" }', '']],
    ['sources', ['x', '[]', '{ a: x }', '{ a: {} }', '']],
  ])('name %s for every wrong value', (key, values) => {
    for (const value of values) {
      const text = `harness:\n  knowledge:\n${key === 'paths' ? '' : '    paths: [docs]\n'}    ${key}: ${value}\n`;
      for (const problem of problemsOf(folder, text)) {
        expect(problem).toMatch(
          new RegExp(`^agent\\.yaml:${key === 'paths' ? 3 : 4}: harness\\.knowledge\\.${key}`, 'u'),
        );
      }
    }
  });

  test.each(['/etc', '../x', 'a/../../x', '..', '', ' ', 'C:\\docs', '~/docs', '\\\\host\\x'])(
    'refuse the path %j, which leaves the folder of the file',
    (path) => {
      expect(problemsOf(folder, `harness: { knowledge: { paths: [${JSON.stringify(path)}] } }`)).toHaveLength(
        1,
      );
    },
  );

  test('accept paths that only look unusual', () => {
    const text = 'harness: { knowledge: { paths: [., a/../b, "..c", "d e/ü", e//f/] } }';
    expect(loaded(folder, text).knowledge.paths).toEqual(['.', 'b', '..c', 'd e/ü', 'e/f']);
  });

  test('refuse a missing or empty list of paths unless knowledge is off', () => {
    expect(problemsOf(folder, 'identity: x')).toEqual([
      expect.stringContaining('harness.knowledge.paths is missing'),
    ]);
    expect(loaded(folder, 'harness: { knowledge: { enabled: false } }').knowledge.paths).toEqual([]);
  });

  test.each(['a/b', '..', '.', '.git', '-x', '__proto__', 'a\\b', 'c:', 'x\u0007'])(
    'refuse the source name %j',
    (name) => {
      const text = knowledge(`sources: { ${JSON.stringify(name)}: { git: https://host/x } }`);
      expect(problemsOf(folder, text)).toEqual([expect.stringContaining('harness.knowledge.sources')]);
    },
  );

  test('keep a source whose name objects inherit', () => {
    const text = knowledge('sources: { constructor: { git: https://host/x } }');
    expect(Object.entries(loaded(folder, text).knowledge.sources)).toEqual([
      ['constructor', { git: 'https://host/x' }],
    ]);
  });

  test.each([
    '-x',
    '--upload-pack=touch',
    'a b',
    'a..b',
    'a~1',
    'a:b',
    'x.lock',
    'a/',
    '/a',
    '@',
    'a\\b',
    'a@{1}',
  ])('refuse the git ref %j', (ref) => {
    const text = knowledge(`sources: { docs: { git: https://host/x, ref: ${JSON.stringify(ref)} } }`);
    expect(problemsOf(folder, text)).toEqual([expect.stringContaining('sources.docs.ref must')]);
  });

  test.each(['v1.2', 'feature/x-y_z', 'a'.repeat(40), '8.28.0', 'ünïcode'])(
    'accept the git ref %j',
    (ref) => {
      const text = knowledge(`sources: { docs: { git: https://host/x, ref: ${JSON.stringify(ref)} } }`);
      expect(loaded(folder, text).knowledge.sources['docs']?.ref).toBe(ref);
    },
  );

  test('refuse a number where a ref is meant, so that 1.10 does not become 1.1', () => {
    expect(
      problemsOf(folder, knowledge('sources: { docs: { git: https://host/x, ref: 1.10 } }')),
    ).toHaveLength(1);
  });
});

describe('settings that need each other', () => {
  test.each([
    ['{ model: m }', ['llm.provider']],
    ['{ provider: openai }', ['llm.model', 'llm.base_url']],
    ['{ provider: anthropic }', ['llm.model']],
    ['{ provider: openai, model: m }', ['llm.base_url']],
  ])('are asked for together: %s', (block, missing) => {
    expect(problemsOf(folder, `${knowledge()}llm: ${block}\n`)).toEqual(
      missing.map((key) => expect.stringContaining(`agent.yaml:4: ${key} is missing`)),
    );
  });
});

describe('the address of a server', () => {
  test.each([
    'http://127.0.0.1:1/v1',
    'http://127.9.9.9',
    'http://localhost:11434/v1',
    'http://[::1]:1',
    'https://far.example/v1',
  ])('may be %s', (url) => {
    expect(loaded(folder, llm(`{ provider: openai, model: m, base_url: "${url}" }`)).llm.baseUrl).toBe(url);
  });

  test.each([
    'http://far.example/v1',
    'http://10.0.0.1/v1',
    'http://localhost.far.example',
    'http://127.0.0.1.far.example',
    'http://[::ffff:7f00:1]/',
    'http://0.0.0.0:1',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'localhost:1234/v1',
    'https://user@far.example',
    'https://far .example',
    '',
  ])('may not be %j', (url) => {
    expect(problemsOf(folder, llm(`{ provider: openai, model: m, base_url: "${url}" }`))).toEqual([
      expect.stringContaining('agent.yaml:5: llm.base_url must'),
    ]);
  });
});

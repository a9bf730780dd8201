// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${anchor} is a placeholder of the file format
import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { isKbError } from '../../src/core/errors.ts';
import { sharedPath } from '../support/shared.ts';
import { failure, problemsOf, saved, temporaryFolder } from './support.ts';

const folder = temporaryFolder();
const MINIMAL = 'harness:\n  knowledge:\n    paths: [docs]\n';

/** Every key of the format once. */
const WHOLE = `identity: Harbour
icon_url: https://harbour.example/icon.svg
harness:
  knowledge:
    enabled: true
    sources:
      manual: { git: https://git.example/harbour/manual, ref: v2 }
    paths: [manual/docs/, ./notes.md, notes.md]
    exclude: ['**/drafts/**']
    anchors: github
    expand_to_section: false
    read_tool: false
    top_k: 20
    max_injected_tokens: 900
    embeddings:
      base_url: http://[::1]:9/v1
      model: small
      api_key_env: HARBOUR_KEY
      timeout: 500ms
      query_timeout: 2
      provider: openai
      dimensions: 256
      batch: { items: 8, input_tokens: 480, request_bytes: 65536 }
      query_prefix: 'q: '
      document_prefix: 'd: '
    citations:
      - { pattern: '^manual/(.+)\\.md$', replace: 'https://harbour.example/$1/#\${anchor}' }
    site: { generator: mkdocs, base_url: 'https://Harbour.example/docs', path: ./manual/docs/, ending: html }
    sites:
      - { generator: github, base_url: https://code.example/main/, path: . }
llm:
  provider: anthropic
  base_url: https://models.example
  model: large
  api_key_env: HARBOUR_LLM
  max_output_tokens: 10
  budget: { max_tokens: 1, max_iterations: 2, max_tool_calls: 3, call_timeout: 2m, total_timeout: 1h }
system_prompt: |
  Answer harbour masters.
`;

describe('a knowledge-base file', () => {
  test('gives every setting it names', () => {
    const file = saved(folder, WHOLE, 'Harbour Manual.yaml');
    expect(loadConfig(file)).toEqual({
      name: 'harbour-manual',
      file,
      root: folder,
      identity: 'Harbour',
      iconUrl: 'https://harbour.example/icon.svg',
      systemPrompt: 'Answer harbour masters.\n',
      knowledge: {
        enabled: true,
        sources: { manual: { git: 'https://git.example/harbour/manual', ref: 'v2' } },
        paths: ['manual/docs', 'notes.md'],
        exclude: ['**/drafts/**'],
        anchors: 'github',
        expandToSection: false,
        readTool: false,
        topK: 20,
        maxInjectedTokens: 900,
        embeddings: {
          provider: 'openai',
          baseUrl: 'http://[::1]:9/v1',
          model: 'small',
          apiKeyEnv: 'HARBOUR_KEY',
          timeoutSeconds: 0.5,
          queryTimeoutSeconds: 2,
          dimensions: 256,
          batch: { items: 8, inputTokens: 480, requestBytes: 65536 },
          allowDownload: false,
          queryPrefix: 'q: ',
          documentPrefix: 'd: ',
        },
        citations: [{ pattern: '^manual/(.+)\\.md$', replace: 'https://harbour.example/$1/#${anchor}' }],
        sites: [
          {
            generator: 'mkdocs',
            baseUrl: 'https://harbour.example/docs/',
            path: 'manual/docs',
            ending: 'html',
          },
          { generator: 'github', baseUrl: 'https://code.example/main/', path: '' },
        ],
      },
      llm: {
        provider: 'anthropic',
        baseUrl: 'https://models.example',
        model: 'large',
        apiKeyEnv: 'HARBOUR_LLM',
        budget: {
          maxTokens: 1,
          maxIterations: 2,
          maxToolCalls: 3,
          callTimeoutSeconds: 120,
          totalSeconds: 3600,
        },
        maxOutputTokens: 10,
      },
    });
  });

  test.each([
    ['./models/small', 'models/small'],
    ['../models/small', '../models/small'],
    ['/opt/models/small', '/opt/models/small'],
    ['Xenova/all-MiniLM-L6-v2', undefined],
    ['small', undefined],
  ])('tells the directory of a model from a name: %s', (model, place) => {
    const { embeddings } = loadConfig(
      saved(folder, `${MINIMAL}    embeddings: { provider: transformers, model: ${model}, pooling: cls }\n`),
    ).knowledge;
    expect(embeddings).toEqual({
      provider: 'transformers',
      model,
      ...(place === undefined ? {} : { modelFolder: resolve(folder, place) }),
      timeoutSeconds: 30,
      queryTimeoutSeconds: 3,
      allowDownload: false,
      pooling: 'cls',
    });
  });

  test('is plain data: JSON and back changes nothing', () => {
    const config = loadConfig(saved(folder, WHOLE));
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
  });

  test('with nothing but paths gets every default', () => {
    const config = loadConfig(saved(folder, MINIMAL));
    expect(config.knowledge).toEqual({
      enabled: true,
      sources: {},
      paths: ['docs'],
      exclude: [],
      anchors: 'auto',
      expandToSection: true,
      readTool: true,
      topK: 5,
      maxInjectedTokens: 6000,
      citations: [],
    });
    expect(config.llm).toEqual({
      provider: 'none',
      budget: {
        maxTokens: 100_000,
        maxIterations: 20,
        maxToolCalls: 60,
        callTimeoutSeconds: 120,
        totalSeconds: 600,
      },
      maxOutputTokens: 2048,
    });
  });

  test('may begin with a byte order mark and end its lines with CR LF', () => {
    expect(loadConfig(saved(folder, `\ufeff${MINIMAL.replaceAll('\n', '\r\n')}`)).knowledge.paths).toEqual([
      'docs',
    ]);
  });

  test('is found by a relative path, its root absolute', () => {
    const file = relative(process.cwd(), saved(folder, MINIMAL));
    expect(loadConfig(file)).toMatchObject({ root: folder, file: join(folder, 'agent.yaml') });
  });

  const design = sharedPath('DESIGN.md');
  const printed = readIfThere(design)?.match(/^```yaml\n(.*?)^```$/msu)?.[1];
  test.skipIf(printed === undefined)(
    'as the design prints it loads unchanged (skipped: no ../shared)',
    () => {
      const config = loadConfig(saved(folder, printed ?? ''));
      expect(config.identity).toBe('OpenVOX');
      expect(config.knowledge.paths).toHaveLength(4);
      expect(config.llm).toMatchObject({ provider: 'openai', model: 'qwen3:8b' });
      expect(config.llm.budget).toMatchObject({ maxIterations: 50, callTimeoutSeconds: 120 });
    },
  );
});

test('any damage to a file gives a configuration or a KbError, never another exception', () => {
  const piece = fc.constantFrom(
    '\t',
    ':',
    '- ',
    '{',
    ']',
    '*a',
    '&a ',
    '"',
    '\n',
    '!!x',
    '~',
    '0',
    '-',
    '<<',
    '\u0000',
    '$9',
  );
  const damage = fc.record({ at: fc.nat(WHOLE.length), cut: fc.nat(12), put: piece });
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (damages) => {
      const text = damages.reduce(
        (damaged, { at, cut, put }) => damaged.slice(0, at) + put + damaged.slice(at + cut),
        WHOLE,
      );
      try {
        loadConfig(saved(folder, text));
      } catch (error) {
        expect(isKbError(error, 'config-invalid')).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

describe('a file that cannot be read', () => {
  test('is named with a way on when it is missing', () => {
    const file = join(folder, 'absent.yaml');
    const error = failure(() => loadConfig(file));
    expect(isKbError(error, 'config-missing') && [error.details.file, error.hint]).toEqual([
      file,
      expect.stringContaining('--config'),
    ]);
  });

  test.each([
    ['is empty', '', /agent\.yaml:1: the file is empty/u],
    ['holds only comments', '# nothing\n', /agent\.yaml:1: the file is empty/u],
    ['is a list', '- a\n', /agent\.yaml:1: .*must be a mapping/u],
    ['is a word', 'hello\n', /agent\.yaml:1: .*must be a mapping/u],
    ['is not UTF-8', new Uint8Array([0x61, 0x3a, 0xff, 0xfe]), /is not UTF-8/u],
    ['is indented with a tab', 'harness:\n\tknowledge: 1\n', /agent\.yaml:2: a tab/u],
    ['has a bracket too few', `${MINIMAL}identity: [a\n`, /agent\.yaml:\d: YAML syntax/u],
    ['uses a tag', `${MINIMAL}identity: !!js/function 'x'\n`, /agent\.yaml:4: uses a tag/u],
    ['holds two documents', `${MINIMAL}---\nidentity: b\n`, /agent\.yaml:4: .*second document/u],
    ['uses an alias it lacks', `${MINIMAL}identity: *who\n`, /aliases/u],
    ['is nested without end', `identity: ${'['.repeat(20_000)}`, /nested too deeply/u],
    ['is nested deeply, closed', `identity: ${'['.repeat(3000)}${']'.repeat(3000)}`, /nested too deeply/u],
    ['is nested in mappings', `harness: ${'{a: '.repeat(150)}1${'}'.repeat(150)}`, /nested too deeply/u],
    ['is an alias bomb', aliasBomb(), /aliases/u],
  ])('is refused when it %s', (_, text, message) => {
    expect(problemsOf(folder, text)[0]).toMatch(message);
  });

  test('is refused when it is a folder, with the command for folders', () => {
    mkdirSync(join(folder, 'dir.yaml'));
    const error = failure(() => loadConfig(join(folder, 'dir.yaml')));
    expect(isKbError(error, 'config-invalid') && error.hint).toContain('kb ingest');
  });

  test('is refused when it is far too large', () => {
    expect(problemsOf(folder, `# ${'x'.repeat(1_100_000)}\n${MINIMAL}`)[0]).toContain('1 MiB');
  });
});

function aliasBomb(): string {
  const levels = [...'bcdefghi'].map(
    (name, level) => `${name}: &${name} [${`*${'abcdefgh'[level]},`.repeat(9)}]`,
  );
  return `a: &a [x, x, x]\n${levels.join('\n')}\n`;
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command, Option } from 'commander';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Context } from '../../src/cli/context.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { EXIT } from '../../src/cli/render/errors.ts';
import { terminalOf } from '../../src/cli/render/terminal.ts';
import { SCHEMAS } from '../../src/cli/schemas.ts';
import { KNOWLEDGE_DEFAULTS, LLM_DEFAULTS } from '../../src/config/defaults.ts';
import { formatDuration } from '../../src/config/duration.ts';
import { OVERRIDES } from '../../src/config/overrides.ts';
import { FILE_SCHEMA } from '../../src/config/schema.ts';

const ROOT = join(import.meta.dirname, '../..');

function page(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8');
}

/** Text under the heading that begins so, up to the next heading of that depth. */
function sectionOf(text: string, heading: string): string {
  const [, after] = text.split(`\n## ${heading}`);
  return after?.split('\n## ')[0] ?? '';
}

describe('docs/commands.md', () => {
  const text = page('commands.md');
  const common = sectionOf(text, 'Which options does every command take?');
  const program = programOf();

  test.each(program.commands.map((command) => [command.name(), command] as const))(
    'has a section on kb %s with all its options',
    (name, command) => {
      const section = sectionOf(text, `kb ${name}:`);
      expect(section).not.toBe('');
      // One command may take another's options over in a sentence.
      const taken = /takes the model options of `kb (\w+)`/u.exec(section)?.[1];
      const borrowed = taken === undefined ? '' : sectionOf(text, `kb ${taken}:`);
      for (const option of command.options) {
        expect(`${section}${common}${borrowed}`.replace(/\s+/gu, ' '), `${name} ${option.flags}`).toContain(
          mentionOf(option),
        );
      }
    },
  );

  test('names no option that does not exist', () => {
    const known = new Set(
      [program, ...program.commands].flatMap((command) => command.options.map((option) => option.long)),
    );
    const named = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/gu)].map(([flag]) => flag);
    const examples = ['--help', '--no-daemonize'];
    expect(named.filter((flag) => !known.has(flag) && !examples.includes(flag))).toEqual([]);
  });

  test('names every exit code', () => {
    for (const code of Object.values(EXIT)) expect(text).toContain(`Exit code ${code} means`);
  });
});

/** As the page writes it: with its argument where it takes one. */
function mentionOf(option: Option): string {
  return option.flags.replace(/^-\w, /u, '').trim();
}

function programOf(): Command {
  const terminal = terminalOf({}, {});
  const context: Context = {
    environment: {},
    cwd: ROOT,
    stdout: terminal,
    stderr: terminal,
    signal: new AbortController().signal,
    print: () => undefined,
    say: () => undefined,
  };
  return buildProgram(context, () => undefined);
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** Names of all settings, at any depth. */
function keysOf(schema: JsonSchema): string[] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = schema;
  const inner = [...Object.values(properties), ...anyOf, items, additionalProperties];
  return [
    ...Object.keys(properties),
    ...inner.flatMap((one) => (typeof one === 'object' ? keysOf(one) : [])),
  ];
}

describe('docs/knowledge-base-file.md', () => {
  const text = page('knowledge-base-file.md');

  test('names every key of the file format', () => {
    const schema = z.toJSONSchema(FILE_SCHEMA, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    const keys = new Set(keysOf(schema));
    expect(keys.size).toBeGreaterThan(30);
    for (const key of keys) expect(text, key).toMatch(new RegExp(`\`${key}\`|harness\\.${key}`, 'u'));
  });

  test('gives the defaults that hold', () => {
    const row = (key: string, value: string | number | boolean) =>
      expect(text).toMatch(new RegExp(`^\\| \`${key}\` \\| \`${value}\` \\|`, 'mu'));
    row('enabled', KNOWLEDGE_DEFAULTS.enabled);
    row('anchors', KNOWLEDGE_DEFAULTS.anchors);
    row('expand_to_section', KNOWLEDGE_DEFAULTS.expandToSection);
    row('read_tool', KNOWLEDGE_DEFAULTS.readTool);
    row('top_k', KNOWLEDGE_DEFAULTS.topK);
    row('max_injected_tokens', KNOWLEDGE_DEFAULTS.maxInjectedTokens);
    row('provider', LLM_DEFAULTS.provider);
    row('max_output_tokens', LLM_DEFAULTS.maxOutputTokens);
    const { budget } = LLM_DEFAULTS;
    row('max_tokens', budget.maxTokens);
    row('max_iterations', budget.maxIterations);
    row('max_tool_calls', budget.maxToolCalls);
    row('call_timeout', formatDuration(budget.callTimeoutSeconds));
    row('total_timeout', formatDuration(budget.totalSeconds));
  });

  test('names every variable and the flag beside it', () => {
    for (const { variable, flag, path } of OVERRIDES) {
      expect(text).toContain(`\`${variable}\``);
      if (!path.includes('embeddings')) expect(text).toContain(`| \`${variable}\` | \`${flag}\` |`);
    }
  });
});

describe('docs/troubleshooting.md', () => {
  test('has a remedy for every error code', () => {
    const source = readFileSync(join(ROOT, 'src/core/errors.ts'), 'utf8');
    const body = /interface ErrorDetails \{\n(.*?)\n\}/su.exec(source)?.[1] ?? '';
    const codes = [...body.matchAll(/^ {2}'?([a-z]+(?:-[a-z]+)*)'?:/gmu)].map(([, code]) => code);
    expect(codes.length).toBeGreaterThan(20);
    const text = page('troubleshooting.md');
    for (const code of codes) expect(text).toMatch(new RegExp(`^### ${code}: .+\\n\\n\\S`, 'mu'));
    const headings = [...text.matchAll(/^### ([a-z]+(?:-[a-z]+)*): /gmu)].map(([, code]) => code);
    expect(headings.filter((code) => !codes.includes(code))).toEqual([]);
  });
});

describe('docs/citations.md', () => {
  test('explains every outcome and warning', () => {
    const text = page('citations.md');
    const events = readFileSync(join(ROOT, 'src/core/event.ts'), 'utf8');
    const warnings = /type WarningCode =(.*?);/su.exec(events)?.[1]?.match(/[a-z]+(?:-[a-z]+)+/gu) ?? [];
    expect(warnings.length).toBeGreaterThan(8);
    for (const warning of warnings) expect(text).toContain(`| \`${warning}\` |`);
    for (const outcome of ['answered', 'not-found', 'out-of-budget', 'refused', 'aborted'])
      expect(text).toContain(`| ${outcome} |`);
  });
});

describe('docs/json.md', () => {
  test('names what each command prints', () => {
    const text = page('json.md');
    for (const [command, schema] of Object.entries(SCHEMAS)) {
      const { properties = {}, anyOf = [] } = z.toJSONSchema(schema) as JsonSchema;
      const keys = [properties, ...anyOf.map((one) => one.properties ?? {})].flatMap(Object.keys);
      if (command === 'stats') continue; // plain counts, named by the schema
      for (const key of keys) expect(text, `${command}: ${key}`).toContain(`\`${key}\``);
    }
  });
});

describe('links between the pages', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];

  test.each(pages)('of %s lead to files that are there', (name) => {
    const text = readFileSync(join(ROOT, name), 'utf8').replace(/^(?: {4}.*|```[\s\S]*?^```)$/gmu, '');
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/gu)].map(([, target]) => target ?? '');
    for (const target of targets) {
      expect(existsSync(join(ROOT, dirname(name), target)), `${name}: ${target}`).toBe(true);
    }
  });

  test('every decision is listed', () => {
    const list = page('decisions/README.md');
    for (const name of readdirSync(join(ROOT, 'docs/decisions'))) {
      if (name !== 'README.md') expect(list).toContain(`(${name})`);
    }
  });
});

import * as z from 'zod';
import { nearest } from './nearest.ts';
import type { AppliedOverride } from './overrides.ts';
import { FILE_SCHEMA, type FileData, show } from './schema.ts';
import type { KeyPath, YamlSource } from './yaml-source.ts';

/** Something wrong with one setting; `text` is a whole sentence that names it. */
export interface Problem {
  readonly path: KeyPath;
  readonly text: string;
  /** True when the key itself is wrong, not its value. */
  readonly ofKey: boolean;
}

const SECRET_KEY =
  /^(?:(?:open_?ai|anthropic)?[_-]?api[_-]?key|key|token|secret|password|passwd|bearer|authorization|(?:access|auth|secret)[_-]?(?:token|key))$/iu;

/** Checks data in the file format. All problems at once; `data` only when there are none. */
export function checkData(data: unknown): {
  readonly data?: FileData;
  readonly problems: readonly Problem[];
} {
  const parsed = FILE_SCHEMA.safeParse(data);
  if (parsed.success) return { data: parsed.data, problems: [] };
  return { problems: parsed.error.issues.flatMap((issue) => explain(issue)) };
}

function explain(issue: z.core.$ZodIssue): readonly Problem[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], text: unknownKey(path, key), ofKey: true }));
  }
  if (issue.code === 'invalid_key') {
    return issue.issues.map(({ message }) => ({ path, text: `${dotted(path)} ${message}`, ofKey: true }));
  }
  const name = path.length === 0 ? 'the file' : dotted(path);
  return [{ path, text: `${name} ${issue.message}`, ofKey: false }];
}

/** `harness.knowledge.citations[0].pattern` */
export function dotted(path: KeyPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    const name = /^[\w-]+$/u.test(step) ? step : show(step);
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

function unknownKey(path: KeyPath, key: string): string {
  const valid = keysAt(path);
  const where = path.length === 0 ? 'at the top level' : `in ${dotted(path)}`;
  const start = `unknown key ${show(key)} ${where}: `;
  if (SECRET_KEY.test(key)) {
    const remedy = 'put it in an environment variable and name that variable with api_key_env';
    return `${start}secrets are never written in this file; ${remedy}`;
  }
  const near = nearest(key.replace(/-/gu, '_'), valid);
  if (near !== undefined) return `${start}did you mean ${near}?`;
  const homes = HOMES.filter((home) => home.key === key).map((home) => home.mapping);
  const below = homes.filter((home) => path.length > 0 && home.startsWith(`${dotted(path)}.`));
  const named = (below.length > 0 ? below : homes).map((home) =>
    home === '' ? 'at the top level' : `in ${home}`,
  );
  if (named.length > 0) return `${start}it belongs ${named.join(' or ')}`;
  return `${start}the valid names are ${valid.join(', ')}`;
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}

/** The schema one step down; undefined where the format ends. */
function child(schema: unknown, step: string | number): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodObject) return unwrap(inner.shape[step]);
  if (inner instanceof z.ZodRecord) return unwrap(inner.valueType);
  return inner instanceof z.ZodArray ? unwrap(inner.element) : undefined;
}

function keysAt(path: KeyPath): readonly string[] {
  const level = path.reduce<unknown>(child, FILE_SCHEMA);
  return level instanceof z.ZodObject ? Object.keys(level.shape) : [];
}

interface Home {
  readonly key: string;
  /** Dotted name; empty at the top level. */
  readonly mapping: string;
}

/** The mappings each key of the format belongs in: the answer to a key put at the wrong level. */
const HOMES: readonly Home[] = collectHomes(FILE_SCHEMA, []);

function collectHomes(schema: unknown, path: readonly string[]): Home[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.keys(schema.shape).flatMap((key) => [
    { key, mapping: path.join('.') },
    ...collectHomes(child(schema, key), [...path, key]),
  ]);
}

/** Rules between settings, checked on what is in force after the overrides. Works on data of any shape. */
export function crossCheck(data: unknown): readonly Problem[] {
  return [...crossCheckKnowledge(data), ...crossCheckLlm(data)];
}

function crossCheckKnowledge(data: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  const sources = at(data, 'harness.knowledge.sources');
  // zod's records pass over this one key without a word.
  if (sources !== null && typeof sources === 'object' && Object.hasOwn(sources, '__proto__')) {
    problems.push(about('harness.knowledge.sources.__proto__', 'is not a name a source may have'));
  }
  if (at(data, 'harness.knowledge.enabled') === false) return problems;
  const paths = at(data, 'harness.knowledge.paths');
  if (paths === undefined || (Array.isArray(paths) && paths.length === 0)) {
    problems.push(about('harness.knowledge.paths', 'is missing: list the files and folders to index'));
  }
  return problems;
}

function crossCheckLlm(data: unknown): readonly Problem[] {
  const problems: Problem[] = [];
  const provider = at(data, 'llm.provider');
  const model = at(data, 'llm.model');
  const baseUrl = at(data, 'llm.base_url');
  if (provider === undefined && (model !== undefined || baseUrl !== undefined)) {
    const choice = 'openai (any compatible server), anthropic or none';
    problems.push(about('llm.provider', `is missing (--provider or KB_LLM_PROVIDER): ${choice}`));
  }
  if ((provider === 'openai' || provider === 'anthropic') && model === undefined) {
    problems.push(
      about('llm.model', 'is missing (--model or KB_LLM_MODEL): name the model the server should use'),
    );
  }
  if (provider === 'openai' && baseUrl === undefined) {
    const example = 'name the server, for example http://127.0.0.1:11434/v1';
    problems.push(about('llm.base_url', `is missing (--base-url or KB_LLM_BASE_URL): ${example}`));
  }
  return problems;
}

function about(key: string, text: string): Problem {
  return { path: key.split('.'), text: `${key} ${text}`, ofKey: false };
}

function at(data: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object' && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      data,
    );
}

/** A problem with the place a person can go to: a line of the file, a variable, a flag. */
export interface LocatedProblem {
  readonly line: number;
  readonly text: string;
}

export function locate(
  problem: Problem,
  file: string,
  source: YamlSource,
  overrides: readonly AppliedOverride[],
): LocatedProblem {
  const override = overrides.find((candidate) => candidate.path.join('.') === problem.path.join('.'));
  if (override !== undefined) return { line: 0, text: `${override.from}: ${problem.text}` };
  const line = problem.ofKey ? source.keyLineOf(problem.path) : source.lineOf(problem.path);
  return { line, text: line === 0 ? problem.text : `${file}:${line}: ${problem.text}` };
}

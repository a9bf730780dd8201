import matter from 'gray-matter';
import type { Json } from '../core/chat.ts';
import { LineIndex, normaliseLineEnds } from './line-index.ts';
import { toMetadata } from './metadata.ts';

export interface FrontMatter {
  /** Offset of the first character of the body; 0 (1 after a byte order mark) without front matter. */
  readonly end: number;
  readonly metadata: Readonly<Record<string, Json>>;
  readonly title?: string;
  /** `yaml`, `toml` or `json`; absent without front matter. */
  readonly language?: string;
  readonly warnings: readonly { readonly line: number; readonly text: string }[];
}

interface Header {
  readonly language: string;
  /** Between the fences, line ends as `\n`. */
  readonly text: string;
  /** Line (from 1) of the opening fence. */
  readonly line: number;
  readonly end: number;
}

type Values = Readonly<Record<string, Json>>;

/** Blank lines may stand before the opening fence; a language may follow its dashes. */
const OPENING =
  /^(?<blank>(?:[ \t]*(?:\r\n?|\n))*)(?<fence>---|\+\+\+)[ \t]*(?<language>ya?ml|json|js|javascript|coffee|coffeescript|cson|toml)?[ \t]*(?:\r\n?|\n)/iu;
const YAML_CLOSING = /[\n\r](?:---|\.\.\.)[ \t]*(?=\r|\n|$)/gu;
const TOML_CLOSING = /[\n\r]\+\+\+[ \t]*(?=\r|\n|$)/gu;
const YAML_KEY = /^["']?\w[\w .-]*["']?[ \t]*:(?:[ \t]|$)/mu;
const TOML_KEY = /^[ \t]*["']?[\w.-]+["']?[ \t]*=|^[ \t]*\[\[?[\w.-]+\]\]?/mu;

/**
 * Finds and reads the header of a page. YAML is parsed as data and nothing in it is ever run; a broken header is
 * still cut off (its title is then read by line), a header without closing fence is body.
 */
export function readFrontMatter(text: string): FrontMatter {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const none: FrontMatter = { end: start, metadata: {}, warnings: [] };
  const opening = OPENING.exec(text.slice(start));
  if (opening === null) return none;
  const header = findHeader(text, start, opening);
  if (header === undefined) {
    const certain = YAML_KEY.test(text.slice(start + opening[0].length).split(/\r?\n/u, 1)[0] ?? '');
    const line = opening[0].split(/\r\n?|\n/u).length - 1;
    return certain
      ? { ...none, warnings: [{ line, text: 'front matter is not closed; read as text' }] }
      : none;
  }
  return readHeader(header) ?? none;
}

function findHeader(text: string, start: number, opening: RegExpExecArray): Header | undefined {
  const blank = opening.groups?.['blank'] ?? '';
  const toml = opening.groups?.['fence'] === '+++';
  const first = start + opening[0].length;
  // The search begins at the line end of the opening fence, so that an empty header is found too.
  const closing = toml ? TOML_CLOSING : YAML_CLOSING;
  closing.lastIndex = first - 1;
  const found = closing.exec(text);
  if (found === null) return undefined;
  const header = text.slice(first, Math.max(first, found.index));
  const after = /^(?:\r\n?|\n)/u.exec(
    text.slice(found.index + found[0].length, found.index + found[0].length + 2),
  );
  return {
    language: toml ? 'toml' : (opening.groups?.['language'] ?? 'yaml').toLowerCase(),
    text: normaliseLineEnds(header),
    line: blank === '' ? 1 : new LineIndex(blank).at(blank.length) + 1,
    end: found.index + found[0].length + (after?.[0].length ?? 0),
  };
}

function readHeader(header: Header): FrontMatter | undefined {
  if (header.language === 'toml') {
    if (header.text.trim() !== '' && !TOML_KEY.test(header.text)) return undefined;
    return finish(header, readTomlScalars(header.text), []);
  }
  if (header.language === 'yaml' || header.language === 'yml') return readYamlHeader(header);
  if (header.language === 'json') return readJsonHeader(header);
  return finish(header, {}, [`front matter in ${header.language} is not read`]);
}

function readYamlHeader(header: Header): FrontMatter | undefined {
  const { values, problem } = parseYaml(header.text);
  if (values === undefined && !YAML_KEY.test(header.text) && header.text.trim() !== '') return undefined;
  const warnings = problem === undefined ? [] : [problem];
  if (values !== undefined) return finish(header, toMetadata(values), warnings);
  const title = lineTitle(header.text);
  return finish(header, title === undefined ? {} : { title }, warnings);
}

function readJsonHeader(header: Header): FrontMatter {
  try {
    return finish(header, toMetadata(JSON.parse(header.text)), []);
  } catch {
    return finish(header, {}, ['front matter is not valid JSON']);
  }
}

function finish(header: Header, metadata: Values, problems: readonly string[]): FrontMatter {
  const value = metadata['title'];
  const title = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return {
    end: header.end,
    language: header.language === 'yml' ? 'yaml' : header.language,
    metadata,
    ...(title === '' ? {} : { title }),
    warnings: problems.map((text) => ({ line: header.line, text })),
  };
}

function refuse(): never {
  throw new Error('only YAML front matter is read');
}

/** `json` lets a repeated key win over the earlier one instead of failing; the YAML engine reads it from the options. */
const DELIMITER = '---kb-header';
const STRICT = {
  language: 'yaml',
  delimiters: DELIMITER,
  engines: { javascript: refuse, js: refuse, coffee: refuse, cson: refuse, toml: refuse },
};
const LENIENT = { ...STRICT, json: true };

interface Yaml {
  readonly values?: object;
  readonly problem?: string;
}

function parseYaml(header: string): Yaml {
  try {
    return asMapping(matter(`${DELIMITER}\n${header}\n${DELIMITER}\n`, STRICT).data);
  } catch (error) {
    const problem = `front matter is not valid YAML: ${firstLine(error)}`;
    if (!problem.includes('duplicated mapping key')) return { problem };
    try {
      const lenient = asMapping(matter(`${DELIMITER}\n${header}\n${DELIMITER}\n`, LENIENT).data);
      return { ...lenient, problem: 'front matter repeats a key; the last one counts' };
    } catch {
      return { problem };
    }
  }
}

function asMapping(data: unknown): Yaml {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? { values: data } : {};
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

/** The title of a header that is not valid YAML, as its author meant it. */
function lineTitle(header: string): string | undefined {
  const value = /^title[ \t]*:[ \t]*(?<value>\S.*)$/mu.exec(header)?.groups?.['value']?.trim();
  return value === undefined ? undefined : unquote(value);
}

function unquote(value: string): string {
  const quoted = /^(?<quote>["'])(?<inner>.*)\k<quote>$/su.exec(value)?.groups?.['inner'];
  return quoted ?? value;
}

/** Top-level `key = value` lines with simple values; tables and lists are left out. */
function readTomlScalars(header: string): Values {
  const entries: [string, Json][] = [];
  for (const line of header.split('\n')) {
    if (/^[ \t]*\[/u.test(line)) break;
    const found = /^[ \t]*["']?(?<key>[\w.-]+)["']?[ \t]*=[ \t]*(?<value>\S.*)$/u.exec(line)?.groups;
    const value = tomlScalar(found?.['value']?.trim() ?? '');
    if (found?.['key'] !== undefined && value !== undefined) entries.push([found['key'], value]);
  }
  return Object.fromEntries(entries);
}

function tomlScalar(text: string): Json | undefined {
  const quoted = /^(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)')[ \t]*(?:#.*)?$/u.exec(text)?.groups;
  if (quoted?.['single'] !== undefined) return quoted['single'];
  if (quoted?.['double'] !== undefined) return quoted['double'].replace(/\\(["\\])/gu, '$1');
  const bare = text.replace(/[ \t]*#.*$/u, '');
  if (bare === 'true' || bare === 'false') return bare === 'true';
  if (/^[+-]?\d+(?:\.\d+)?$/u.test(bare)) return Number(bare);
  return /^\d{4}-\d\d-\d\d/u.test(bare) ? bare : undefined;
}

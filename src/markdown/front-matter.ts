import matter from 'gray-matter';
import type { Json } from '../core/chat.ts';
import { findHeader, type Header, TOML_KEY, YAML_KEY } from './header-forms.ts';
import { toMetadata } from './metadata.ts';
import { readToml } from './toml.ts';

export interface FrontMatter {
  /** Offset of the first character of the body; 0 (1 after a byte order mark) without front matter. */
  readonly end: number;
  readonly metadata: Readonly<Record<string, Json>>;
  readonly title?: string;
  /** `yaml`, `toml` or `json`; absent without front matter. */
  readonly language?: string;
  readonly warnings: readonly { readonly line: number; readonly text: string }[];
}

type Values = Readonly<Record<string, Json>>;

/**
 * Finds and reads the header of a page. YAML is parsed as data and nothing in it is ever run; a broken header is
 * still cut off (its plain values are then read by line), a header without closing fence is body.
 */
export function readFrontMatter(text: string): FrontMatter {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const none: FrontMatter = { end: start, metadata: {}, warnings: [] };
  const header = findHeader(text, start);
  if (header === undefined) return none;
  if ('unclosed' in header) {
    return {
      ...none,
      warnings: [{ line: header.unclosed, text: 'front matter is not closed; read as text' }],
    };
  }
  return readHeader(header) ?? none;
}

function readHeader(header: Header): FrontMatter | undefined {
  switch (header.language) {
    case 'toml':
      return readTomlHeader(header);
    case 'yaml':
      return readYamlHeader(header);
    case 'json':
      return readJsonHeader(header);
    case 'lines':
      return finish(header, readLines(header.text), []);
    case 'title':
      return finish(header, { title: header.text.trim() }, []);
    default:
      return finish(header, {}, [`front matter in ${header.language} is not read`]);
  }
}

function readTomlHeader(header: Header): FrontMatter | undefined {
  if (header.text.trim() !== '' && !TOML_KEY.test(header.text)) return undefined;
  const { values, problem } = readToml(header.text);
  return finish(
    header,
    toMetadata(values),
    problem === undefined ? [] : [`front matter is not valid TOML: ${problem}`],
  );
}

function readYamlHeader(header: Header): FrontMatter | undefined {
  const { values, problem } = parseYaml(header.text);
  if (values === undefined && !YAML_KEY.test(header.text) && header.text.trim() !== '') return undefined;
  const warnings = problem === undefined ? [] : [problem];
  if (values !== undefined) return finish(header, toMetadata(values), warnings);
  return finish(header, readLines(header.text), warnings);
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
  const written = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  // A template's placeholder names no page.
  const title = written.includes('{{') ? '' : written;
  return {
    end: header.end,
    language: header.language,
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

/** Characters of a header that a parser of YAML is given: it is slow, and no page says so much of itself. */
const MOST_YAML = 500_000;

function parseYaml(header: string): Yaml {
  if (header.length > MOST_YAML) return { problem: `front matter is longer than ${MOST_YAML} characters` };
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
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return line.replace(/:$/u, '');
}

/** The plain values of a header that is not valid YAML, as its author meant them; the first of a key counts. */
function readLines(header: string): Values {
  const values = new Map<string, Json>();
  for (const line of header.split('\n').slice(0, MAX_LINES)) {
    const found = /^(?<key>[\p{L}_][\p{L}\p{N}_-]*)[ \t]*:[ \t]+(?<value>\S.*)$/u.exec(line)?.groups;
    const key = found?.['key'];
    const value = found?.['value']?.trim() ?? '';
    if (key === undefined || values.has(key) || /^[|>&*!]/u.test(value)) continue;
    values.set(key, plainValue(value));
  }
  return Object.fromEntries(values);
}

const MAX_LINES = 1000;

function plainValue(value: string): Json {
  const list = /^\[(?<items>[^[\]{}]*)\]$/u.exec(value)?.groups?.['items'];
  if (list !== undefined) return list.split(',').map((item) => unquote(item.trim()));
  if (value === 'true' || value === 'false') return value === 'true';
  return /^-?\d{1,15}$/u.test(value) ? Number(value) : unquote(value);
}

function unquote(value: string): string {
  const quoted = /^(?<quote>["'])(?<inner>.*)\k<quote>$/su.exec(value)?.groups?.['inner'];
  return quoted ?? value;
}

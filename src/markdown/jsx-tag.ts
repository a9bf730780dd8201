import type { Site } from './site.ts';

/** A tag of HTML or JSX as it stands in lines of source, possibly over several of them. */
export interface ReadTag {
  /** Empty for a fragment (`<>`). */
  readonly name: string;
  readonly attributes: string;
  readonly close: boolean;
  readonly selfClosing: boolean;
  /** Line and column after its `>`. */
  readonly line: number;
  readonly column: number;
}

const OPENING = /<(?<close>\/)?(?<name>[A-Za-z][\w.:-]*)?(?=[\s/>]|$)/uy;
/** Longest tag, in UTF-16 units. */
const MAX_TAG = 20_000;
const MAX_LINES = 500;

/** Reads the tag that begins at a place; undefined when there is none, it is too long to be one, or work has run out. */
export function readTag(
  { lines, work }: Pick<Site, 'lines' | 'work'>,
  line: number,
  column: number,
): ReadTag | undefined {
  OPENING.lastIndex = column;
  const found = OPENING.exec(lines[line] ?? '');
  if (found === null) return undefined;
  const name = found.groups?.['name'] ?? '';
  const end = tagEnd(lines.slice(line, line + MAX_LINES), OPENING.lastIndex, work);
  if (end === undefined || (name === '' && end.attributes.trim() !== '')) return undefined;
  const selfClosing = end.attributes.endsWith('/');
  return {
    name,
    attributes: selfClosing ? end.attributes.slice(0, -1) : end.attributes,
    close: found.groups?.['close'] !== undefined,
    selfClosing,
    line: line + end.line,
    column: end.column,
  };
}

/** Finds the `>` that is in no quotes and no braces. */
function tagEnd(
  lines: readonly string[],
  from: number,
  work: Site['work'],
): { attributes: string; line: number; column: number } | undefined {
  const scan = new AttributeScan();
  let attributes = '';
  for (const [line, whole] of lines.entries()) {
    const start = line === 0 ? from : 0;
    const text = whole.slice(start, MAX_TAG);
    work.left -= text.length + 1;
    if (work.left < 0 || attributes.length > MAX_TAG) return undefined;
    if (line > 0 && text.trim() === '' && scan.depth === 0) return undefined;
    const at = scan.end(text);
    if (at === -1) return undefined;
    attributes += (line > 0 ? '\n' : '') + text.slice(0, at);
    if (at !== undefined) return { attributes, line, column: at + 1 + start };
  }
  return undefined;
}

/** Reads attributes, whose quotes and braces may go over several lines. */
class AttributeScan {
  depth = 0;
  #quote = '';

  /** Offset of the closing `>` in a line; -1 where the line shows that this is no tag; undefined to read on. */
  end(text: string): number | undefined {
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charAt(at);
      if (this.#quote !== '') at += this.#inQuote(character);
      else if (this.depth === 0 && character === '>') return at;
      else if (this.depth === 0 && (character === '<' || character === '`')) return -1;
      else this.#outside(character);
    }
    return undefined;
  }

  /** How many characters more to go past. */
  #inQuote(character: string): number {
    if (character === '\\' && this.depth > 0) return 1;
    if (character === this.#quote) this.#quote = '';
    return 0;
  }

  #outside(character: string): void {
    if (character === '"' || character === "'" || character === '`') this.#quote = character;
    else if (character === '{') this.depth += 1;
    else if (character === '}') this.depth = Math.max(0, this.depth - 1);
  }
}

/** Whether a name is a component's (`Tabs`, `Foo.Bar`, `doc-tip`), not an element's. */
export function isComponent(name: string): boolean {
  return (/^[A-Z]/u.test(name) && /[a-z]/u.test(name)) || /[.-]/u.test(name) || /^[A-Z]$/u.test(name);
}

const PROP =
  /(?<key>[A-Za-z_][\w-]*)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|\{\s*(?:"(?<inDouble>(?:[^"\\]|\\.)*)"|'(?<inSingle>(?:[^'\\]|\\.)*)'|`(?<inTicks>(?:[^`\\$]|\\.)*)`)\s*\}|\{(?<code>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\})/gu;
/** Attributes whose values a reader of the site sees, in the order in which they are shown. */
const VISIBLE = new Set(
  'title label name heading header question term subtitle tagline text summary caption alt description content code tip'.split(
    ' ',
  ),
);
/** `<ParamField path="id" type="string">` and its like name a parameter. */
const FIELD = new Set('path query body param type default'.split(' '));

/** The words that a component shows of its attributes. */
export function wordsOfProps(name: string, attributes: string): string {
  if (!attributes.includes('=')) return '';
  const props = [...attributes.matchAll(PROP)].map(({ groups }) => ({
    key: groups?.['key']?.toLowerCase() ?? '',
    code: groups?.['code'],
    text: textOfProp(groups ?? {}),
  }));
  const words = props.flatMap(({ key, code, text }) => {
    if (code !== undefined) return key === 'values' || key === 'items' ? labelsIn(code) : [];
    return text !== '' && isVisible(name, key) ? [text] : [];
  });
  const value = props.find(({ key }) => key === 'value')?.text ?? '';
  if (value !== '' && name.startsWith('Tab') && !props.some(({ key }) => key === 'label')) words.push(value);
  return [...new Set(words)].join(': ').replace(/\s+/gu, ' ');
}

function isVisible(name: string, key: string): boolean {
  return VISIBLE.has(key) || (name.endsWith('Field') && FIELD.has(key));
}

function textOfProp(groups: Readonly<Record<string, string | undefined>>): string {
  const quoted = ['double', 'single', 'inDouble', 'inSingle', 'inTicks'].map((style) => groups[style]);
  return quoted.find((value) => value !== undefined)?.trim() ?? '';
}

/** `values={[{label: 'npm', value: 'npm'}]}`, `items={['npm', 'yarn']}`. */
function labelsIn(code: string): string[] {
  const labelled = [...code.matchAll(/\blabel\s*:\s*(?:"([^"]*)"|'([^']*)')/gu)];
  const found = labelled.length > 0 ? labelled : [...code.matchAll(/(?<=[[,]\s*)(?:"([^"]*)"|'([^']*)')/gu)];
  return found.map((match) => match[1] ?? match[2] ?? '').filter((label) => label !== '');
}

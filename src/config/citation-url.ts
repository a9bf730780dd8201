import type { CitationRule } from '../core/config.ts';
import { KbError } from '../core/errors.ts';
import { encodeFragment, encodePath, WRITTEN_HOST } from './url-parts.ts';

type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'group'; readonly index: number }
  | { readonly kind: 'anchor' };

/** A {@link CitationRule} ready to run. */
export interface CompiledCitationRule {
  readonly pattern: RegExp;
  readonly parts: readonly Part[];
  /** Start of every URL of this rule, up to the last `/` that is written out: no path may lead out of it. */
  readonly prefix: string;
}

/** Longest pattern accepted, characters. */
const MAX_PATTERN = 500;
const TOKEN = /\$(?:\$|\{([^}]*)\}|(\d{1,2})|&)/gu;
/** Compiles a rule, or says what is wrong with its pattern or its replacement. */
export function compileCitationRule(
  rule: CitationRule,
): { readonly rule: CompiledCitationRule } | { readonly key: keyof CitationRule; readonly problem: string } {
  if (rule.pattern.length > MAX_PATTERN) {
    return { key: 'pattern', problem: `must not be longer than ${MAX_PATTERN} characters` };
  }
  if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(rule.replace)) {
    return { key: 'replace', problem: 'must not hold line breaks or other characters that cannot be seen' };
  }
  const pattern = compilePattern(rule.pattern);
  if (typeof pattern === 'string') {
    return { key: 'pattern', problem: `is not a valid regular expression: ${pattern}` };
  }
  const groups = (new RegExp(`${pattern.source}|`, pattern.flags).exec('')?.length ?? 1) - 1;
  const parts = compileReplacement(rule.replace, groups);
  if (typeof parts === 'string') return { key: 'replace', problem: parts };
  const first = parts[0];
  const start = first?.kind === 'literal' ? first.text : '';
  const path = start.replace(/[?#].*$/su, '');
  if (!WRITTEN_HOST.test(start) || !URL.canParse(path)) {
    const problem = 'must begin with https://, http:// or file://, a host written out and a /';
    return { key: 'replace', problem };
  }
  const prefix = new URL(path).href;
  return { rule: { pattern, parts, prefix: prefix.slice(0, prefix.lastIndexOf('/') + 1) } };
}

/** Unicode mode first; a pattern only the older syntax allows (`\-`, `\_`) is still what its author meant. */
function compilePattern(source: string): RegExp | string {
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    try {
      return new RegExp(source);
    } catch {
      const text = error instanceof Error ? error.message : String(error);
      return text.slice(text.lastIndexOf(': ') + 2);
    }
  }
}

function compileReplacement(replace: string, groups: number): readonly Part[] | string {
  const parts: Part[] = [];
  let literal = '';
  let end = 0;
  const flush = (): void => {
    if (literal !== '') parts.push({ kind: 'literal', text: literal });
    literal = '';
  };
  for (const token of replace.matchAll(TOKEN)) {
    literal += replace.slice(end, token.index);
    end = token.index + token[0].length;
    const read = readToken(token, groups);
    if (typeof read === 'string') return read;
    literal += read.before;
    if (read.part !== undefined) {
      flush();
      parts.push(read.part);
    }
    literal += read.after;
  }
  literal += replace.slice(end);
  flush();
  return parts;
}

interface Token {
  readonly before: string;
  readonly part?: Part;
  readonly after: string;
}

function readToken(token: RegExpMatchArray, groups: number): Token | string {
  if (token[0] === '$$') return { before: '$', after: '' };
  if (token[0] === '$&') return 'uses $&: put what you need of the path in a group, $1 to $99';
  if (token[1] === undefined) return readGroup(token[2] ?? '', groups);
  if (token[1] !== 'anchor') return `uses ${token[0]}: the only name is \${anchor}`;
  return { before: '', part: { kind: 'anchor' }, after: '' };
}

function readGroup(digits: string, groups: number): Token | string {
  // As in JavaScript: $12 is group 12 where there is one, otherwise group 1 and the digit 2.
  const whole = Number(digits);
  const index = whole >= 1 && whole <= groups ? whole : Number(digits[0]);
  if (index >= 1 && index <= groups) {
    return { before: '', part: { kind: 'group', index }, after: index === whole ? '' : digits.slice(1) };
  }
  const several = groups === 1 ? 'one group, $1' : `groups $1 to $${groups}`;
  return `uses $${digits}, but the pattern has ${groups === 0 ? 'no groups' : several}`;
}

/** Compiles rules once for many calls of {@link citationUrl}. Throws config-invalid when one is not valid. */
export function compileCitationRules(rules: readonly CitationRule[]): readonly CompiledCitationRule[] {
  return rules.map((rule, index) => {
    const compiled = compileCitationRule(rule);
    if ('rule' in compiled) return compiled.rule;
    const problem = `citations[${index}].${compiled.key} ${compiled.problem}`;
    throw new KbError('config-invalid', problem, { file: '', problems: [problem] });
  });
}

/**
 * Where a person can open a section, by the first rule whose pattern matches the document's path; undefined when none
 * does. Parts of the path and the anchor are percent-encoded. Without an anchor the fragment that would hold it is
 * left out. The URL never leaves the host and folder its rule has written out.
 */
export function citationUrl(
  path: string,
  anchor: string | undefined,
  rules: readonly CompiledCitationRule[],
): string | undefined {
  for (const rule of rules) {
    const found = rule.pattern.exec(path);
    if (found !== null) return fillIn(rule, found, anchor);
  }
  return undefined;
}

function fillIn(
  rule: CompiledCitationRule,
  found: RegExpExecArray,
  anchor: string | undefined,
): string | undefined {
  let text = '';
  for (const part of rule.parts) {
    if (part.kind === 'literal') text += part.text;
    else if (part.kind === 'group') text += encodePath(found[part.index] ?? '');
    else if (anchor !== undefined && anchor !== '') text += encodeFragment(anchor);
    else if (text.includes('#')) {
      // What follows an anchor that is not there belongs to the same fragment.
      text = text.slice(0, text.indexOf('#'));
      break;
    }
  }
  const href = hrefOf(text);
  return href?.startsWith(rule.prefix) === true ? encodeMarks(href) : undefined;
}

function hrefOf(text: string): string | undefined {
  try {
    return new URL(text).href;
  } catch {
    return undefined;
  }
}

/** What an author wrote out may hold characters that a URL allows and that end a link in Markdown or HTML. */
function encodeMarks(url: string): string {
  // The host may have brackets of its own (`[::1]`).
  const host = /^[a-z]+:\/\/[^/?#]*/u.exec(url)?.[0] ?? '';
  const rest = url.slice(host.length);
  return (
    host +
    rest.replace(
      /['"()[\]{}<>|\\^`]/gu,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  );
}

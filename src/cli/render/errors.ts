import type { Outcome } from '../../core/answer.ts';
import { type ErrorCode, isKbError, KbError } from '../../core/errors.ts';
import { stripControls } from '../../core/text.ts';
import { type Environment, oneLine, stylesOf, type Terminal } from './terminal.ts';

export const EXIT = {
  answered: 0,
  notFound: 1,
  usage: 2,
  index: 3,
  model: 4,
  budget: 5,
  bug: 70,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BUG =
  'This is a bug in kb. Run the command again with KB_DEBUG=1 and report what it prints, with kb --version.';

/**
 * An error as a person reads it on stderr: `kb: message`, what is wrong in detail, and `try:` with the next
 * step. Stacks only with `KB_DEBUG`. Without a line end after the last line.
 */
export function renderError(
  error: unknown,
  terminal: Terminal,
  environment: Environment = process.env,
): string {
  const styles = stylesOf(terminal);
  const head = styles.red('kb:');
  const debug = (environment['KB_DEBUG'] ?? '') !== '' && environment['KB_DEBUG'] !== '0';
  const trace = debug ? stacksOf(error) : [];
  if (isInterruption(error)) return [`${head} ${interruption(error)}`, ...hintOf(error), ...trace].join('\n');
  if (!(error instanceof KbError) || error.code === 'internal') {
    return [`${head} internal error: ${paragraph(messageOf(error))}`, ...trace, BUG].join('\n');
  }
  return [`${head} ${paragraph(error.message)}`, ...factsOf(error), ...hintOf(error), ...trace].join('\n');

  function hintOf(failure: unknown): string[] {
    if (!(failure instanceof KbError) || failure.hint === undefined) return [];
    return [`${styles.bold('try:')} ${paragraph(failure.hint)}`];
  }
}

/** An error as the JSON document that describes it. */
export function errorJson(error: unknown): object {
  if (error instanceof KbError) {
    return { code: error.code, message: error.message, details: error.details, hint: error.hint ?? null };
  }
  return { code: 'internal', message: messageOf(error), details: {}, hint: null };
}

/** What was interrupted, and what has become of it, where the error says so. */
function interruption(error: unknown): string {
  if (!(error instanceof KbError)) return 'interrupted';
  const text = paragraph(error.message);
  return text.startsWith('interrupted') ? text : `interrupted: ${text}`;
}

/** Ctrl-C, as the standard library or an SDK reports it where no KbError was made of it. */
function isInterruption(error: unknown): boolean {
  return isKbError(error, 'aborted') || (error instanceof Error && error.name === 'AbortError');
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return printed(error);
  const message = error.message === '' ? error.name : error.message;
  return error.name === 'Error' || error instanceof KbError ? message : `${error.name}: ${message}`;
}

/** Even what cannot be made a string. */
function printed(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

/** Lines after the first are set in, so that they cannot look like lines of kb's own. */
function paragraph(text: string): string {
  return stripControls(text).trim().replaceAll('\n', '\n  ');
}

/** What the code knows beyond the message, where the message or the hint does not say it already. */
function factsOf(error: KbError): string[] {
  const said = `${error.message}\n${error.hint ?? ''}`;
  const unsaid = (facts: readonly string[]) => facts.filter((fact) => !said.includes(fact));
  if (isKbError(error, 'config-invalid'))
    return unsaid(error.details.problems).map((text) => `  - ${paragraph(text)}`);
  if (isKbError(error, 'knowledge-base-unknown')) return named('known', unsaid(error.details.known));
  if (isKbError(error, 'address-unknown')) return named('nearest', unsaid(error.details.nearest));
  return [];
}

function named(name: string, facts: readonly string[]): string[] {
  return facts.length === 0 ? [] : [`  ${name}: ${facts.map(oneLine).join(', ')}`];
}

/** The stack of the error and of what caused it, outermost first. */
function stacksOf(error: unknown): string[] {
  const stacks: string[] = [];
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    const stack = stripControls(at.stack ?? messageOf(at));
    stacks.push(stacks.length === 0 ? stack : `caused by: ${stack}`);
  }
  return stacks;
}

/** The exit code of a command that ended with this error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (isInterruption(error)) return EXIT.interrupted;
  return error instanceof KbError ? exitCodeOfCode(error.code) : EXIT.bug;
}

/** Without a default: a new code does not compile until it is given an exit code here. */
function exitCodeOfCode(code: ErrorCode): ExitCode {
  switch (code) {
    case 'address-unknown':
      return EXIT.notFound;
    case 'usage-invalid':
    case 'config-invalid':
    case 'config-missing':
    case 'knowledge-base-unknown':
      return EXIT.usage;
    case 'source-unavailable':
    case 'root-unreadable':
    case 'removal-refused':
    case 'index-missing':
    case 'index-outdated':
    case 'index-locked':
    case 'index-too-new':
    case 'index-corrupt':
    case 'index-foreign':
    case 'index-unwritable':
    case 'sqlite-unavailable':
    case 'embedder-changed':
      return EXIT.index;
    case 'model-unreachable':
    case 'model-rejected':
    case 'model-overflow':
    case 'model-timeout':
    case 'model-no-tools':
    case 'model-malformed':
    case 'embedder-unreachable':
    case 'embedder-timeout':
    case 'embedder-rejected':
    case 'embedder-malformed':
    case 'embedder-missing':
      return EXIT.model;
    case 'aborted':
      return EXIT.interrupted;
    case 'internal':
      return EXIT.bug;
  }
}

/**
 * The exit code of a question. `unsupported` is how many claims no cited section holds; they count only where
 * `strict` was asked for.
 */
export function exitCodeOfOutcome(outcome: Outcome, strict: boolean, unsupported: number): ExitCode {
  switch (outcome) {
    case 'answered':
      return strict && unsupported > 0 ? EXIT.notFound : EXIT.answered;
    case 'not-found':
      return EXIT.notFound;
    case 'out-of-budget':
      return EXIT.budget;
    case 'refused':
      return EXIT.model;
    case 'aborted':
      return EXIT.interrupted;
  }
}

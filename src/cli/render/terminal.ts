import pc from 'picocolors';
import { stripControls } from '../../core/text.ts';

/** What the place the text goes to can show. */
export interface Terminal {
  /** False for pipes, files and the logs of CI: no escape of any kind may go there. */
  readonly isTty: boolean;
  readonly colour: boolean;
  /** Width in characters, at least 1. */
  readonly columns: number;
  /** True where OSC 8 links may be written. */
  readonly links: boolean;
}

export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;
export type Styles = ReturnType<typeof pc.createColors>;

const DEFAULT_COLUMNS = 80;

/** Longer targets are refused or cut by terminals. */
const URL_MAX_LENGTH = 2000;
const URL_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'file:', 'mailto:']);
const URL_CHARACTERS = /^[\u0021-\u007e]+$/u;

/**
 * What `stream` can show. A pipe never gets an escape, whatever the environment says, so that programs reading
 * it need no setting. On a TTY: `NO_COLOR`, `CI` and `TERM=dumb` turn escapes off, `FORCE_COLOR` turns them on
 * again (`0` off), `KB_HYPERLINKS` or `FORCE_HYPERLINK` (`0` or `1`) decides about links alone.
 */
export function terminalOf(stream: TerminalStream, environment: Environment): Terminal {
  const forced = switchOf(environment['FORCE_COLOR']);
  const recorded = switchOf(environment['CI']) === true && forced !== true;
  const isTty = stream.isTTY === true && !recorded;
  const plain = environment['TERM'] === 'dumb' && forced !== true;
  const colour = isTty && !isSet(environment['NO_COLOR']) && forced !== false && !plain;
  const links = switchOf(environment['KB_HYPERLINKS']) ?? switchOf(environment['FORCE_HYPERLINK']) ?? colour;
  return { isTty, colour, columns: columnsOf(stream, environment), links: isTty && links };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

/** Undefined for a variable that is absent or empty. */
function switchOf(value: string | undefined): boolean | undefined {
  return isSet(value) ? !/^(?:0|false|no|off)$/iu.test(value ?? '') : undefined;
}

/** Some pseudo-terminals report 0 columns. */
function columnsOf(stream: TerminalStream, environment: Environment): number {
  const candidates = [stream.columns, Number(environment['COLUMNS'])];
  return candidates.find((columns) => Number.isInteger(columns) && Number(columns) > 0) ?? DEFAULT_COLUMNS;
}

/** Colours and weights, doing nothing where the terminal takes none. */
export function stylesOf(terminal: Terminal): Styles {
  return pc.createColors(terminal.isTty && terminal.colour);
}

/**
 * The URL as it may be shown and opened, percent-encoded to printable ASCII; undefined for a scheme other than
 * http, https, file and mailto, for relative ones, and for what is no URL.
 */
export function safeUrl(url: string): string | undefined {
  if (url.length > URL_MAX_LENGTH || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!URL_SCHEMES.has(parsed.protocol)) return undefined;
  const encoded = parsed.href.replaceAll(' ', '%20');
  return URL_CHARACTERS.test(encoded) && encoded.length <= URL_MAX_LENGTH ? encoded : undefined;
}

/** `text` opening `url` when clicked, or `text` alone where that cannot be or the URL is not safe to open. */
export function link(terminal: Terminal, text: string, url: string | undefined): string {
  return linkPainted(terminal, stripControls(text), url);
}

/** {@link link} for text that carries this program's own styles. */
export function linkPainted(terminal: Terminal, painted: string, url: string | undefined): string {
  if (!terminal.isTty || !terminal.links || url === undefined || painted === '') return painted;
  const target = safeUrl(url);
  return target === undefined ? painted : `\u001b]8;;${target}\u001b\\${painted}\u001b]8;;\u001b\\`;
}

/** Text of a document or a model on one line: no controls, runs of blanks and line ends as one space. */
export function oneLine(text: string): string {
  return stripControls(text)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .trim();
}

import type { Where } from '../kb/locate.ts';
import type { Environment, Terminal } from './render/terminal.ts';

/** What a command may use of the world. Nothing below `cli` reads the process itself. */
export interface Context {
  readonly environment: Environment;
  readonly cwd: string;
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** The result, on stdout; a line end is added. */
  print(text: string): void;
  /** Everything else, on stderr; a line end is added. */
  say(text: string): void;
}

/** Options that every command takes. */
export interface CommonOptions {
  readonly kb?: string;
  readonly config?: string;
  readonly json?: boolean;
}

export function whereOf(context: Context, options: CommonOptions): Where {
  return { kb: options.kb, config: options.config, cwd: context.cwd, environment: context.environment };
}

/** One JSON document on stdout, and nothing else there. Escapes keep control characters out of terminals and logs. */
export function printJson(context: Context, value: unknown): void {
  context.print(
    JSON.stringify(value, null, 2).replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, escapeCharacter),
  );
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

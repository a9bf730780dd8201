import { CommanderError } from 'commander';
import { KbError } from '../core/errors.ts';
import { nativeFailure } from '../core/native-failure.ts';
import { type Context, printJson } from './context.ts';
import { buildProgram } from './program.ts';
import { EXIT, type ExitCode, errorJson, exitCodeOf, renderError } from './render/errors.ts';
import { terminalOf } from './render/terminal.ts';

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // The second time a person means it: what is half done is rolled back by SQLite all the same.
    if (interruption.signal.aborted) process.exit(EXIT.interrupted);
    interruption.abort();
  });
}
// `kb list | head` closes the pipe: that is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.answered);
    // A full disk, say: nothing more can be printed there, and a stack would help nobody.
    process.stderr.write(`kb: the output cannot be written: ${error.code ?? error.message}\n`);
    process.exit(EXIT.bug);
  });
}

const context: Context = {
  environment: process.env,
  cwd: process.cwd(),
  stdout: terminalOf(process.stdout, process.env),
  stderr: terminalOf(process.stderr, process.env),
  signal: interruption.signal,
  print: (text) => process.stdout.write(`${text}\n`),
  say: (text) => process.stderr.write(`${text}\n`),
};

/** Settles when the command has ended. Not awaited here: a CommonJS script, which can be kept compiled, has no such await. */
export const finished: Promise<void> = run(process.argv);

async function run(argv: readonly string[]): Promise<void> {
  const program = buildProgram(context, (code) => {
    process.exitCode = code;
  });
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ outputError: () => undefined });
  }
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    process.exitCode = report(error, argv);
  }
}

function report(error: unknown, argv: readonly string[]): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.answered; // --help, --version
  const failure = error instanceof CommanderError ? usageError(error, argv) : (nativeFailure(error) ?? error);
  const code = exitCodeOf(failure);
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (options.includes('--json')) printJson(context, { error: errorJson(failure) });
  context.say(renderError(failure, context.stderr, context.environment));
  return code;
}

/** The parser's own words, without its prefix; with the way out for a query that begins with a dash. */
function usageError(error: CommanderError, argv: readonly string[]): KbError {
  const message = error.message.replace(/^error: /u, '');
  const command = argv[2] ?? '';
  const help = /^[a-z]+$/u.test(command) ? `kb ${command} --help` : 'kb --help';
  const hint =
    error.code === 'commander.unknownOption' ? `${help}; text that begins with a dash goes after --` : help;
  return new KbError('usage-invalid', message, { argument: error.code }, { hint });
}

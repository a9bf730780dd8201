import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { SCHEMAS } from '../../src/cli/schemas.ts';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

/** The command as it is shipped, in processes of their own; or that of another build. */
export class Command {
  readonly #script: string;

  constructor(script = join(import.meta.dirname, '../../dist/kb.js')) {
    this.#script = script;
  }

  start(args: readonly string[], { cwd, env = {}, uid }: RunOptions): ChildProcess {
    return spawn(process.execPath, [this.#script, ...args], {
      cwd,
      env: { PATH: '/usr/bin:/bin', KB_HOME: cwd, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid === undefined ? {} : { uid }),
    });
  }

  run(args: readonly string[], options: RunOptions): Promise<Ran> {
    return finished(this.start(args, options));
  }

  get script(): string {
    return this.#script;
  }
}

/** Waits for the end of a process and gives all it wrote. */
export function finished(child: ChildProcess): Promise<Ran> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** A checkout that others may not read, its compiled SQLite too, has no command for them to run. */
export function mayLoadSqlite(uid: number): Promise<boolean> {
  return new Promise((resolve) => {
    const program = "new (require('better-sqlite3'))(':memory:')";
    const options = { uid, cwd: join(import.meta.dirname, '../..') };
    execFile(process.execPath, ['-e', program], options, (failure) => resolve(failure === null));
  });
}

/** The JSON document a command printed, held against the schema of that command. */
export function jsonOf(ran: Ran, schema: string): Record<string, unknown> {
  const value: unknown = JSON.parse(ran.stdout);
  const checked = SCHEMAS[schema]?.safeParse(value);
  expect(checked?.error, `${schema}: ${ran.stdout.slice(0, 500)}`).toBeUndefined();
  return value as Record<string, unknown>;
}

export const DOCS = {
  'docs/agent.md':
    '# Agent\n\nThe agent runs every 30 minutes.\n\n## Interval\n\nSet `runinterval` to change how often it runs.\n',
  'docs/server.md': '# Server\n\nThe server listens on port 8140. \u001b[31mRed\u009b2J\u202e text.\n',
  'docs/empty.md': '',
};

export function docsFolder(home: string): string {
  return join(home, 'docs');
}

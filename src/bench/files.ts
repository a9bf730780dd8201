import { accessSync, constants, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isFolder, statusOf } from '../config/file-status.ts';
import { KbError } from '../core/errors.ts';

/** What the usual failures of a file or folder mean to the person who named it. */
const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'it may not be opened (EACCES)',
  EPERM: 'it may not be opened (EPERM)',
  EROFS: 'it is on a disk that is read-only',
  ENOSPC: 'the disk is full',
  ERR_STRING_TOO_LONG: 'it is larger than 512 MiB',
};

/**
 * Text of a file a person named, without a byte order mark. Throws `usage-invalid` where it cannot be read; `hint` says
 * what such a file holds and how one is made.
 */
export function readText(file: string, hint: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/u, '');
  } catch (error) {
    const message = `${file} cannot be read: ${reasonOf(error)}`;
    throw new KbError('usage-invalid', message, { argument: file }, { hint, cause: error });
  }
}

/** Writes a file a person named. Throws `usage-invalid` where that fails. */
export function writeText(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw unwritable(file, reasonOf(error), error);
  }
}

/** Throws as {@link writeText} would and leaves no trace: asked before minutes are spent on what is to be written. */
export function checkWritable(file: string): void {
  const folder = dirname(file);
  if (!isFolder(folder)) throw unwritable(file, `there is no folder ${folder}`);
  const stats = statusOf(file);
  if (stats?.isDirectory() === true) throw unwritable(file, 'it is a folder');
  try {
    accessSync(stats === undefined ? folder : file, constants.W_OK);
  } catch (error) {
    throw unwritable(file, reasonOf(error), error);
  }
}

/** A new folder for what is deleted afterwards. Throws `usage-invalid` where none can be made. */
export function makeTemporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'kb-bench-'));
  } catch (error) {
    throw new KbError(
      'usage-invalid',
      `no temporary folder can be made in ${tmpdir()}: ${reasonOf(error)}`,
      { argument: '--work' },
      { hint: 'name a folder with --work FOLDER, or set TMPDIR to one that may be written', cause: error },
    );
  }
}

/** Makes a folder a person named, and those above it. Throws `usage-invalid` where that fails. */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw unwritable(folder, reasonOf(error), error);
  }
}

function unwritable(file: string, reason: string, cause?: unknown): KbError {
  return new KbError(
    'usage-invalid',
    `${file} cannot be written: ${reason}`,
    { argument: file },
    { hint: 'name a place in a folder that is there and may be written', cause },
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? error.message;
}

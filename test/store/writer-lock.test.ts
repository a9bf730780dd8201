import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isKbError } from '../../src/core/errors.ts';
import { deleteIndex } from '../../src/kb/remove.ts';
import { openForReading, openForWriting } from '../../src/store/index-file.ts';
import { acquireWriterLock } from '../../src/store/writer-lock.ts';
import { bundle } from '../support/bundle.ts';
import { temporaryFolder } from '../support/folders.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';
import { newIndexPath } from './support.ts';

let script = '';
const children: ChildProcess[] = [];

beforeAll(async () => {
  script = await bundle('test/store/lock-holder.ts', temporaryFolder());
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Another process that holds the lock of an index. */
async function holder(indexPath: string, ...manner: string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, indexPath, ...manner], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  if (child.stdout === null) throw new Error('no pipe');
  await once(child.stdout, 'data');
  return child;
}

describe('the lock of a writer', () => {
  test('turns a second process away at once and names the first', async () => {
    const path = newIndexPath();
    const child = await holder(path);
    const started = performance.now();
    const error = await kbErrorOf(() => acquireWriterLock(path));
    expect(performance.now() - started).toBeLessThan(1000);
    if (!isKbError(error, 'index-locked')) throw error;
    expect(error.details.holder).toContain(`process ${child.pid} `);
    expect(error.message).toContain(`${child.pid}`);
    expect(error.hint).toBeDefined();
  });

  test('names a holder that writes its name a moment later', async () => {
    const path = newIndexPath();
    const child = await holder(path, 'nameless', 'stays');
    const error = await kbErrorOf(() => acquireWriterLock(path));
    expect(error.message).toContain(`process ${child.pid} `);
  });

  test('is taken when a holder that has put its name away leaves a moment later', async () => {
    const path = newIndexPath();
    await holder(path, 'nameless', 'leaves');
    acquireWriterLock(path).release();
  });

  test('is free once its holder is killed', async () => {
    const path = newIndexPath();
    const child = await holder(path);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = acquireWriterLock(path);
    const error = await kbErrorOf(() => acquireWriterLock(path));
    expect(error.message).toContain(`process ${process.pid} `);
    lock.release();
  });

  test('is free again after it is released, as often as it is taken', () => {
    const path = newIndexPath();
    for (let round = 0; round < 3; round += 1) acquireWriterLock(path).release();
    expect(existsSync(`${path}.holder`)).toBe(false);
    expect(statSync(`${path}.lock`).mode & 0o777).toBe(0o600);
  });

  test('of one index leaves other indexes alone', () => {
    const [a, b] = [acquireWriterLock(newIndexPath()), acquireWriterLock(newIndexPath())];
    a.release();
    b.release();
  });

  test('does not keep readers out', async () => {
    const path = newIndexPath();
    openForWriting(path).close();
    await holder(path);
    openForReading(path).close();
  });

  test('keeps an index from being deleted under a writer', async () => {
    const path = newIndexPath();
    openForWriting(path).close();
    const child = await holder(path);
    expect((await kbErrorOf(() => deleteIndex(path))).code).toBe('index-locked');
    expect(existsSync(path)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    deleteIndex(path);
    expect(existsSync(path)).toBe(false);
    expect((await kbErrorOf(() => deleteIndex(path))).code).toBe('index-missing');
  });

  test('that cannot be made is an error with a hint, not a crash', async () => {
    const inFile = newIndexPath();
    writeFileSync(dirname(inFile), 'a file');
    const onFolder = newIndexPath();
    mkdirSync(`${onFolder}.lock`, { recursive: true });
    for (const path of [inFile, onFolder]) {
      const error = await kbErrorOf(() => acquireWriterLock(path));
      expect(error.code).toBe('index-unwritable');
      expect(error.hint).toBeDefined();
    }
  });
});

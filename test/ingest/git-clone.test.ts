import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isKbError } from '../../src/core/errors.ts';
import { prepareSources } from '../../src/ingest/sources.ts';
import {
  commit,
  environment,
  failure,
  git,
  home,
  leftovers,
  makeUpstream,
  options,
  project,
  top,
  upstream,
} from './git-fixture.ts';

makeUpstream();

describe('a repository with bad intentions', () => {
  test('has nothing executed: no hook, filter, submodule, template or file monitor', async () => {
    const marker = join(top, 'executed');
    const evil = join(top, 'evil');
    mkdirSync(evil);
    git(evil, 'init', '-q', '-b', 'main');
    git(evil, 'submodule', 'add', '-q', upstream, 'sub');
    commit(evil, {
      '.gitattributes': '*.md filter=evil\n',
      'a.md': 'as written\n',
      '.githooks/post-checkout': 'x',
    });
    // What the person's own settings could let a repository call.
    const hooks = join(top, 'hooks');
    mkdirSync(join(top, 'template/hooks'), { recursive: true });
    mkdirSync(hooks);
    for (const file of [
      join(top, 'template/hooks/post-checkout'),
      join(hooks, 'post-checkout'),
      join(hooks, 'monitor'),
    ]) {
      writeFileSync(file, `#!/bin/sh\necho ${file} >> ${marker}\n`, { mode: 0o755 });
    }
    writeFileSync(
      join(home, '.gitconfig'),
      `[filter "evil"]\n\tsmudge = touch ${marker}; cat\n\trequired = true\n[core]\n\thooksPath = ${hooks}\n\tfsmonitor = ${join(hooks, 'monitor')}\n` +
        `[init]\n\ttemplateDir = ${join(top, 'template')}\n[submodule]\n\trecurse = true\n`,
    );
    try {
      const config = project({ git: evil }, ['manual']);
      await prepareSources(config, options());
      expect(readFileSync(join(config.root, 'manual/a.md'), 'utf8')).toBe('as written\n');
      expect(readdirSync(join(config.root, 'manual/sub'))).toEqual([]);
      expect(existsSync(join(config.root, 'manual/.git/hooks'))).toBe(false);
      expect(existsSync(marker)).toBe(false);
      // The trap works: the same settings do run something for a plain clone.
      execFileSync('git', ['clone', '-q', evil, join(top, 'plain')], { env: environment, stdio: 'ignore' });
      expect(existsSync(marker)).toBe(true);
    } finally {
      rmSync(join(home, '.gitconfig'), { force: true });
    }
  });
});

describe('a clone that is interrupted', () => {
  /** A PATH whose git sleeps before one of its commands. */
  function slowGit(command: string, seconds: number): Record<string, string> {
    const folder = mkdtempSync(join(top, 'bin-'));
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const script = `#!/bin/sh\ncase " $* " in *" ${command} "*) sleep ${seconds};; esac\nexec ${real} "$@"\n`;
    writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
    return { ...environment, PATH: `${folder}:${environment.PATH}` };
  }

  test.each(['fetch', 'checkout'])(
    'during %s stops git at once and is made good by the next call',
    async (command) => {
      const config = project({ git: upstream });
      const controller = new AbortController();
      const started = Date.now();
      setTimeout(() => controller.abort(), 200);
      const error = await failure(config, { environment: slowGit(command, 30), signal: controller.signal });
      expect(isKbError(error, 'aborted')).toBe(true);
      expect(Date.now() - started).toBeLessThan(5000);
      expect(existsSync(join(config.root, 'manual'))).toBe(false);
      await prepareSources(config, options());
      expect(readFileSync(join(config.root, 'manual/docs/a.md'), 'utf8')).toBe('# two\n');
      expect(leftovers(config)).toEqual([]);
    },
  );

  test('before it began clones nothing', async () => {
    const config = project({ git: upstream });
    expect(isKbError(await failure(config, { signal: AbortSignal.abort() }), 'aborted')).toBe(true);
    expect(readdirSync(config.root)).toEqual([]);
  });

  test('by kill -9 never counts as present, and the next call completes it', async () => {
    const config = project({ git: upstream });
    const module = join(import.meta.dirname, '../../src/ingest/sources.ts');
    const script = `
      import { prepareSources } from ${JSON.stringify(module)};
      const environment = ${JSON.stringify(slowGit('checkout', 5))};
      await prepareSources(${JSON.stringify(config)}, {
        local: new Map(), onProgress: (step) => console.log(step.stage), signal: new AbortController().signal, environment,
      });`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((settle) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => text.includes('checkout') && settle());
    });
    child.kill('SIGKILL');
    await new Promise((settle) => child.once('close', settle));
    expect(existsSync(join(config.root, 'manual'))).toBe(false);
    expect(leftovers(config)).toEqual(['.manual.partial', '.manual.partial.lock']);
    // A git killed in its work leaves its lock and half a file.
    const partial = join(config.root, '.manual.partial');
    writeFileSync(join(partial, '.git/index.lock'), '');
    mkdirSync(join(partial, 'docs'), { recursive: true });
    writeFileSync(join(partial, 'docs/a.md'), '# t');
    await prepareSources(config, options());
    expect(readFileSync(join(config.root, 'manual/docs/a.md'), 'utf8')).toBe('# two\n');
    expect(git(join(config.root, 'manual'), 'status', '--porcelain')).toBe('');
    expect(leftovers(config)).toEqual([]);
  });

  test.each([
    ['not a repository', (path: string) => writeFileSync(join(path, 'x'), 'x')],
    [
      'a repository said to be complete that is not',
      (path: string) => {
        git(path, 'init', '-q');
        writeFileSync(join(path, '.git/kb-fetched'), JSON.stringify([upstream, null]));
      },
    ],
  ])('and left %s is made anew', async (_, leave) => {
    const config = project({ git: upstream });
    const partial = join(config.root, '.manual.partial');
    mkdirSync(partial);
    leave(partial);
    await prepareSources(config, options());
    expect(readdirSync(join(config.root, 'manual')).sort()).toEqual(['.git', 'docs']);
  });

  test('after the transfer is finished without asking the server again', async () => {
    const copy = join(top, 'copy');
    git(top, 'clone', '-q', upstream, copy);
    const config = project({ git: copy });
    const controller = new AbortController();
    const error = await failure(config, {
      signal: controller.signal,
      onProgress: (step) => step.stage === 'checkout' && controller.abort(),
    });
    expect(isKbError(error, 'aborted')).toBe(true);
    rmSync(copy, { recursive: true });
    await prepareSources(config, options());
    expect(existsSync(join(config.root, 'manual/docs/a.md'))).toBe(true);
  });

  test('by another kb at the same moment is refused, naming the process', async () => {
    const config = project({ git: upstream });
    symlinkSync(String(process.pid), join(config.root, '.manual.partial.lock'));
    const error = await failure(config);
    expect(isKbError(error, 'source-unavailable') && error.message).toContain(`process ${process.pid}`);
  });
});

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isKbError } from '../../src/core/errors.ts';
import { withoutCredentials } from '../../src/ingest/git-clone.ts';
import { prepareSources, type SourceProgress } from '../../src/ingest/sources.ts';
import {
  environment,
  failure,
  git,
  leftovers,
  makeUpstream,
  options,
  project,
  top,
  upstream,
} from './git-fixture.ts';

const first = makeUpstream();

describe('a git source', () => {
  test('is cloned one commit deep beside the file, links kept as links', async () => {
    const seen: SourceProgress[] = [];
    const config = project({ git: upstream });
    const { folders } = await prepareSources(config, options({ onProgress: (step) => seen.push(step) }));
    const folder = join(config.root, 'manual');
    expect([...folders]).toEqual([['manual', folder]]);
    expect(readFileSync(join(folder, 'docs/a.md'), 'utf8')).toBe('# two\n');
    expect(lstatSync(join(folder, 'docs/link.md')).isSymbolicLink()).toBe(true);
    expect(git(folder, 'rev-list', '--count', 'HEAD')).toBe('1');
    expect(leftovers(config)).toEqual([]);
    expect(seen.at(0)).toEqual({ source: 'manual', url: upstream, stage: 'fetch' });
    expect(seen.at(-1)).toEqual({ source: 'manual', url: upstream, stage: 'done' });
  });

  test.each([
    ['a tag', 'v1'],
    ['a branch', 'old'],
    ['a full commit hash', first],
  ])('is taken at %s', async (_, ref) => {
    const config = project({ git: upstream, ref });
    await prepareSources(config, options());
    expect(readFileSync(join(config.root, 'manual/docs/a.md'), 'utf8')).toBe('# one\n');
  });

  test.each(['../upstream', `file://${upstream}`])('may be a repository of this machine: %s', async (url) => {
    const config = project({ git: url.startsWith('file') ? `file://${upstream}` : url });
    await prepareSources(config, options());
    expect(existsSync(join(config.root, 'manual/docs/a.md'))).toBe(true);
  });

  test('that is there is used as it is, never fetched or changed', async () => {
    const config = project({ git: join(top, 'no-such-repository') });
    mkdirSync(join(config.root, 'manual'));
    writeFileSync(join(config.root, 'manual/x.md'), 'mine');
    const { folders } = await prepareSources(config, options());
    expect([...folders.values()]).toEqual([join(config.root, 'manual')]);
    expect(readdirSync(join(config.root, 'manual'))).toEqual(['x.md']);
  });

  test('that is an empty folder is cloned into it', async () => {
    const config = project({ git: upstream });
    mkdirSync(join(config.root, 'manual'));
    await prepareSources(config, options());
    expect(existsSync(join(config.root, 'manual/docs/a.md'))).toBe(true);
  });

  test('that no path uses is not cloned, unless the path is the whole folder', async () => {
    const other = project({ git: upstream }, ['notes']);
    expect((await prepareSources(other, options())).folders.size).toBe(0);
    const whole = project({ git: upstream }, ['.']);
    expect([...(await prepareSources(whole, options())).folders.keys()]).toEqual(['manual']);
  });

  test('is not cloned when the variables of another git repository are set', async () => {
    const config = project({ git: upstream });
    const bystander = join(top, 'bystander');
    mkdirSync(bystander);
    git(bystander, 'init', '-q');
    const poisoned = { ...environment, GIT_DIR: join(bystander, '.git'), GIT_WORK_TREE: bystander };
    await prepareSources(config, options({ environment: poisoned }));
    expect(existsSync(join(config.root, 'manual/docs/a.md'))).toBe(true);
    expect(readdirSync(bystander)).toEqual(['.git']);
  });
});

describe('a folder given in place of a source', () => {
  test('is used, whether the source is declared or only the first folder of a path', async () => {
    const declared = project({ git: join(top, 'no-such-repository') });
    const local = new Map([['manual', upstream]]);
    expect([...(await prepareSources(declared, options({ local }))).folders]).toEqual([['manual', upstream]]);
    expect([...(await prepareSources(project(undefined), options({ local }))).folders]).toEqual([
      ['manual', upstream],
    ]);
  });

  test('for an unknown name is refused with the names there are', async () => {
    const error = await failure(project({ git: upstream }), { local: new Map([['manul', upstream]]) });
    expect(isKbError(error, 'usage-invalid')).toBe(true);
    expect(error.message).toContain('did you mean manual?');
  });

  test.each([
    ['nowhere', /does not exist/u],
    ['file/below', /does not exist/u],
    ['file', /is not a folder/u],
  ])('must be a folder, not %s', async (name, message) => {
    writeFileSync(join(top, 'file'), '');
    const error = await failure(project({ git: upstream }), {
      local: new Map([['manual', join(top, name)]]),
    });
    expect(isKbError(error, 'usage-invalid')).toBe(true);
    expect(error.message).toMatch(message);
  });
});

describe('a source that cannot be had', () => {
  test.each([
    ['https://127.0.0.1:1/a/b', 'manual'],
    ['/no/such/repository', 'manual'],
  ])('from %s is named with the way to use a copy', async (url, name) => {
    const config = project({ git: url });
    const error = await failure(config);
    expect(isKbError(error, 'source-unavailable') && error.details.source).toBe(name);
    expect(error.message).toContain(url);
    expect(error.message).toMatch(/fatal|error/u);
    expect(error.hint).toContain(`--source ${name}=FOLDER`);
    expect(existsSync(join(config.root, name))).toBe(false);
    expect(leftovers(config)).toEqual([]);
  });

  test.each(['-x', '--upload-pack=touch marker', 'nothing-of-that-name', 'abcdef1'])(
    'at the ref %s leaves nothing behind',
    async (ref) => {
      const config = project({ git: upstream, ref });
      const error = await failure(config);
      expect(isKbError(error, 'source-unavailable')).toBe(true);
      expect(error.message.includes('full hash')).toBe(ref === 'abcdef1');
      expect(readdirSync(config.root)).toEqual([]);
    },
  );

  test.each(['ext::sh -c "touch marker"', '--upload-pack=x', 'http://host/x'])(
    'is refused before git sees it: %s',
    async (url) => {
      const config = project({ git: url });
      expect(isKbError(await failure(config), 'source-unavailable')).toBe(true);
      expect(readdirSync(config.root)).toEqual([]);
    },
  );

  test('because there is no git says so', async () => {
    const error = await failure(project({ git: upstream }), { environment: { PATH: join(top, 'home') } });
    expect(error.message).toContain('the program git was not found');
  });

  test.each([
    ['a file', (path: string) => writeFileSync(path, ''), /is not a folder/u],
    ['a dead link', (path: string) => symlinkSync('gone', path), /is a link to something/u],
    [
      'a .git folder alone',
      (path: string) => mkdirSync(join(path, '.git'), { recursive: true }),
      /no files/u,
    ],
  ])('because %s is in its place says so', async (_, make, message) => {
    const config = project({ git: upstream });
    make(join(config.root, 'manual'));
    const error = await failure(config);
    expect(isKbError(error, 'source-unavailable') && error.message).toMatch(message);
  });

  test('never shows the credentials of its address', () => {
    expect(withoutCredentials("fatal: unable to access 'https://me:s3cret@host/x/': no")).toBe(
      "fatal: unable to access 'https://host/x/': no",
    );
    expect(withoutCredentials('https://t0ken@host/a ssh://git@host/b')).toBe('https://host/a ssh://host/b');
  });
});

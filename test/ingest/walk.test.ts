import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { walk } from '../../src/ingest/walk.ts';
import { type Entry, temporaryFolder, writeTree } from '../support/folders.ts';

interface Seen {
  readonly files: readonly string[];
  /** Reason by path. */
  readonly skipped: Readonly<Record<string, string>>;
}

/** Walks a tree from `roots` (its own top by default). */
function seen(
  tree: Readonly<Record<string, Entry>>,
  { roots = [''], exclude = [] }: { roots?: readonly string[]; exclude?: readonly string[] } = {},
): Seen {
  const boundary = temporaryFolder();
  writeTree(boundary, tree);
  const walked = walk(
    roots.map((path) => ({ path, file: join(boundary, path), boundary })),
    exclude,
  );
  return {
    files: walked.files.map((file) => file.path),
    skipped: Object.fromEntries(walked.skipped.map((one) => [one.path, one.reason])),
  };
}

describe('a walk', () => {
  test('finds text files of every documented kind, in the order of their paths', () => {
    const kinds = ['b.md', 'a.markdown', 'c.mdx', 'd.txt', 'e.text', 'F.MD', 'sub/g.md'];
    const others = ['x.rst', 'y.html', 'z.md.bak', 'README', 'md'];
    const { files, skipped } = seen(Object.fromEntries([...kinds, ...others].map((path) => [path, 'x'])));
    expect(files).toEqual([...kinds].sort());
    expect(skipped).toEqual({});
  });

  test('keeps names as they are: signs, blanks, emoji, brackets', () => {
    const names = [
      'c#.md',
      '100%.md',
      'a b.md',
      '😀.md',
      '[x].md',
      "it's.md",
      'a\\b.md',
      ' lead.md',
      'q?*.md',
    ];
    const { files } = seen(Object.fromEntries(names.map((path) => [path, 'x'])));
    expect(files).toEqual([...names].sort());
  });

  test.runIf(process.platform === 'linux')('tells of a name that is not UTF-8', () => {
    const boundary = temporaryFolder();
    writeTree(boundary, { 'a.md': 'x', 'a\ufffdb.md': 'x' });
    writeFileSync(
      Buffer.concat([Buffer.from(`${boundary}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]),
      'x',
    );
    mkdirSync(Buffer.concat([Buffer.from(`${boundary}/dir`), Buffer.from([0xff])]));
    writeFileSync(
      Buffer.concat([Buffer.from(`${boundary}/x`), Buffer.from([0xe9]), Buffer.from('.png')]),
      'x',
    );
    const { files, skipped } = walk([{ path: '', file: boundary, boundary }], []);
    expect(files.map((file) => file.path)).toEqual(['a.md', 'a\ufffdb.md']);
    expect(skipped.map((one) => [one.path, one.reason.slice(0, 21)])).toEqual([
      ['caf\\xe9.md', 'its name is not UTF-8'],
      ['dir\\xff/', 'its name is not UTF-8'],
    ]);
  });

  test('knows a decomposed name by its composed one, and tells of two that are the same', () => {
    const [composed, decomposed] = ['é.md'.normalize('NFC'), 'é.md'.normalize('NFD')];
    expect(seen({ [decomposed]: 'x' }).files).toEqual([composed]);
    const both = seen({ [composed]: 'x', [decomposed]: 'y' });
    expect(both.files).toEqual([composed]);
    // The one that is left out is told by the name it has on disk.
    expect(Object.keys(both.skipped)).toEqual([decomposed]);
    expect(both.skipped[decomposed]).toMatch(/same name in another Unicode spelling/u);
  });

  test('goes into a folder that is called like a file', () => {
    expect(seen({ 'x.md/inner.md': 'x' }).files).toEqual(['x.md/inner.md']);
  });

  test('leaves out what is hidden and node_modules, and says so', () => {
    const tree = {
      '.git/a.md': 'x',
      '.hidden.md': 'x',
      'node_modules/b.md': 'x',
      'sub/.cache/c.md': 'x',
      'd.md': '',
      '.editorconfig': 'x',
    };
    expect(seen(tree)).toEqual({
      files: ['d.md'],
      skipped: {
        '.hidden.md': 'hidden',
        'node_modules/': 'packages of others',
        'sub/.cache/': 'hidden',
      },
    });
  });

  test('says why instructions for agents are left out, unless they are named', () => {
    const tree = { 'AGENTS.md': 'x', 'sub/CLAUDE.md': 'x', 'agents-guide.md': 'x' };
    const { files, skipped } = seen(tree);
    expect(files).toEqual(['agents-guide.md']);
    expect(Object.keys(skipped)).toEqual(['AGENTS.md', 'sub/CLAUDE.md']);
    expect(skipped['AGENTS.md']).toMatch(/coding agents/u);
    expect(seen(tree, { roots: ['AGENTS.md'] }).files).toEqual(['AGENTS.md']);
  });

  test('leaves out the models for new pages of a Hugo site, and no other folder of that name', () => {
    const tree = {
      'site/hugo.toml': 'x',
      'site/content/a.md': 'x',
      'site/archetypes/default.md': 'x',
      'site/content/archetypes/shadow.md': 'x',
      'other/archetypes/hero.md': 'x',
    };
    const { files, skipped } = seen(tree);
    expect(files).toEqual([
      'other/archetypes/hero.md',
      'site/content/a.md',
      'site/content/archetypes/shadow.md',
    ]);
    expect(skipped['site/archetypes/']).toMatch(/^models for new pages/u);
    expect(seen(tree, { roots: ['site/archetypes'] }).files).toEqual(['site/archetypes/default.md']);
  });

  test('takes each file once where roots overlap or repeat', () => {
    const tree = { 'docs/a.md': 'x', 'docs/sub/b.md': 'x' };
    const { files } = seen(tree, { roots: ['docs', 'docs/sub', 'docs/a.md', 'docs'] });
    expect(files).toEqual(['docs/a.md', 'docs/sub/b.md']);
  });
});

describe('what is excluded', () => {
  test('is told file by file, and a folder as a whole', () => {
    const { files, skipped } = seen(
      { 'a.md': 'x', 'CHANGELOG.md': 'x', 'sub/CHANGELOG.md': 'x', 'old/b.md': 'x' },
      { exclude: ['**/CHANGELOG.md', 'old/'] },
    );
    expect(files).toEqual(['a.md']);
    expect(skipped).toEqual({
      'CHANGELOG.md': 'excluded',
      'old/': 'excluded',
      'sub/CHANGELOG.md': 'excluded',
    });
  });

  test('is what is written, in its case', () => {
    expect(seen({ 'readme.md': 'x', 'README.md': 'x' }, { exclude: ['README.md'] }).files).toEqual([
      'readme.md',
    ]);
  });

  test('survives a pattern that is no pattern', () => {
    expect(seen({ 'a.md': 'x', '[.md': 'x' }, { exclude: ['[', '!', '**', '!a.md', '\\'] }).files).toContain(
      'a.md',
    );
  });

  test.each(['.gitignore', '.ignore', '.kbignore'])('may stand in %s', (name) => {
    const { files } = seen({
      [name]: '# comment\n\ndraft-*.md\nbuild/\n',
      'a.md': 'x',
      'draft-1.md': 'x',
      'build/b.md': 'x',
    });
    expect(files).toEqual(['a.md']);
  });

  test('by an ignore file counts below its folder only, and the deeper one has the last word', () => {
    const { files } = seen({
      '.gitignore': '*.txt\n',
      'a.txt': 'x',
      'sub/.gitignore': '!keep.txt\nprivate.md\n',
      'sub/keep.txt': 'x',
      'sub/drop.txt': 'x',
      'sub/private.md': 'x',
      'private.md': 'x',
    });
    expect(files).toEqual(['private.md', 'sub/keep.txt']);
  });

  test('above a root is excluded for the root too', () => {
    const tree = { '.gitignore': 'docs/draft.md\n', 'docs/draft.md': 'x', 'docs/a.md': 'x' };
    expect(seen(tree, { roots: ['docs'] }).files).toEqual(['docs/a.md']);
  });

  test('by a folder that is called like an ignore file is nothing', () => {
    expect(seen({ '.gitignore/x': '*', 'a.md': 'x' }).files).toEqual(['a.md']);
  });
});

describe('a symbolic link', () => {
  test('to a file or folder that is indexed itself is told and not indexed twice', () => {
    const { files, skipped } = seen({
      '_8x/a.md': 'x',
      _latest: { link: '_8x' },
      'again.md': { link: '_8x/a.md' },
    });
    expect(files).toEqual(['_8x/a.md']);
    expect(skipped).toEqual({
      _latest: 'symbolic link to _8x, which is indexed itself',
      'again.md': 'symbolic link to _8x/a.md, which is indexed itself',
    });
  });

  test('named as a path beside its target is indexed once, under the target', () => {
    const { files } = seen(
      { 'd/_8x/a.md': 'x', 'd/_latest': { link: '_8x' } },
      { roots: ['d/_latest', 'd/_8x'] },
    );
    expect(files).toEqual(['d/_8x/a.md']);
  });

  test('named as the only path is followed under its own name', () => {
    const { files } = seen({ 'd/_8x/a.md': 'x', 'd/_latest': { link: '_8x' } }, { roots: ['d/_latest'] });
    expect(files).toEqual(['d/_latest/a.md']);
  });

  test('to something outside the roots but inside the source is followed, once', () => {
    const { files, skipped } = seen(
      { 'shared/s.md': 'x', 'docs/one': { link: '../shared' }, 'docs/two': { link: '../shared' } },
      { roots: ['docs'] },
    );
    expect(files).toEqual(['docs/one/s.md']);
    expect(skipped['docs/two']).toMatch(/indexed itself/u);
  });

  test.each([
    ['passwd.md', '/etc/passwd'],
    ['etc', '/etc'],
    ['up', '../../..'],
  ])('%s that leaves the source is told and not followed', (name, link) => {
    const { files, skipped } = seen({ 'a.md': 'x', [name]: { link } });
    expect(files).toEqual(['a.md']);
    expect(skipped).toEqual({ [name]: 'symbolic link leaves its source' });
  });

  test('cannot leave the source by way of another link', () => {
    const { files, skipped } = seen({ 'a.md': 'x', 'z.md': { link: 'b' }, b: { link: '/etc/passwd' } });
    expect(files).toEqual(['a.md']);
    expect(skipped['z.md']).toBe('symbolic link leaves its source');
  });

  test('in a circle or to nowhere ends', () => {
    const { files, skipped } = seen({
      'a.md': 'x',
      'sub/up': { link: '..' },
      'self.md': { link: 'self.md' },
      'gone.md': { link: 'nowhere.md' },
      gone: { link: 'nowhere' },
    });
    expect(files).toEqual(['a.md']);
    expect(skipped['sub/up']).toBe('symbolic link to its own source, which is indexed itself');
    expect(skipped['self.md']).toMatch(/leads nowhere: ELOOP/u);
    expect(skipped['gone.md']).toMatch(/leads nowhere: ENOENT/u);
    expect(skipped['gone']).toBeUndefined();
  });

  test('to a folder keeps to the ignore files inside it', () => {
    const { files } = seen(
      { 'real/.gitignore': 'no.md\n', 'real/no.md': 'x', 'real/yes.md': 'x', 'docs/l': { link: '../real' } },
      { roots: ['docs'] },
    );
    expect(files).toEqual(['docs/l/yes.md']);
  });
});

test('a deep tree is walked to its end', () => {
  const boundary = temporaryFolder();
  const deep = Array.from({ length: 300 }, () => 'd').join('/');
  mkdirSync(join(boundary, deep), { recursive: true });
  writeTree(boundary, { [`${deep}/a.md`]: 'x' });
  expect(walk([{ path: '', file: boundary, boundary }], []).files.map((file) => file.path)).toEqual([
    `${deep}/a.md`,
  ]);
});

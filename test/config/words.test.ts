import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../src/config/duration.ts';
import { locateGit } from '../../src/config/git-url.ts';
import { knowledgeBaseName } from '../../src/config/name.ts';
import { editDistance, nearest, nearestFew } from '../../src/config/nearest.ts';

describe('nearest', () => {
  test.each([
    ['topk', 'top_k'],
    ['pathes', 'paths'],
    ['EXCLUDE', 'exclude'],
    ['anchros', 'anchors'],
    ['zzz', undefined],
    ['', undefined],
  ])('%j means %j', (word, meant) => {
    expect(nearest(word, ['paths', 'exclude', 'anchors', 'top_k'])).toBe(meant);
  });

  test('lists several, nearest first, equals in the order given', () => {
    expect(nearestFew('abcdef', ['abcdxx', 'abcdef1', 'abcdeg', 'zzzzzz', 'abcdeh'], 3)).toEqual([
      'abcdef1',
      'abcdeg',
      'abcdeh',
    ]);
  });

  test.each([
    ['ab', 'ba', 1],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
    ['same', 'same', 0],
    ['ca', 'abc', 3],
  ])('the distance from %j to %j is %i', (left, right, distance) => {
    expect(editDistance(left, right)).toBe(distance);
  });

  test('a limit never changes a distance within it, and distance is symmetric', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, fc.nat(8), (left, right, limit) => {
        const full = editDistance(left, right);
        expect(editDistance(right, left)).toBe(full);
        const limited = editDistance(left, right, limit);
        expect(limited <= limit ? limited : -1).toBe(full <= limit ? full : -1);
      }),
    );
  });
});

describe('durations', () => {
  test.each([
    ['120s', 120],
    ['2m', 120],
    ['1h', 3600],
    ['500ms', 0.5],
    ['1.5m', 90],
    ['90', 90],
    [90, 90],
    [' 2 m ', 120],
  ])('%j is %d seconds', (value, seconds) => {
    expect(parseDuration(value)).toBe(seconds);
  });

  test.each([
    '',
    'm',
    '-1s',
    '1d',
    '1m30s',
    '1e3',
    'soon',
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    null,
    [],
    true,
  ])('%j is none', (value) => {
    expect(parseDuration(value)).toBeUndefined();
  });

  test('are written so that they read back the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400_000 }), (milliseconds) => {
        expect(parseDuration(formatDuration(milliseconds / 1000))).toBeCloseTo(milliseconds / 1000, 6);
      }),
    );
  });
});

describe('the name of a knowledge base', () => {
  test.each([
    ['/x/openvox-docs.yaml', 'openvox-docs'],
    ['corpora/My Notes.YML', 'my-notes'],
    ['/srv/Über_uns.v2', 'uber_uns.v2'],
    ['/x/.hidden', 'hidden'],
    ['a b/', 'a-b'],
  ])('of %s is %s', (path, name) => {
    expect(knowledgeBaseName(path)).toBe(name);
  });

  test('is always a safe file name, and stays different where nothing legible is left', () => {
    expect(knowledgeBaseName('/x/文档')).not.toBe(knowledgeBaseName('/x/資料'));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(knowledgeBaseName(text)).toMatch(/^[a-z0-9_][a-z0-9._-]{0,79}$/u);
        expect(knowledgeBaseName(text)).toBe(knowledgeBaseName(text));
      }),
    );
  });
});

describe('the address of a git source', () => {
  test.each([
    ['https://github.com/a/b', 'remote'],
    ['https://host:8443/a/b.git', 'remote'],
    ['ssh://git@host:22/a/b', 'remote'],
    ['git@github.com:a/b.git', 'remote'],
    ['host:a/b', 'remote'],
    ['git@[::1]:a', 'remote'],
    ['file:///srv/a', 'local'],
    ['/srv/a', 'local'],
    ['./a', 'local'],
    ['../a', 'local'],
  ])('%s is %s', (url, kind) => {
    expect(locateGit(url)).toEqual({ kind });
  });

  test.each([
    'ext::sh -c touch% /tmp/x',
    'fd::7',
    'transport::https://x',
    '::x',
    '-u',
    '--upload-pack=x',
    'ssh://-oProxyCommand=x/a',
    'ssh://u@-oProxyCommand=x/a',
    '-oProxyCommand=x:a',
    'git@-x:a',
    'host:-x',
    'host::x',
    'http://host/a',
    'git://host/a',
    'ftp://host/a',
    'file://host/a',
    'https://u:p@host/a',
    'https://',
    'docs',
    'docs/a',
    '',
    '/a\n/b',
  ])('%j is refused', (url) => {
    expect(locateGit(url)).toHaveProperty('problem');
  });
});

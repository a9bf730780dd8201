import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hit } from '../../src/core/search.ts';
import type { Kb } from '../../src/kb.ts';
import { compareVersions } from '../../src/search/versions.ts';
import { TestBase } from '../support/knowledge-base.ts';

const INSTALL = '# Install\n\n## Proxy\n\nSet the proxy before you install the agent.\n';
const NOTE = '\n## Permissions\n\nThe caller needs the role owner.\n';
const FILES = {
  'v1.9/install.md': INSTALL,
  'v1.10/install.md': INSTALL,
  'v1.2/install.md': INSTALL,
  'next/install.md': INSTALL,
  'other.md': '# Other\n\n## Proxy\n\nA proxy of another kind, set elsewhere.\n',
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`api/call-${at}.md`, `# Call ${at}\n\nDoes ${at}.\n${NOTE}`]),
  ),
};

describe('the same text in several places', () => {
  const base = new TestBase(FILES);
  let kb: Kb;
  beforeAll(async () => {
    await base.ingest();
    kb = await base.open();
  });
  afterAll(() => kb.close());
  const find = async (text: string, more = {}): Promise<readonly Hit[]> =>
    (await kb.search({ text, ...more })).hits;

  test('is one hit, from the newest version, that names the other places', async () => {
    const [hit, ...others] = await find('set the proxy to install the agent');
    expect(hit?.path).toBe('v1.10/install.md');
    expect(hit?.alsoAt).toEqual({
      count: 3,
      places: ['next', 'v1.2', 'v1.9'].map((version) => ({
        ref: expect.any(String),
        path: `${version}/install.md`,
        anchor: 'proxy',
      })),
    });
    expect(others.filter((other) => other.hash === hit?.hash)).toEqual([]);
    expect(others.map((other) => other.path)).toContain('other.md');
  });

  test('of a folder comes from there when the search is limited to it, and names no place outside', async () => {
    const [hit] = await find('set the proxy to install the agent', { path: 'v1.2' });
    expect(hit?.path).toBe('v1.2/install.md');
    expect(hit?.alsoAt).toBeUndefined();
  });

  test('does not take the places of different texts, however often it stands', async () => {
    const hits = await find('permissions role owner call', { topK: 5 });
    expect(hits).toHaveLength(5);
    expect(new Set(hits.map((hit) => hit.hash)).size).toBe(5);
    expect(hits[0]?.alsoAt?.count).toBe(29);
    expect(hits[0]?.alsoAt?.places).toHaveLength(5);
  });

  test('is as many hits as places for measurements', async () => {
    const hits = await find('set the proxy to install the agent', { copies: 'apart' });
    expect(hits.filter((hit) => hit.path.endsWith('install.md'))).toHaveLength(4);
    expect(hits.every((hit) => hit.alsoAt === undefined)).toBe(true);
  });

  test('is told to models by path', async () => {
    const tool = (await kb.tools()).find((one) => one.spec.name === 'knowledge_search');
    const reply = await tool?.call({ query: 'permissions role owner' }, new AbortController().signal);
    expect(reply?.text).toMatch(/also at: api\/call-\d+\.md, .+ and 26 more/u);
  });

  test('is the reason why a place of it does not come', async () => {
    const why = await kb.why('set the proxy to install the agent', 'v1.2/install.md#proxy');
    expect(why.verdict).toBe('copy');
    expect(why.reason).toMatch(/rank 1, from v1\.10\/install\.md \(#/u);
  });
});

describe('the newer of two versions', () => {
  test.each([
    ['v1/a.md', 'v2/a.md', 'second'],
    ['docs/_openvox_8x/a.md', 'docs/_openvox_7x/a.md', 'first'],
    ['v3.5/a.md', 'v3.10/a.md', 'second'],
    ['latest/a.md', '9.0/a.md', 'first'],
    ['next/a.md', '9.0/a.md', 'second'],
    ['2021-01/a.md', '2020-12/a.md', 'first'],
    ['v1/a.md', 'v2/b.md', 'neither'],
    ['en/a.md', 'de/a.md', 'neither'],
    ['part-2/a.md', 'v1/a.md', 'neither'],
    ['v1/a1.md', 'v1/a2.md', 'neither'],
    ['a.md', 'v1/a.md', 'neither'],
  ])('%s, %s: %s', (first, second, newer) => {
    const expected = newer === 'neither' ? 0 : newer === 'first' ? -1 : 1;
    expect(Math.sign(compareVersions(first, second))).toBe(expected);
    expect(Math.sign(compareVersions(second, first))).toBe(0 - expected);
  });

  test('is never both, and never a page itself', () => {
    const name = fc.constantFrom('v1', 'v2', 'v10', 'latest', 'next', 'x', '1.2', '1-3', 'a.md');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(path, path, (one, other) => {
        expect(Math.sign(compareVersions(one, other)) + Math.sign(compareVersions(other, one))).toBe(0);
        expect(compareVersions(one, one)).toBe(0);
      }),
    );
  });
});

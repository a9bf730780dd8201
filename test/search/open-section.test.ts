import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Kb } from '../../src/kb.ts';
import { TestBase } from '../support/knowledge-base.ts';

describe('an address', () => {
  const base = new TestBase({
    'docs/install.md':
      '# Install\n\nfirst\n\n## On Windows\n\nwin\n\n## Größe\n\nsize\n\n## Own {#MyId}\n\nown\n',
    'docs/ids.md':
      '(see-also)=\n<a name="Old Name"></a><a name="old"></a>\n\n# Many {#one}\n{: #two}\n\n> ## Quoted\n\nword[s]{#span}\n\n# Many\n',
    'docs/c#.md': '# Sharp\n\ntext\n\n## Part\n\npart\n',
    'docs/100% done.md': '# Done\n\ntext\n',
    'docs/a%20b.md': '# Escaped\n\ntext\n',
    'twins/a b.md': '# Blank\n\ntext\n',
    'twins/a%20b.md': '# Escaped\n\ntext\n',
    ' lead.md': '# Lead\n\ntext\n\n## Part\n\npart\n',
    'other/readme.md': '# Other\n\ntext\n',
    'more/readme.md': '# More\n\ntext\n',
    'empty.md': '',
  });
  let kb: Kb;
  beforeAll(async () => {
    await base.ingest();
    kb = await base.open();
  });
  afterAll(() => kb.close());

  function opened(address: string): string[] {
    const lookup = kb.open(address);
    if (lookup.status !== 'found') return [];
    return lookup.sections.map(({ section }) => `${section.path} ${section.headings.at(-1) ?? ''}`);
  }

  test('by ref opens one section, with the refs around it', async () => {
    const { entries } = await kb.outline({ limit: 99, path: 'docs/install.md' });
    const [one, two, three] = entries;
    for (const form of [two?.ref ?? '', `#${two?.ref}`, `(#${two?.ref})`]) {
      const lookup = kb.open(form);
      expect(lookup).toMatchObject({ status: 'found', sections: [{ previous: one?.ref, next: three?.ref }] });
      expect(opened(form)).toEqual(['docs/install.md On Windows']);
    }
  });

  test.each([
    ['docs/install.md#on-windows', 'On Windows'],
    ['docs/install.md#On-Windows', 'On Windows'],
    ['./docs/install.md#on-windows', 'On Windows'],
    ['install.md#on-windows', 'On Windows'],
    ['docs/install.md#größe', 'Größe'],
    ['docs/install.md#gr%C3%B6%C3%9Fe', 'Größe'],
    ['docs/install.md#MyId', 'Own'],
    ['docs/install.md#myid', 'Own'],
    ['docs/install.md#user-content-on-windows', 'On Windows'],
    ['docs/install.md#gro\u0308\u00dfe', 'Größe'],
    ['docs/install.md#on-win\u200cdows', 'On Windows'],
    ['docs/install.md#On Windows', 'On Windows'],
    ['docs/install.md#on_windows', 'On Windows'],
    ['docs/install.md#gro\u00dfe', 'Größe'],
    ['docs/install.md#own', 'Own'],
  ])('%s opens its section', (address, heading) => {
    expect(opened(address)).toEqual([`docs/install.md ${heading}`]);
  });

  test('by any anchor of a section opens it', async () => {
    for (const { path } of kb.documents()) {
      const lookup = kb.open(path);
      for (const { section } of lookup.status === 'found' ? lookup.sections : []) {
        for (const anchor of section.anchors) {
          const opened = kb.open(`${encodeURI(path).replaceAll('#', '%23')}#${encodeURIComponent(anchor)}`);
          expect(opened).toMatchObject({ status: 'found', sections: [{ section: { ref: section.ref } }] });
        }
      }
    }
  });

  test.each([
    ['docs/c#.md', 'docs/c#.md', 2],
    ['docs/c%23.md', 'docs/c#.md', 2],
    ['docs/c#.md#part', 'docs/c#.md', 1],
    ['docs/c%23.md#part', 'docs/c#.md', 1],
    ['docs/100% done.md', 'docs/100% done.md', 1],
    ['docs/100%25%20done.md', 'docs/100% done.md', 1],
    ['docs/a%20b.md', 'docs/a%20b.md', 1],
    ['docs/a%2520b.md', 'docs/a%20b.md', 1],
    ['twins/a b.md', 'twins/a b.md', 1],
    ['twins/a%20b.md', 'twins/a%20b.md', 1],
    ['twins/a%2520b.md', 'twins/a%20b.md', 1],
    [' lead.md', ' lead.md', 2],
    [' lead.md#part', ' lead.md', 1],
    ['%20lead.md', ' lead.md', 2],
  ])('%s opens %s, as it stands on disk or escaped', (address, path, count) => {
    const lookup = kb.open(address);
    if (lookup.status !== 'found') throw new Error(JSON.stringify(lookup));
    expect(lookup.sections.map(({ section }) => section.path)).toEqual(Array(count).fill(path));
  });

  test('without its first folders opens the one document it can mean, and none of several', () => {
    expect(opened('install.md')).toHaveLength(4);
    expect(kb.open('readme.md')).toEqual({
      status: 'unknown',
      nearest: ['more/readme.md', 'other/readme.md'],
    });
  });

  test.each([
    '../../etc/passwd',
    '/etc/passwd',
    '/etc/nothing-here',
    'file:///etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    'docs/../../secret',
    'docs\\..\\secret',
    '\0',
    'docs/install.md\0',
    '~/.ssh/id_rsa',
  ])('%j is unknown: nothing typed is ever a path on disk', (address) => {
    const lookup = kb.open(address);
    expect(lookup.status).toBe('unknown');
  });

  test('outside the index has the same answer whether or not there is a file', () => {
    expect(kb.open('/etc/passwd')).toEqual(kb.open('/etc/qqqqqq'));
  });

  test('that is unknown is answered with addresses that open', () => {
    for (const wrong of [
      'docs/instal.md',
      'install.mdx',
      'docs/install.md#on-window',
      'docs/C#.md',
      '100%25 don.md',
    ]) {
      const lookup = kb.open(wrong);
      if (lookup.status !== 'unknown') throw new Error(`${wrong} opened`);
      expect(lookup.nearest.length, wrong).toBeGreaterThan(0);
      for (const near of lookup.nearest) expect(opened(near), near).not.toEqual([]);
    }
  });

  test('of a ref one letter off names the ref', async () => {
    const ref = (await kb.outline({ limit: 1 })).entries[0]?.ref ?? '';
    const wrong = `${ref.slice(0, 5)}${ref.endsWith('a') ? 'b' : 'a'}`;
    expect(kb.open(wrong)).toMatchObject({ status: 'unknown', nearest: expect.arrayContaining([ref]) });
  });

  test('of a document without text is not answered with itself', () => {
    expect(kb.open('empty.md')).toEqual({ status: 'unknown', nearest: [] });
  });
});

test('nothing opens where nothing was ingested, and the status says so', async () => {
  const base = new TestBase({});
  expect(await base.use((kb) => kb.open('a.md'))).toEqual({ status: 'index_not_built' });
  base.write({ 'a.rst': 'x' });
  await base.ingest();
  expect(await base.use((kb) => kb.open('a.md'))).toEqual({ status: 'index_empty' });
});

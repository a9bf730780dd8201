import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseFieldFilter } from '../../src/core/scope.ts';
import type { Kb } from '../../src/kb.ts';
import { knowledgeEnumerate } from '../../src/tools/knowledge-enumerate.ts';
import { knowledgeSearch } from '../../src/tools/knowledge-search.ts';
import { TestBase } from '../support/knowledge-base.ts';

const page = (header: string) => `---\n${header}\n---\n# Pump\n\nThe pump hums.\n`;
const FILES = {
  'a.md': page('tags: [care, "100%"]\nstatus: Stable\ndraft: false\nweight: 3\ndate: 2024-05-01'),
  'b.md': page('tags: care\nstatus: beta\ndraft: true'),
  'c.md': '+++\n[taxonomies]\ntags = ["care"]\n[extra]\n"a\'b" = 1\n+++\n# Pump\n\nThe pump hums.\n',
  'docs/d.md': page('status: stable'),
};

describe('a search in documents by their front matter', () => {
  const base = new TestBase(FILES);
  let kb: Kb;
  beforeAll(async () => {
    await base.ingest();
    kb = await base.open();
  });
  afterAll(() => kb.close());

  const filters = (texts: readonly string[]) => texts.flatMap((text) => parseFieldFilter(text) ?? []);

  test.each([
    [['tags=care'], ['a.md', 'b.md']],
    [['Tags=CARE'], ['a.md', 'b.md']],
    [['tags=100%'], ['a.md']],
    [['tags=car'], []],
    [['status=stable'], ['a.md', 'docs/d.md']],
    [['status=stable', 'draft=false'], ['a.md']],
    [['draft=true'], ['b.md']],
    [['weight=3'], ['a.md']],
    [['date=2024-05-01'], ['a.md']],
    [['date=2024-05-0'], []],
    [['taxonomies.tags=care'], ['c.md']],
    [["extra.a'b=1"], ['c.md']],
    [['status=%'], []],
    [["status=' OR 1=1 --"], []],
  ])('finds with %j', async (texts, paths) => {
    const where = filters(texts);
    const { hits } = await kb.search({ text: 'pump hums', where, copies: 'apart' });
    expect(hits.map(({ path }) => path as string).sort()).toEqual(paths);
    expect(kb.documents({ where }).map(({ path }) => path)).toEqual(paths);
    const { entries, total } = await kb.outline({ where, limit: 9 });
    expect([entries.length, total]).toEqual([paths.length, paths.length]);
  });

  test('filters before it ranks, together with a path, and says so where nothing is left', async () => {
    const only = await kb.search({ text: 'pump', path: 'docs', where: filters(['status=stable']), topK: 1 });
    expect(only.hits.map(({ path }) => path as string)).toEqual(['docs/d.md']);
    const none = await kb.search({ text: 'pump', path: 'docs', where: filters(['status=beta']) });
    expect(none.hits).toEqual([]);
    expect(none.note).toBe(
      'no document is at or below "docs" with status=beta; list shows the documents there are',
    );
  });

  test('is there for models too, who are told what a filter looks like', async () => {
    const options = { topK: 5, maxInjectedTokens: 2000, readTool: true };
    const { signal } = new AbortController();
    const found = await knowledgeSearch(kb, options).call({ query: 'pump', where: ['draft=true'] }, signal);
    expect(JSON.stringify(found.data)).toMatch(/b\.md/u);
    expect(JSON.stringify(found.data)).not.toMatch(/a\.md|c\.md/u);
    const listed = await knowledgeEnumerate(kb, options).call({ where: ['status=beta'] }, signal);
    expect(listed.data).toMatchObject({ total: 1 });
    const wrong = knowledgeSearch(kb, options).call({ query: 'pump', where: ['draft'] }, signal);
    await expect(wrong).rejects.toThrow(/key=value/u);
  });
});

test('a filter is a key, an equal sign and a value', () => {
  expect(parseFieldFilter('a.b=c=d e')).toEqual({ key: 'a.b', value: 'c=d e' });
  for (const text of ['', 'a', '=b', 'a=', 'a b=c']) expect(parseFieldFilter(text)).toBeUndefined();
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openForReading } from '../../src/store/index-file.ts';
import { readOrigin } from '../../src/store/origin.ts';
import { TestBase } from '../support/knowledge-base.ts';

const PAGE = "# What's new\n\nHarbour masters read this.\n";

/** A knowledge base `docs` from a file whose settings below `knowledge` are given. */
async function ingested(files: Readonly<Record<string, string>>, settings: string): Promise<TestBase> {
  const base = new TestBase(files);
  const file = join(base.home, 'docs.yaml');
  writeFileSync(file, `harness:\n  knowledge:\n    paths: [docs]\n${settings}`);
  await base.ingest({ kb: file });
  return base;
}

function urls(base: TestBase): Promise<(string | undefined)[]> {
  return base.use(async (kb) => (await kb.outline({ limit: 99 })).entries.map(({ url }) => url));
}

describe('links to published pages', () => {
  test('come from the site of the knowledge-base file, with its anchors', async () => {
    const base = await ingested(
      { 'Setup.md': PAGE, 'two.md': `---\nslug: second\n---\n${PAGE}` },
      '    site: { generator: vitepress, base_url: "https://h.example/guide" }\n',
    );
    expect(await urls(base)).toEqual([
      'https://h.example/guide/Setup.html#what-s-new',
      'https://h.example/guide/two.html#what-s-new',
    ]);
    const index = openForReading(base.indexPath);
    expect(readOrigin(index)?.anchors).toMatchObject([{ rule: 'vitepress', by: 'configuration' }]);
    index.close();
    const found = await base.use((kb) => kb.search({ text: 'harbour masters' }));
    expect(found.hits.map(({ url }) => url)).toContain('https://h.example/guide/Setup.html#what-s-new');
    const opened = await base.use((kb) => kb.open('Setup.md'));
    expect(opened).toMatchObject({ sections: [{ url: 'https://h.example/guide/Setup.html#what-s-new' }] });
  });

  test('follow front matter, and fall to the next site where a page is not published', async () => {
    const base = await ingested(
      {
        'content/a.md': `+++\nurl = "/elsewhere/"\n+++\n${PAGE}`,
        'content/b.md': `---\ndraft: true\n---\n${PAGE}`,
        'content/c.md': PAGE,
      },
      [
        "    citations: [{ pattern: '^docs/content/c', replace: 'https://c.example/$1' }]\n".replace(
          '$1',
          '',
        ),
        '    sites:\n',
        '      - { generator: hugo, base_url: "https://h.example/", path: docs/content }\n',
        '      - { generator: github, base_url: "https://code.example/main/", path: docs }\n',
      ].join(''),
    );
    expect(await urls(base)).toEqual([
      'https://h.example/elsewhere/#whats-new',
      'https://code.example/main/content/b.md#whats-new',
      'https://c.example/',
    ]);
  });

  test('are counted by doctor, which warns where there is none', async () => {
    const settings = (path: string) =>
      `    site: { generator: mkdocs, base_url: "https://h.example/", path: ${path} }\n`;
    const checkOf = async (base: TestBase) =>
      (await base.use((kb) => kb.doctor())).find(({ name }) => name === 'links');
    const files = { 'guide/a.md': PAGE, 'notes.md': PAGE };
    expect(await checkOf(await ingested(files, settings('docs/guide')))).toEqual({
      name: 'links',
      status: 'ok',
      text: '1 of 2 documents have a published page',
    });
    expect(await checkOf(await ingested(files, settings('elsewhere')))).toMatchObject({ status: 'warn' });
    expect(await checkOf(await ingested(files, ''))).toBeUndefined();
  });

  test('change with the file, without another ingest', async () => {
    const base = await ingested(
      { 'a.md': PAGE },
      '    site: { generator: mkdocs, base_url: "https://h.example/" }\n',
    );
    const file = join(base.home, 'docs.yaml');
    const settings = 'paths: [docs], site: { generator: mkdocs, base_url: "https://new.example/" }';
    writeFileSync(file, `harness: { knowledge: { ${settings} } }\n`);
    expect(await urls(base)).toEqual(['https://new.example/a/#whats-new']);
  });
});

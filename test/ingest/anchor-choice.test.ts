import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openForReading } from '../../src/store/index-file.ts';
import { readOrigin } from '../../src/store/origin.ts';
import { statuses, TestBase } from '../support/knowledge-base.ts';

/** What was decided, as the index remembers it. */
function choice(base: TestBase) {
  const index = openForReading(base.indexPath);
  try {
    return readOrigin(index)?.anchors;
  } finally {
    index.close();
  }
}

function anchorsOf(base: TestBase, path: string): Promise<string[]> {
  return base.use((kb) => {
    const found = kb.open(path);
    return found.status === 'found' ? found.sections.map(({ section }) => section.anchors[0] ?? '') : [];
  });
}

const PAGE = "# What's new?\n\nwords\n";

describe('anchors: auto', () => {
  test.each([
    ['mkdocs.yml', 'site_name: x\n', 'mkdocs'],
    [
      'mkdocs.yml',
      'plugins:\n  - blog:\n      post_slugify: !!python/name:pymdownx.slugs.uslugify\n',
      'mkdocs',
    ],
    [
      'mkdocs.yml',
      'markdown_extensions:\n  - toc:\n      slugify: !!python/name:pymdownx.slugs.uslugify\n',
      'pymdownx',
    ],
    ['hugo.toml', 'title = "x"\n', 'hugo'],
    [
      'config.toml',
      'baseURL = "/"\n[markup.goldmark.parser]\nautoHeadingIDType = "blackfriday"\n',
      'blackfriday',
    ],
    ['config.toml', 'base_url = "/"\n', 'zola'],
    ['config.toml', '[server]\nport = 1\n', 'github'],
    ['_config.yml', 'title: x\n', 'kramdown'],
    ['docusaurus.config.ts', 'export default {};\n', 'github'],
    ['astro.config.mjs', 'export default {};\n', 'github'],
    ['docs.json', '{"navigation": []}\n', 'github'],
    ['book.toml', '[book]\n', 'mdbook'],
    ['.vitepress/config.ts', 'export default {};\n', 'vitepress'],
    ['conf.py', 'extensions = []\n', 'myst'],
    ['docfx.json', '{}\n', 'docfx'],
    ['.gitbook.yaml', 'root: ./\n', 'gitbook'],
  ])('finds the generator by %s: %j', async (name, text, rule) => {
    const base = new TestBase({ 'page.md': PAGE, [name]: text });
    await base.ingest();
    expect(choice(base)).toMatchObject([{ path: '', rule }]);
  });

  test.each([
    ['{: .note }\n', 'kramdown'],
    ['{{< figure src="x" >}}\n', 'hugo'],
    ['!!! note\n    words\n', 'mkdocs'],
    ['::: info\nwords\n:::\n', 'vitepress'],
    ['{{#include x.rs}}\n', 'mdbook'],
    ['(label)=\n', 'myst'],
    ['{% hint style="info" %}\n', 'gitbook'],
    ['See [[other note]].\n', 'obsidian'],
    ['```\n[[ -f x ]] && exit\n```\n', 'github'],
    ['<Tabs>\n\nwords\n\n</Tabs>\n', 'github'],
  ])('finds the generator by the spelling of its pages: %j', async (source, rule) => {
    const base = new TestBase({ 'page.md': `${PAGE}\n${source}` });
    await base.ingest();
    expect(choice(base)).toMatchObject([{ path: '', rule }]);
  });

  test('believes the links where they clearly speak against the configuration, and says how many it resolves', async () => {
    const links = '[a](#what-s-new) [b](two.md#it-s-old) [c](two.md#gone)\n';
    const base = new TestBase({
      '_config.yml': '',
      'page.md': PAGE + links,
      'two.md': "# It's old\n\nwords\n",
    });
    await base.ingest();
    expect(choice(base)).toEqual([{ path: '', rule: 'vitepress', by: 'links', links: 3, resolved: 2 }]);
    expect(await anchorsOf(base, 'page.md')).toEqual(['what-s-new']);
    const checks = await base.use((kb) => kb.doctor());
    expect(checks.find(({ name }) => name === 'anchors')).toEqual({
      name: 'anchors',
      status: 'warn',
      text: 'vitepress (by its links); resolves 2 of the 3 links to headings',
    });
  });

  test('one link that fits another rule proves nothing', async () => {
    const base = new TestBase({ '_config.yml': '', 'page.md': `${PAGE}[a](#what-s-new)\n` });
    await base.ingest();
    expect(choice(base)).toMatchObject([{ rule: 'kramdown', by: 'configuration' }]);
  });

  test('gives a folder that is a site of its own its own rule', async () => {
    const base = new TestBase({
      'one/book.toml': '[book]\n',
      'one/page.md': '# 2 `A`\n\nwords\n',
      'two/mkdocs.yml': 'site_name: x\n',
      'two/page.md': '# Größe\n\nwords\n',
    });
    await base.ingest();
    expect(choice(base)).toMatchObject([
      { path: '', rule: 'github' },
      { path: 'one', rule: 'mdbook' },
      { path: 'two', rule: 'mkdocs' },
    ]);
    expect(await anchorsOf(base, 'two/page.md')).toEqual(['groe']);
    const checks = await base.use((kb) => kb.doctor());
    expect(checks.filter(({ name }) => name === 'anchors').map(({ text }) => text)).toEqual([
      'github',
      'one: mdbook (by its configuration)',
      'two: mkdocs (by its configuration)',
    ]);
  });
});

describe('a rule that is settled', () => {
  test('is decided again by a run that brings the first links, over pages that did not change', async () => {
    const base = new TestBase({ 'one.md': PAGE, 'two.md': "# It's old\n\nwords\n" });
    await base.ingest();
    expect(choice(base)).toEqual([{ path: '', rule: 'github', by: 'default', links: 0, resolved: 0 }]);
    base.write({ 'three.md': '[a](one.md#what-s-new) [b](two.md#it-s-old)\n' });
    const report = await base.ingest();
    expect(statuses(report)).toEqual({ 'one.md': 'unchanged', 'two.md': 'unchanged', 'three.md': 'indexed' });
    expect(choice(base)).toEqual([{ path: '', rule: 'vitepress', by: 'links', links: 2, resolved: 2 }]);
    expect(await anchorsOf(base, 'two.md')).toEqual(['it-s-old']);
  });

  test('stays while the links that decided outnumber those of the run', async () => {
    const base = new TestBase({ 'one.md': `${PAGE}[a](#whats-new) [b](#gone)\n`, 'two.md': "# It's old\n" });
    await base.ingest();
    base.write({ 'two.md': "# It's old\n\n[a](#it-s-old) [b](one.md#what-s-new)\n" });
    await base.ingest();
    expect(choice(base)).toMatchObject([{ rule: 'github', links: 2 }]);
  });

  test('does not hinder a path that is added later from having its own', async () => {
    const base = new TestBase({
      'docs/page.md': PAGE,
      'book/book.toml': '[book]\n',
      'book/page.md': '# 2 A\n',
    });
    const file = join(base.home, 'both.yaml');
    const configure = (paths: string) =>
      writeFileSync(file, `harness: { knowledge: { paths: [${paths}] } }\n`);
    configure('docs/docs');
    await base.ingest({ kb: file });
    configure('docs/docs, docs/book');
    await base.ingest({ kb: file });
    const index = openForReading(join(base.home, 'indexes/both.db'));
    expect(readOrigin(index)?.anchors).toMatchObject([
      { path: 'docs/docs', rule: 'github' },
      { path: 'docs/book', rule: 'mdbook' },
    ]);
    index.close();
  });

  test('holds for a path that was part of a wider one', async () => {
    const links = '[a](#what-s-new) [b](two.md#it-s-old)\n';
    const base = new TestBase({ 'in/page.md': PAGE + links, 'in/two.md': "# It's old\n\nwords\n" });
    const file = join(base.home, 'both.yaml');
    const configure = (paths: string) =>
      writeFileSync(file, `harness: { knowledge: { paths: [${paths}] } }\n`);
    configure('docs');
    await base.ingest({ kb: file });
    configure('docs/in');
    await base.ingest({ kb: file });
    const index = openForReading(join(base.home, 'indexes/both.db'));
    expect(readOrigin(index)?.anchors).toMatchObject([{ path: 'docs/in', rule: 'vitepress', by: 'links' }]);
    index.close();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileSites, siteUrl } from '../../src/config/site-url.ts';
import type { Json } from '../../src/core/chat.ts';
import { SITE_GENERATORS, type SiteConfig, type SiteGenerator } from '../../src/core/config.ts';

const BASE = 'https://h.example/base/';

interface Options extends Partial<SiteConfig> {
  readonly anchor?: string;
  readonly paths?: readonly string[];
}

/** Below {@link BASE}; undefined where there is no page. */
function page(
  generator: SiteGenerator,
  path: string,
  metadata: Readonly<Record<string, Json>> = {},
  { anchor, paths = [''], ...site }: Options = {},
): string | undefined {
  const [compiled] = compileSites([{ generator, baseUrl: BASE, ...site }], paths);
  const url = compiled === undefined ? undefined : siteUrl(path, metadata, anchor, compiled);
  const base = site.baseUrl ?? BASE;
  expect(url?.startsWith(base) ?? true).toBe(true);
  return url?.slice(base.length);
}

describe('the page of a document', () => {
  test.each<[SiteGenerator, string, string | undefined]>([
    ['docusaurus', 'docs/intro.md', 'intro'],
    ['docusaurus', 'docs/01-First Steps/02.setup.mdx', 'First%20Steps/setup'],
    ['docusaurus', 'docs/2024-01-02-news.md', '2024-01-02-news'],
    ['docusaurus', 'docs/7.0-changes.md', '7.0-changes'],
    ['docusaurus', 'docs/guide/index.md', 'guide/'],
    ['docusaurus', 'docs/guide/README.md', 'guide/'],
    ['docusaurus', 'docs/guide/Guide.md', 'guide/'],
    ['docusaurus', 'docs/_part.md', undefined],
    ['docusaurus', 'docs/_parts/a.md', undefined],
    ['starlight', 'src/content/docs/index.mdx', ''],
    ['starlight', 'src/content/docs/de/Über uns.mdx', 'de/%C3%BCber-uns/'],
    ['mkdocs', 'docs/index.md', ''],
    ['mkdocs', 'docs/Setup/First Steps.md', 'Setup/First%20Steps/'],
    ['mkdocs', 'docs/Setup/README.md', 'Setup/'],
    ['hugo', 'content/_index.md', ''],
    ['hugo', 'content/time/Format.md', 'time/format/'],
    ['hugo', 'content/docs/My  Page - two, three.md', 'docs/my-page-two-three/'],
    ['hugo', 'content/docs/C++.md', 'docs/c%2B%2B/'],
    ['hugo', 'content/docs/bundle/index.md', 'docs/bundle/'],
    ['hugo', 'content/docs/page.fr.md', 'fr/docs/page/'],
    ['hugo', 'content/docs/page.en.md', 'docs/page/'],
    ['hugo', 'content/docs/vue.js.md', 'docs/vue.js/'],
    ['hugo', 'content/_common/part.md', undefined],
    ['jekyll', 'index.md', ''],
    ['jekyll', 'docs/a b.markdown', 'docs/a%20b.html'],
    ['jekyll', 'docs/README.md', 'docs/'],
    ['jekyll', '_guides/start.md', 'guides/start.html'],
    ['jekyll', '_posts/2018-01-02-kb-1.0-is_Out.md', '2018/01/02/kb-1.0-is_Out.html'],
    ['jekyll', 'news/_posts/2018-1-2-out.md', 'news/2018/01/02/out.html'],
    ['jekyll', '_posts/no-date.md', undefined],
    ['jekyll', '_includes/a.md', undefined],
    ['jekyll', 'docs/_part.md', undefined],
    ['vitepress', 'docs/index.md', ''],
    ['vitepress', 'docs/guide/start.md', 'guide/start.html'],
    ['vitepress', 'docs/guide/[id].md', undefined],
    ['vuepress', 'docs/guide/README.md', 'guide/'],
    ['mdbook', 'src/ch01-00-start.md', 'ch01-00-start.html'],
    ['mdbook', 'src/part/README.md', 'part/'],
    ['mdbook', 'src/SUMMARY.md', undefined],
    ['zola', 'content/blog/_index.md', 'blog/'],
    ['zola', 'content/blog/2020-01-02-Grüße Welt.md', 'blog/grusse-welt/'],
    ['zola', 'content/blog/hello.fr.md', 'fr/blog/hello/'],
    ['sphinx', 'docs/source/usage/setup.md', 'usage/setup.html'],
    ['sphinx', 'docs/index.md', ''],
    ['docfx', 'articles/setup.md', 'setup.html'],
    ['gitbook', 'guide/README.md', 'guide'],
    ['gitbook', 'guide/set-up.md', 'guide/set-up'],
    ['mintlify', 'guide/index.mdx', 'guide'],
    ['mintlify', 'snippets/part.mdx', undefined],
    ['nextra', 'pages/guide/start.mdx', 'guide/start'],
    ['eleventy', 'guide/start.md', 'guide/start/'],
    ['docsify', 'guide/start.md', '#/guide/start'],
    ['docsify', 'guide/README.md', '#/guide/'],
    ['docsify', '_sidebar.md', undefined],
    ['obsidian', 'My notes/A & b+c.md', 'My+notes/A+%26+b%2Bc'],
    ['quartz', 'content/My notes/A & b.md', 'My-notes/A--and--b'],
    ['github', 'docs/a#b (c).md', 'docs/a%23b%20%28c%29.md'],
    ['github-wiki', 'Home.md', ''],
    ['github-wiki', 'Set up.md', 'Set-up'],
    ['github-wiki', '_Sidebar.md', undefined],
  ])('of %s: %s', (generator, path, wanted) => {
    expect(page(generator, path)).toBe(wanted);
  });

  test.each<[SiteGenerator, string, Readonly<Record<string, Json>>, string | undefined]>([
    ['docusaurus', 'docs/a/b.md', { slug: '/x/y' }, 'x/y'],
    ['docusaurus', 'docs/a/b.md', { slug: 'y' }, 'a/y'],
    ['docusaurus', 'docs/a/b.md', { id: 'c' }, 'a/c'],
    ['docusaurus', 'docs/a/b.md', { draft: true }, undefined],
    ['starlight', 'src/content/docs/a/b.md', { slug: 'x/y' }, 'x/y'],
    ['hugo', 'content/a/b.md', { slug: 'New Name' }, 'a/new-name/'],
    ['hugo', 'content/a/b/index.md', { slug: 'c' }, 'a/c/'],
    ['hugo', 'content/a/_index.md', { slug: 'c' }, 'a/'],
    ['hugo', 'content/a/b.md', { url: '/x/y/' }, 'x/y/'],
    ['hugo', 'content/a/b.md', { headless: true }, undefined],
    ['hugo', 'content/a/b.md', { build: { render: 'never' } }, undefined],
    ['jekyll', '_docs/assets.md', { permalink: '/docs/assets/' }, 'docs/assets/'],
    ['jekyll', 'a/b.md', { permalink: '/:path/:basename.htm' }, 'a/b/b.htm'],
    ['jekyll', 'a/b.md', { permalink: 'pretty' }, 'a/b/'],
    ['jekyll', '_docs/x/b.md', { permalink: '/:collection/:path:output_ext' }, 'docs/x/b.html'],
    [
      'jekyll',
      '_posts/2018-01-02-a.md',
      { categories: 'News Big', category: 'Odd One' },
      'news/big/odd-one/2018/01/02/a.html',
    ],
    ['jekyll', '_posts/2018-01-02-a.md', { permalink: '/:year/:i_month/:slug/' }, '2018/1/a/'],
    ['jekyll', '_posts/2018-01-02-a.md', { permalink: '/:unknown/' }, undefined],
    ['jekyll', 'a.md', { published: false }, undefined],
    ['jekyll', 'a.md', { published: '2021-04-17' }, 'a.html'],
    ['zola', 'content/a/b.md', { path: '/x/y' }, 'x/y'],
    ['zola', 'content/a/b.md', { slug: 'c' }, 'a/c/'],
    ['obsidian', 'A b.md', { permalink: 'help/a b' }, 'help/a+b'],
    ['obsidian', 'A b.md', { publish: false }, undefined],
    ['mkdocs', 'docs/a.md', { url: '/x/', slug: 'y', permalink: '/z/' }, 'a/'],
    ['hugo', 'content/a.md', { url: 'https://evil.example/' }, 'a/'],
    ['hugo', 'content/a.md', { url: '//evil.example/x' }, 'a/'],
    ['jekyll', 'a.md', { permalink: '/%2e%2e/%2e%2e/../bad.html' }, 'bad.html'],
    ['jekyll', 'a.md', { permalink: '/x%2F..%2F..%2Fy\\z' }, 'y%5Cz'],
    ['hugo', 'content/a.md', { slug: 7 }, '7/'],
    ['hugo', 'content/a.md', { slug: '', url: null }, 'a/'],
  ])('of %s: %s with %j', (generator, path, metadata, wanted) => {
    expect(page(generator, path, metadata)).toBe(wanted);
  });

  test('ends as the site says', () => {
    expect(page('mkdocs', 'docs/a.md', {}, { ending: 'html' })).toBe('a.html');
    expect(page('vitepress', 'docs/a.md', {}, { ending: 'none' })).toBe('a');
    expect(page('sphinx', 'docs/a.md', {}, { ending: 'slash' })).toBe('a/');
  });

  test.each<[string, string | undefined, readonly string[], string]>([
    ['repo/docs/guide/a.md', undefined, ['repo/docs/guide'], 'guide/a/'],
    ['repo/docs/guide/a.md', undefined, ['repo'], 'guide/a/'],
    ['repo/docs/a.md', undefined, ['repo/docs/a.md'], 'a/'],
    ['repo/guide/a.md', undefined, ['repo/guide'], 'a/'],
    ['repo/guide/docs/a.md', undefined, ['repo'], 'guide/docs/a/'],
    ['repo/docs/guide/a.md', 'repo/docs/guide', ['repo'], 'a/'],
    ['repo/docs/guide/a.md', './repo/', ['repo'], 'docs/guide/a/'],
  ])('%s of the folder %j, where %j is configured, is %s', (path, folder, paths, wanted) => {
    expect(page('mkdocs', path, {}, { paths, ...(folder === undefined ? {} : { path: folder }) })).toBe(
      wanted,
    );
  });

  test('is none for a document outside the site’s folder', () => {
    expect(page('mkdocs', 'docs-old/a.md', {}, { path: 'docs' })).toBeUndefined();
  });

  test('whose address is counted from the root of the host keeps the base only once', () => {
    const site = { path: 'content/en/docs', baseUrl: 'https://h.example/docs/' };
    expect(page('hugo', 'content/en/docs/a.md', { url: '/docs/x/' }, site)).toBe('x/');
    expect(page('hugo', 'content/en/docs/a.md', { url: '/x/' }, site)).toBe('x/');
  });

  test('goes on to the anchor as its host has it', () => {
    expect(page('mkdocs', 'docs/a.md', {}, { anchor: 'größe 1' })).toBe('a/#gr%C3%B6%C3%9Fe%201');
    expect(page('obsidian', 'a.md', {}, { anchor: 'Set up' })).toBe('a#Set+up');
    expect(page('docsify', 'a.md', {}, { anchor: 'set-up' })).toBe('#/a?id=set-up');
    expect(page('mkdocs', 'docs/a.md', {}, { anchor: '' })).toBe('a/');
  });

  test('is below the base whatever a path and its front matter hold', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('..', '%2e%2e/', '/../..', 'https://evil.example', '\\\\x'),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...SITE_GENERATORS),
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.dictionary(fc.constantFrom('slug', 'url', 'permalink', 'id', 'path', 'categories'), text),
        text,
        (generator, parts, metadata, anchor) => {
          const found = page(generator, `${parts.join('/')}.md`, metadata, { anchor });
          const url = found === undefined ? undefined : new URL(BASE + found);
          expect(url === undefined || url.href.startsWith(BASE)).toBe(true);
          expect(url?.href ?? '').not.toMatch(/["'<>\s()]/u);
        },
      ),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { detectAnchorRule, pageOfSite } from '../../src/markdown/detect-anchor-rule.ts';
import { LinkResolver } from '../../src/markdown/link-resolver.ts';
import { parseDocument } from '../../src/markdown/parse-document.ts';

function pages(files: Record<string, string>) {
  return Object.entries(files).map(([path, text]) =>
    pageOfSite(parseDocument(text, { path }), { rule: 'github', asksSpelling: true }),
  );
}

describe('detectAnchorRule', () => {
  test('takes the rule that resolves more of the pages’ own links', () => {
    const dashes = '# --all\n\n# A -- B\n\ntext\n';
    const github = detectAnchorRule(pages({ 'a.md': '[x](b.md#--all) [y](b.md#a----b)\n', 'b.md': dashes }));
    expect(github).toMatchObject({ rule: 'github', links: 2, resolved: 2 });
    const kramdown = detectAnchorRule(
      pages({ 'a.md': '[x](b.html#all) [y](b.html#a--b)\n', 'b.md': dashes }),
    );
    expect(kramdown).toMatchObject({
      rule: 'kramdown',
      by: 'links',
      links: 2,
      resolved: 2,
    });
  });

  test('of equals takes kramdown where pages are written for it, else github', () => {
    expect(detectAnchorRule(pages({ 'a.md': '# A\n\n[x](#a)\n' })).rule).toBe('github');
    expect(detectAnchorRule(pages({ 'a.md': '# A\n\n[x](#a)\n{: .note }\n' })).rule).toBe('kramdown');
    expect(detectAnchorRule([])).toMatchObject({ rule: 'github', by: 'default', links: 0 });
  });

  test('counts only links whose page is there, and compares fragments decoded', () => {
    const found = detectAnchorRule(
      pages({ 'a.md': '# Größe\n\n[x](#gr%C3%B6%C3%9Fe) [y](gone.md#z) [w](#%E0%A4%A)\n' }),
    );
    expect(found).toMatchObject({ rule: 'github', links: 2, resolved: 1 });
  });
});

describe('links resolve', () => {
  const resolver = new LinkResolver([
    'docs/_guide_2x/install.markdown',
    'docs/_guide_2x/index.md',
    'docs/_other_1x/install.md',
    'docs/_other_1x/tools/README.md',
    'docs/_guide_2x/a b.html.md',
    'docs/_guide_2x/é.md',
  ]);

  test.each([
    ['', 'docs/_guide_2x/index.md'],
    ['install.html', 'docs/_guide_2x/install.markdown'],
    ['./install', 'docs/_guide_2x/install.markdown'],
    ['install.md?view=1', 'docs/_guide_2x/install.markdown'],
    ['../_other_1x/tools/', 'docs/_other_1x/tools/README.md'],
    ['a%20b.html', 'docs/_guide_2x/a b.html.md'],
    ['e\u0301.md', 'docs/_guide_2x/é.md'],
    ['/guide/latest/install.html', 'docs/_guide_2x/install.markdown'],
    ['/other/latest/install.html', 'docs/_other_1x/install.md'],
    ['/other/latest/tools/', 'docs/_other_1x/tools/README.md'],
  ])('%j', (target, path) => {
    expect(resolver.resolve('docs/_guide_2x/index.md', target)).toBe(path);
  });

  test.each(['missing.md', '../../../../etc/passwd', '/elsewhere/install.html', '%zz'])(
    'nowhere: %j',
    (target) => {
      expect(resolver.resolve('docs/_guide_2x/index.md', target)).toBeUndefined();
    },
  );
});

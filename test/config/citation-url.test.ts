// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${anchor} is a placeholder of the file format
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { citationUrl, compileCitationRule, compileCitationRules } from '../../src/config/citation-url.ts';
import { isKbError } from '../../src/core/errors.ts';

const SITE = compileCitationRules([
  { pattern: '^docs/_a/(.+).(markdown|md)$', replace: 'https://site.example/a/latest/$1.html#${anchor}' },
  { pattern: '^docs/(.+)$', replace: 'https://site.example/raw/$1' },
]);

function url(replace: string, path: string, anchor?: string, pattern = '^(.+)\\.md$'): string | undefined {
  return citationUrl(path, anchor, compileCitationRules([{ pattern, replace }]));
}

describe('a citation URL', () => {
  test('comes from the first rule that matches', () => {
    expect(citationUrl('docs/_a/x/y.markdown', 'top', SITE)).toBe(
      'https://site.example/a/latest/x/y.html#top',
    );
    expect(citationUrl('docs/_b/x.md', 'top', SITE)).toBe('https://site.example/raw/_b/x.md');
    expect(citationUrl('other/x.md', 'top', SITE)).toBeUndefined();
  });

  test.each([undefined, ''])('has no fragment where the section has no anchor (%j)', (anchor) => {
    expect(citationUrl('docs/_a/x.md', anchor, SITE)).toBe('https://site.example/a/latest/x.html');
    expect(url('https://h.example/$1#user-content-${anchor}-x', 'a.md', anchor)).toBe('https://h.example/a');
    expect(url('https://h.example/$1?at=${anchor}', 'a.md', anchor)).toBe('https://h.example/a?at=');
  });

  test.each([
    ['a b.md', 'https://h.example/d/a%20b'],
    ['a#b?c%20.md', 'https://h.example/d/a%23b%3Fc%2520'],
    ['ü/文.md', 'https://h.example/d/%C3%BC/%E6%96%87'],
    ['a_(b)\'"<>.md', 'https://h.example/d/a_%28b%29%27%22%3C%3E'],
    ['a\\b.md', 'https://h.example/d/a%5Cb'],
    ['a&b=c@d:e,f.md', 'https://h.example/d/a%26b=c@d:e,f'],
    ['\ud800.md', 'https://h.example/d/%EF%BF%BD'],
    ['../../../etc.md', 'https://h.example/d/etc'],
    ['a/../../b/./c.md', 'https://h.example/d/b/c'],
    ['//evil.example/a.md', 'https://h.example/d///evil.example/a'],
  ])('encodes the path %j', (path, expected) => {
    expect(url('https://h.example/d/$1', path)).toBe(expected);
  });

  test.each([
    ['plain-1', 'plain-1'],
    ['Foo::Bar', 'Foo::Bar'],
    ['größe', 'gr%C3%B6%C3%9Fe'],
    ['a b"<c>', 'a%20b%22%3Cc%3E'],
    ['a#b%', 'a%23b%25'],
    ['(x)', '%28x%29'],
  ])('encodes the anchor %j', (anchor, expected) => {
    expect(url('https://h.example/$1#${anchor}', 'a.md', anchor)).toBe(`https://h.example/a#${expected}`);
  });

  test('fills in as many groups as the pattern has, an absent one empty', () => {
    expect(url('https://h.example/$2/$1/$11$$', 'a-b', undefined, '^(a)-(b)(c)?$')).toBe(
      'https://h.example/b/a/a1$',
    );
    expect(url('https://h.example/$3', 'a-b', undefined, '^(a)-(b)(c)?$')).toBe('https://h.example/');
  });

  test('reads patterns that only the older syntax allows', () => {
    expect(url('https://h.example/$1', 'a-b.md', undefined, '^(a\\-b)\\.md$')).toBe('https://h.example/a-b');
  });

  test('never leaves the host and folder its rule wrote out, whatever the path', () => {
    const piece = fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      '%2e',
      'a',
      '@',
      ':',
      '?',
      '#',
      '//',
      ' ',
      'é',
      '\ud800',
      '&',
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const rules = ['$1', '.$1', '$1.', '.$1/$1', 'x$1#${anchor}', '$1?q=$1'].map((end) =>
      compileCitationRules([{ pattern: '^(.*)$', replace: `https://h.example/docs/${end}` }]),
    );
    fc.assert(
      fc.property(text, text, fc.constantFrom(...rules), (path, anchor, rule) => {
        const found = citationUrl(path, anchor, rule);
        if (found === undefined) return;
        expect(new URL(found).host).toBe('h.example');
        expect(new URL(found).pathname).toMatch(/^\/docs\//u);
        expect(found).toMatch(/^[\x21-\x7e]+$/u);
      }),
    );
  });
});

test('a citation URL holds nothing that ends a link, whatever the rule wrote out', () => {
  const piece = fc.constantFrom(
    '$1',
    '${anchor}',
    '#',
    '?',
    '/',
    '"',
    "'",
    ')',
    '](',
    '<b>',
    '`',
    '|',
    '\\',
    ' ',
    'onclick=x',
    '..',
    '\ud800',
    'é',
    '&',
    '{',
  );
  const end = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(end, fc.constantFrom('a.md', 'x/(y)\'"<.md'), (text, path) => {
      const compiled = compileCitationRule({ pattern: '^(.+)$', replace: `https://h.example/d/${text}` });
      if (!('rule' in compiled)) return;
      const found = citationUrl(path, 'top"x', [compiled.rule]);
      if (found === undefined) return;
      expect(found).toMatch(/^https:\/\/h\.example\/[^\s"'()[\]{}<>|\\^`]*$/u);
      expect(found).toMatch(/^[\x21-\x7e]+$/u);
    }),
  );
});

describe('a citation rule', () => {
  test.each([
    ['(', 'https://h.example/', 'pattern'],
    ['a'.repeat(501), 'https://h.example/', 'pattern'],
    ['a', 'https://h.example/$1', 'replace'],
    ['(a)', 'https://h.example/$9', 'replace'],
    ['(a)', 'https://h.example/$0', 'replace'],
    ['(a)', 'https://h.example/$&', 'replace'],
    ['(a)', 'https://h.example/${anchr}', 'replace'],
    ['(a)', 'https://$1.example/', 'replace'],
    ['(a)', 'https://h.example$1', 'replace'],
    ['(a)', 'https://u:p@h.example/$1', 'replace'],
    ['(a)', 'https://h.example:99999/$1', 'replace'],
    ['(a)', 'javascript:alert($1)//', 'replace'],
    ['(a)', 'JavaScript:alert($1)//', 'replace'],
    ['(a)', 'data:text/html,<b>$1', 'replace'],
    ['(a)', 'https://h.example/\n$1', 'replace'],
    ['(a)', 'https://h.example/\u001b[31m$1', 'replace'],
    ['(a)', 'https://h.example/\u202e$1', 'replace'],
    ['(a)', 'https://h.example\\@evil.example/$1', 'replace'],
    ['(a)', '$1', 'replace'],
    ['(a)', '/docs/$1', 'replace'],
  ])('with pattern %j and replacement %j has a problem', (pattern, replace, key) => {
    expect(compileCitationRule({ pattern, replace })).toMatchObject({ key, problem: expect.any(String) });
  });

  test('that is not valid is a configuration error, not a crash', () => {
    try {
      compileCitationRules([{ pattern: '(', replace: 'x' }]);
      expect.unreachable();
    } catch (error) {
      expect(isKbError(error, 'config-invalid')).toBe(true);
    }
  });
});

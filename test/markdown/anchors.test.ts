import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { describe, expect, test } from 'vitest';
import { assignAnchors } from '../../src/markdown/anchors.ts';
import { parseDocument } from '../../src/markdown/parse-document.ts';

function anchors(markdown: string, rule: 'github' | 'kramdown') {
  return assignAnchors(parseDocument(markdown, { path: 'page.md' }), rule);
}

function headings(titles: readonly string[]): string {
  return titles.map((title) => `## ${title}\n\ntext\n\n`).join('');
}

describe('assignAnchors', () => {
  test('puts ids of the heading first, keeps several, and gives labels to the heading that follows', () => {
    const page = readFileSync(join(import.meta.dirname, 'fixtures/anchors.page.txt'), 'utf8');
    expect(anchors(page, 'kramdown')).toEqual([
      [],
      ['garden', 'top', 'start', 'inside', 'bold'],
      ['raised-beds', 'beds', 'paragraph'],
      ['spade', 'old-tools', 'older-tools', 'tools---dig--more', 'tools-for-two', 'tools'],
      ['last', 'tools-1'],
      ['before'],
      ['latest-version'],
      ['price-in-euro'],
      ['price-in-euro-1'],
    ]);
  });

  test('by the github rule are github-slugger’s', () => {
    const titles = [
      '😄 Hi',
      ':smile: Hi',
      'Deploy 🚀',
      'Deploy 🚀',
      'a',
      'a-1',
      'a',
      '--name',
      'C#',
      'Über 手順',
      'a  b',
      '`$?`',
    ];
    const slugger = new GithubSlugger();
    const wanted = titles.map((title) => slugger.slug(title.replaceAll('`', '')));
    expect(anchors(headings(titles), 'github').map((list) => list[0] ?? '')).toEqual(wanted);
    expect(wanted.slice(0, 3)).toEqual(['-hi', 'smile-hi', 'deploy-']);
  });

  test.each([
    [
      ['Syntax', 'Syntax', 'Syntax'],
      ['syntax', 'syntax-1', 'syntax-2'],
    ],
    [
      ['a', 'a-1', 'a'],
      ['a', 'a-1', 'a-1'],
    ],
    [
      ['--name', '`--name`', 'a---b', 'a \\-\\- b'],
      ['name', '--name', 'ab', 'a----b'],
    ],
    [
      ['192 abc', 'variable_name', 'abc öúß', 'A\tb'],
      ['192-abc', 'variable_name', 'abc-öúß', 'a-b'],
    ],
    [
      [';.;', ';;', 'text'],
      [undefined, '-1', 'text'],
    ],
    [
      ['`==` (equality)', '[Link](http://a.b/c) text', 'With [ref][r]'],
      ['-equality', 'link-text', 'with-ref'],
    ],
  ])('by the kramdown rule: %j', (titles, wanted) => {
    expect(anchors(`${headings(titles)}[r]: x\n`, 'kramdown').map((list) => list[0])).toEqual(wanted);
  });

  test.each([
    ['inline code, emphasis and escapes', '`a_b` *c* __d__ e\\_f', 'a_b c d e_f', 'a_b-c-d-e_f'],
    ['links and images', '[x](http://y/z) ![img](i.png)', 'x', 'x-'],
    ['tags, their text kept', '`f` <div className="label">Android</div>', 'f Android', 'f-android'],
    [
      'entities and soft hyphens',
      'Komponenten&shy;eigenschaften &amp; more',
      'Komponenteneigenschaften & more',
      'komponenteneigenschaften--more',
    ],
    ['closing marks but not those of a name', 'Use C# ##', 'Use C#', 'use-c'],
    ['undefined references', 'Array [ ] [size]', 'Array [ ] [size]', 'array---size'],
    ['words that look like tags', 'Set <name>', 'Set <name>', 'set-'],
  ])('see the heading without %s', (_, source, text, slug) => {
    const document = parseDocument(`# ${source}\n`, { path: 'page.md' });
    expect(document.headings[0]?.text).toBe(text);
    expect(document.sections[0]?.headings).toEqual([text]);
    expect(assignAnchors(document, 'github')[0]).toEqual([slug]);
  });

  test('count headings in quotes, lists and includes, and give them to the section that holds them', () => {
    const document = parseDocument('# A\n\n> ## B\n\n- ## B\n\n{% include_relative p %}\n\n## B\n', {
      path: 'page.md',
      include: () => '## B\n\nwords\n\n### C {#see}\n',
    });
    expect(assignAnchors(document, 'github')).toEqual([['a', 'see', 'b', 'b-1', 'b-2'], ['b-3']]);
  });

  test('take an id of an attribute in place of the slug, and count no slug for it', () => {
    expect(anchors('## A {#x}\n\n## A\n', 'kramdown')).toEqual([['x'], ['a']]);
    expect(anchors('## A\n{: #x}\n\n## A\n{: .note }\n', 'kramdown')).toEqual([['x'], ['a']]);
    expect(anchors('## <a name="x"></a>A\n\n## A\n', 'kramdown')).toEqual([['x', 'a'], ['a-1']]);
  });

  test.each([
    ['Pandoc, Hugo, VitePress', '## Red tea {#tea}\n', ['tea']],
    ['several items', '## Red tea {#tea .wide data-toc-label="Tea: red" nr=2}\n', ['tea']],
    ['an id with dots, slashes and other letters', '## Red tea {#3.1/чай:a_b}\n', ['3.1/чай:a_b']],
    ['Python-Markdown', '## Red tea { #tea .wide }\n', ['tea']],
    ['id= in double quotes', '## Red tea { id="9.7" .x }\n', ['9.7']],
    ['id= in single quotes, with blanks', "## Red tea {: id = 'tea'}\n", ['tea']],
    ['kramdown', '## Red tea {:#tea .no_toc}\n', ['tea']],
    ['kramdown, on the line after', '## Red tea\n{: .no_toc #tea}\n', ['tea']],
    ['kramdown, on the line before', 'words\n\n{: #tea}\n## Red tea\n', ['tea']],
    ['MDX', '## Red tea {/*tea*/}\n', ['tea']],
    ['Docusaurus', '## Red tea {/* #tea */}\n', ['tea']],
    ['Markdoc', '## Red tea {% #tea .wide %}\n', ['tea']],
    ['brackets at the end', '## Red tea [#tea]\n', ['tea']],
    ['MyST, on the line before', '{#tea}\n## Red tea\n', ['tea']],
    ['a MyST label', '(drinks/red_tea)=\n# Red tea\n', ['drinks-red-tea', 'drinks/red_tea', 'red-tea']],
    ['two MyST labels, blank lines after', '(a)=\n(b)=\n\n## Red tea\n', ['a', 'b', 'red-tea']],
    ['a MyST label of an underlined heading', '(a)=\nRed tea\n-------\n', ['a', 'red-tea']],
    ['a rule of the Rust reference', 'r[drink.tea-red]\n## Red tea\n', ['r-drink.tea-red', 'red-tea']],
    ['an anchor in the heading', '## <a name="tea"></a>Red tea<a id=tee></a>\n', ['tea', 'tee', 'red-tea']],
    ['an anchor before the heading', '<a id="tea"/>\n\n## Red tea\n', ['tea', 'red-tea']],
    [
      'several spans',
      '<span id="tea"></span><span id="tee"></span>\n\n## Red tea\n',
      ['tea', 'tee', 'red-tea'],
    ],
    ['JSX', '<Anchor id={"tea"} />\n\n## Red tea\n', ['tea', 'red-tea']],
  ])('read an id written out: %s', (_, markdown, wanted) => {
    const document = parseDocument(markdown, { path: 'page.md' });
    const index = document.sections.findIndex(({ headings }) => headings.includes('Red tea'));
    expect(assignAnchors(document, 'github')[index]).toEqual(wanted);
    expect(document.sections[index]?.chunks.map(({ text }) => text)).toEqual(['Red tea']);
  });

  test.each([
    ['## Array [0]\n', 'Array [0]', 'array-0'],
    ['## Type [#x][r]\n\n[r]: y\n', 'Type #x', 'type-x'],
    ['## Set {a, b}\n', 'Set {a, b}', 'set-a-b'],
    ['## Use {{ name }}\n', 'Use', 'use'],
    ['## Call f{}\n', 'Call f{}', 'call-f'],
    ['## Define (x)=\n', 'Define (x)=', 'define-x'],
  ])('take no id from %j', (markdown, text, slug) => {
    const document = parseDocument(markdown, { path: 'page.md' });
    expect(document.headings[0]?.text).toBe(text);
    expect(assignAnchors(document, 'github')[0]).toEqual([slug]);
  });

  test('take ids of spans and paragraphs into the section that holds them', () => {
    const page = '# A\n\n[one]{#x .c} and *two*{: #y}, `{#z}`\n{: #p }\n\nr[a.b]\nWords of the rule.\n';
    expect(anchors(page, 'github')).toEqual([['a', 'p', 'x', 'y', 'r-a.b']]);
    const [section] = parseDocument(page, { path: 'page.md' }).sections;
    expect(section?.chunks[0]?.text).toBe('one and two, {#z}\n\nWords of the rule.');
  });

  test('attach a label only when no words stand between it and the heading', () => {
    expect(
      anchors('# A\n\n<a id="x"></a>\nwords\n\n<a id="y"></a>\n<!-- remark -->\n\n## B\n', 'github'),
    ).toEqual([
      ['a', 'x'],
      ['y', 'b'],
    ]);
    expect(anchors('# A\n\nwords\n{: #x }\n\n## B\n', 'github')).toEqual([['a', 'x'], ['b']]);
  });

  test('of a heading without letters are none by the github rule', () => {
    expect(anchors('####\n\n## $$\n\n## `$?`\n', 'github')).toEqual([[], ['-1'], ['-2']]);
  });

  test('are found in linear time on a page with 20,000 equal headings', () => {
    const started = performance.now();
    const lists = anchors('# Same\n'.repeat(20_000), 'github');
    expect(lists.at(-1)).toEqual(['same-19999']);
    expect(performance.now() - started).toBeLessThan(4000);
  });
});

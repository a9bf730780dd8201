import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANCHOR_NAMES, ANCHOR_RULES, type AnchorRule, anchorRuleOf } from '../../src/core/config.ts';
import { assignAnchors, siteAnchors } from '../../src/markdown/anchors.ts';
import { parseDocument } from '../../src/markdown/parse-document.ts';

const TITLES = [
  'Getting Started',
  "What's New?",
  'Getting Started',
  '`config.yml` & --flags',
  '2. Größe über_alles',
  '日本語 手順',
  '???',
  'Getting Started',
];

/** As each generator makes them; '' where it makes none. */
const WANTED: Readonly<Record<AnchorRule, readonly string[]>> = {
  github: [
    'getting-started',
    'whats-new',
    'getting-started-1',
    'configyml----flags',
    '2-größe-über_alles',
    '日本語-手順',
    '',
    'getting-started-2',
  ],
  kramdown: [
    'getting-started',
    'whats-new',
    'getting-started-1',
    'configyml--flags',
    '2-größe-über_alles',
    '日本語-手順',
    '',
    'getting-started-2',
  ],
  mkdocs: [
    'getting-started',
    'whats-new',
    'getting-started_1',
    'configyml-flags',
    '2-groe-uber_alles',
    '_1',
    '_2',
    'getting-started_2',
  ],
  pymdownx: [
    'getting-started',
    'whats-new',
    'getting-started_1',
    'configyml----flags',
    '2-größe-über_alles',
    '日本語-手順',
    '_1',
    'getting-started_2',
  ],
  vitepress: [
    'getting-started',
    'what-s-new',
    'getting-started-1',
    'config-yml-flags',
    '_2-große-uber-alles',
    '日本語-手順',
    '',
    'getting-started-2',
  ],
  mdbook: [
    'getting-started',
    'whats-new',
    'getting-started-1',
    'configyml----flags',
    '2-größe-über_alles',
    '日本語-手順',
    '',
    'getting-started-2',
  ],
  hugo: [
    'getting-started',
    'whats-new',
    'getting-started-1',
    'configyml----flags',
    '2-größe-über_alles',
    '日本語-手順',
    'heading',
    'getting-started-2',
  ],
  blackfriday: [
    'getting-started',
    'what-s-new',
    'getting-started-1',
    'config-yml-flags',
    '2-größe-über-alles',
    '日本語-手順',
    '',
    'getting-started-2',
  ],
  docfx: [
    'getting-started',
    'whats-new',
    'getting-started-1',
    'configyml----flags',
    '2-größe-über_alles',
    '日本語-手順',
    'section',
    'getting-started-2',
  ],
  rails: [
    'getting-started',
    'what-s-new-questionmark',
    'getting-started',
    'config-yml-flags',
    '2-größe-über-alles',
    '日本語-手順',
    'questionmark-questionmark-questionmark',
    'getting-started',
  ],
  nodedoc: [
    'fs_getting_started',
    'fs_what_s_new',
    'fs_getting_started_1',
    'fs_config_yml_flags',
    'fs_2_gr_e_ber_alles',
    'fs',
    'fs_1',
    'fs_getting_started_2',
  ],
  zola: [
    'getting-started',
    'what-s-new',
    'getting-started-1',
    'config-yml-flags',
    '2-grosse-uber-alles',
    '',
    '-1',
    'getting-started-2',
  ],
  myst: ['getting-started', 'what-s-new', 'id1', 'config-yml-flags', 'groe-uber-alles', 'id2', 'id3', 'id4'],
  gitbook: [
    'getting-started',
    'whats-new',
    'getting-started-1',
    'config.yml-flags',
    'id-2.-größe-über_alles',
    '日本語-手順',
    '',
    'getting-started-2',
  ],
  slate: [
    'getting-started',
    'what-s-new',
    'getting-started-2',
    'config-yml-flags',
    '2-grosse-uber_alles',
    'b08d749a23',
    '2d86c2a659',
    'getting-started-3',
  ],
  devsite: [
    'getting_started',
    'whats_new',
    'getting_started_1',
    'configyml_flags',
    '2_groe_uber_alles',
    '',
    '_1',
    'getting_started_2',
  ],
  obsidian: [
    'Getting Started',
    "What's New?",
    'Getting Started 1',
    'config.yml & --flags',
    '2. Größe über_alles',
    '日本語 手順',
    '???',
    'Getting Started 2',
  ],
};

function page(markdown: string) {
  return parseDocument(markdown, { path: 'api/fs.md' });
}

function firsts(markdown: string, rule: AnchorRule): string[] {
  return siteAnchors(page(markdown), rule).map(([first = '']) => first);
}

describe('the anchor rule', () => {
  const markdown = TITLES.map((title) => `## ${title}\n\nwords\n`).join('\n');

  test.each(ANCHOR_RULES)('%s makes ids as its generator does', (rule) => {
    expect(firsts(markdown, rule)).toEqual(WANTED[rule]);
  });

  test.each<[AnchorRule, string, string[]]>([
    ['github', '## A 1\n## A\n## A\n', ['a-1', 'a', 'a-2']],
    ['mdbook', '## A 1\n## A\n## A\n', ['a-1', 'a', 'a-1']],
    ['mkdocs', '## Step_2\n## Step_2\n## Step\n## Step\n', ['step_2', 'step_3', 'step', 'step_1']],
    ['mkdocs', '## A\n## A_2\n## A\n## A\n## A_2\n', ['a', 'a_2', 'a_1', 'a_3', 'a_4']],
    ['hugo', '## See [the map](maps/one.md)\n', ['see-the-mapmapsonemd']],
    ['blackfriday', '## A (b) {#own}\n## --c--\n', ['own', 'c']],
    ['vitepress', '## Emoji :tada: ready\n## Déjà vu\n', ['emoji-ready', 'deja-vu']],
    ['kramdown', '## a -- b\n## `a -- b`\n', ['a--b', 'a----b']],
    ['rails', '# Guide\n## One\n### Same\n## Two\n### Same\n', ['', 'one', 'one-same', 'two', 'two-same']],
    ['docfx', '## `$$`\n## `$?`\n', ['section', 'section-1']],
    ['obsidian', '## A [[b|c]]: #d\n', ['A b c d']],
  ])('%s: %j', (rule, source, wanted) => {
    expect(firsts(source, rule)).toEqual(wanted);
  });

  const MANY = 12_000;
  test.each<[string, (index: number) => string]>([
    ['equal', () => '## Step_2'],
    ['numbered, twice', (index) => `## Step_${index % (MANY / 2)}`],
    ['numbered, then bare', (index) => (index < MANY / 2 ? `## Step ${index}` : '## Step')],
    ['nested', (index) => `${'#'.repeat(2 + (index % 5))} Step`],
    ['without letters', (index) => `## ${'?'.repeat(1 + (index % 7))}`],
  ])('takes linear time for many headings that are %s', (_, heading) => {
    const document = page(Array.from({ length: MANY }, (_, index) => heading(index)).join('\n\n'));
    for (const rule of ANCHOR_RULES) {
      const started = performance.now();
      expect(siteAnchors(document, rule)).toHaveLength(MANY);
      expect(performance.now() - started, rule).toBeLessThan(1500);
    }
  });

  test('keeps the id that the page has on GitHub besides, unless another section goes by it', () => {
    expect(assignAnchors(page("## What's new\n"), 'vitepress')).toEqual([['what-s-new', 'whats-new']]);
    expect(assignAnchors(page("## What's new\n\n## Whats new\n"), 'vitepress')).toEqual([
      ['what-s-new'],
      ['whats-new', 'whats-new-1'],
    ]);
  });

  test('goes by the name of a generator too, and each rule and name is in the handbook', () => {
    expect(anchorRuleOf('docusaurus')).toBe('github');
    expect(anchorRuleOf('zola')).toBe('zola');
    const handbook = readFileSync(join(import.meta.dirname, '../../docs/knowledge-base-file.md'), 'utf8');
    for (const name of [...ANCHOR_RULES, ...ANCHOR_NAMES]) expect(handbook).toContain(`\`${name}\``);
  });
});

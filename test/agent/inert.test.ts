import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, test } from 'vitest';
import { parseCitations } from '../../src/agent/citations.ts';
import { checkAnswer } from '../../src/agent/gate.ts';
import type { Ref } from '../../src/core/ref.ts';
import { stripControls } from '../../src/core/text.ts';
import { MemoryKnowledge } from '../support/memory-knowledge.ts';

const knowledge = new MemoryKnowledge([
  {
    path: 'docs/agent.md',
    headings: ['Agent', 'Interval'],
    markdown:
      '## Interval\n\nThe agent runs **every 30 minutes** by default. Set `runinterval = 30m` in `/etc/puppet/puppet.conf`.\n' +
      'Version 8.15.2 keeps 1,000 reports; see <https://example.org/run>. Use `--no-daemonize` or `puppet_agent::service`.\n',
    ref: 'agenta',
    url: 'https://docs.example.org/agent.html#interval',
  },
  {
    path: 'docs/ca.md',
    headings: ['CA'],
    markdown: '# CA\n\nCertificates are valid for five years.\n',
    ref: 'caaaaa',
  },
  {
    path: 'docs/db.md',
    headings: ['DB'],
    markdown: '# DB\n\nThe database listens on port 8081.\n',
    ref: 'dbdbdb',
  },
]);
const shown = new Map<Ref, string>(
  knowledge.sections.slice(0, 2).map((section) => [section.ref, section.markdown]),
);

const LIVE = new Set(['html', 'image', 'imageReference', 'definition', 'linkReference', 'footnoteReference']);

function isInert(node: Node, numbers: ReadonlySet<number>): boolean {
  if (LIVE.has(node.type)) return false;
  if (node.type === 'link') return node.url?.replace(/\/$/u, '') === 'https://example.org/run';
  if (node.type !== 'text') return true;
  const words = node.value ?? '';
  const markers = [...words.matchAll(/\[(\d+)\]/gu)].map((found) => Number(found[1]));
  return !/[\ue000-\uf8ff]/u.test(words) && markers.every((number) => number === 0 || numbers.has(number));
}

const check = (text: string) => checkAnswer(text, { shown, knowledge });

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly children?: readonly Node[];
}

/** What a standard reader of Markdown makes of a text. */
function nodesOf(markdown: string): readonly Node[] {
  const walk = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(walk)];
  return walk(unified().use(remarkParse).use(remarkGfm).parse(markdown) as Node);
}

describe('what a model may not smuggle in', () => {
  test.each([
    ['![pixel](https://evil.example/x.png?q=1) hello (#agenta)', 'pixel hello [1]'],
    ['Read [this](https://evil.example/) (#agenta).', 'Read this [1].'],
    ['Read [this](https://example.org/run) (#agenta).', 'Read [this](https://example.org/run) [1].'],
    ['Read [this](https://example.org/run?leak=1) (#agenta).', 'Read this [1].'],
    ['Read https://evil.example/a_b. (#agenta)', 'Read `https://evil.example/a_b`. [1]'],
    ['Read <https://example.org/run> (#agenta).', 'Read <https://example.org/run> [1].'],
    ['Read <https://evil.example> (#agenta).', 'Read `https://evil.example` [1].'],
    ['Read [a `]` b](javascript:alert(1)) (#agenta).', 'Read [a `]` b] (javascript:alert(1)) [1].'],
    ['[x]: https://evil.example\n\nSee [x] (#agenta).', 'See [x] [1].'],
    ['<script>alert(1)</script> (#agenta)', '\\<script>alert(1)\\</script> [1]'],
    ['\\<img src=x> (#agenta)', '\\<img src=x> [1]'],
    ['a ` b\n- c ` <b> (#agenta)', 'a \\` b\n- c \\` \\<b> [1]'],
    ['\u001b[31mred\u001b[0m \u202eevil (#agenta)', 'red evil [1]'],
    ['Set <setting> to `<value>` (#agenta).', 'Set \\<setting> to `<value>` [1].'],
    ['[1](https://example.org/run) (#agenta)', '[1]'],
  ])('%s', (text, markdown) => {
    expect(check(text).markdown).toBe(markdown);
  });

  test('its own list of sources is taken out, citations only in it are kept as markers', () => {
    const checked = check(
      'Runs (#agenta).\n\n**Sources:**\n\n1. [Manual](https://evil.example) (#caaaaa)\n2. Book [2]',
    );
    expect(checked.markdown).toBe('Runs [1].\n\n[2]');
    expect(checked.citations.map((citation) => citation.ref)).toEqual(['agenta', 'caaaaa']);
    expect(checked.notes).toContain("the answer's own list of sources was taken out");
  });

  test('no text leaves a citation, a number of its own, a tag, a link or a control character that was not checked', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '(#agenta)',
        '(#zzzzzz)',
        '(#dbdbdb)',
        '[1]',
        '[',
        ']',
        '(',
        ')',
        '(#',
        '#zzzzzz',
        'agenta',
        '`',
        '``',
        '\n',
        '\n\n',
        '```\n',
        '> ',
        '- ',
        '| ',
        '|---|',
        '<b>',
        '<',
        '\\',
        '!',
        '&#91;',
        '&lt;',
        '](https://evil.example)',
        '【',
        '】',
        '1',
        ':',
        ' ',
        '.',
        'https://evil.example',
        '\ue0001\ue001',
        '\u001b[2J',
        'Sources:',
        '[#',
        ', ',
        '[x](#zzzzzz)',
        '[y](https://example.org/run)',
        'https://example.org/run',
        '<https://example.org/run>',
        'www.evil.example',
        'a@evil.example',
        '\t',
        '1. ',
        '# ',
        '[^1]: ',
        '---\n',
        '===\n',
        '*',
        '_',
        '"',
        '~~~\n',
        '    ',
      ),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const checked = check(pieces.join(''));
        const numbers = new Set(checked.citations.map((citation) => citation.marker));
        expect(checked.citations.every((citation) => shown.has(citation.ref))).toBe(true);
        expect(parseCitations(checked.markdown)).toEqual([]);
        expect(stripControls(checked.markdown)).toBe(checked.markdown);
        expect(nodesOf(checked.markdown).filter((node) => !isInert(node, numbers))).toEqual([]);
        // What is left cites nothing by itself; the markers are ours.
        expect(check(checked.markdown.replace(/\[\d+\]/gu, 'x')).citations).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

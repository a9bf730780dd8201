import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Section } from '../../src/core/document.ts';
import type { DocPath, Ref } from '../../src/core/ref.ts';
import { estimateTokens } from '../../src/core/text.ts';
import { cutSection, shareTokens } from '../../src/search/content.ts';
import { makeSnippet } from '../../src/search/snippet.ts';

function section(markdown: string, first = 1, ownFirst = first): Section {
  const last = first + (markdown.match(/\n/gu)?.length ?? 0) - (markdown.endsWith('\n') ? 1 : 0);
  return {
    ref: 'abcdef' as Ref,
    path: 'a.md' as DocPath,
    title: 'A',
    headings: [],
    anchors: [],
    lines: { first: ownFirst, last: Math.max(first, last) },
    position: 0,
    hash: '',
    markdown,
  };
}

const chunkAt = (line: number) => ({ id: 1, sectionId: 1, lines: { first: line, last: line }, text: '' });

describe('sharing tokens', () => {
  test('never gives more than there is or more than is needed, and leaves nothing idle', () => {
    const needs = fc.array(fc.nat(5000), { maxLength: 20 });
    fc.assert(
      fc.property(needs, fc.nat(20_000), (wanted, limit) => {
        const shares = shareTokens(wanted, limit);
        const sum = shares.reduce((total, share) => total + share, 0);
        expect(shares).toHaveLength(wanted.length);
        for (const [position, share] of shares.entries()) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(wanted[position] ?? 0);
        }
        const total = wanted.reduce((all, need) => all + need, 0);
        expect(sum).toBe(Math.min(total, limit));
      }),
    );
  });

  test('gives small ones all they need and the large ones the same', () => {
    expect(shareTokens([1000, 10, 1000, 20], 530)).toEqual([250, 10, 250, 20]);
  });
});

describe('a section cut to a limit', () => {
  const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { minLength: 1, maxLength: 40 });

  test('keeps the limit, is part of the source, and says which lines are there', () => {
    fc.assert(
      fc.property(text, fc.nat(400), fc.nat(60), (lines, tokens, at) => {
        const markdown = lines.map((line) => line.replace(/[\r\n]/gu, ' ')).join('\n');
        const { text: shown, cut } = cutSection(section(markdown, 11), chunkAt(11 + at), tokens);
        expect(estimateTokens(shown)).toBeLessThanOrEqual(tokens);
        expect(shown).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u);
        if (cut && shown !== '')
          expect(shown).toMatch(/\n\[cut: lines \d+-\d+ of 11-\d+; read abcdef for the rest\]$/u);
      }),
      { numRuns: 400 },
    );
  });

  test('shows the lines around its best chunk and their true numbers', () => {
    const markdown = Array.from({ length: 100 }, (_, n) => `this is line ${n + 21} of the file`).join('\n');
    const { text: shown } = cutSection(section(markdown, 21), chunkAt(70), 80);
    expect(shown.split('\n')[0]).toBe('this is line 70 of the file');
    const [, first, last] = /\[cut: lines (\d+)-(\d+) of 21-120/u.exec(shown) ?? [];
    expect(first).toBe('70');
    expect(shown).toContain(`this is line ${last} of the file`);
    expect(shown).not.toContain(`this is line ${Number(last) + 1} `);
  });

  test('counts lines from where its text starts, though its front matter comes before', () => {
    const markdown = Array.from({ length: 100 }, (_, n) => `this is line ${n + 21} of the file`).join('\n');
    const { text: shown } = cutSection(section(markdown, 21, 1), chunkAt(70), 80);
    expect(shown.split('\n')[0]).toBe('this is line 70 of the file');
    expect(shown).toMatch(/\[cut: lines 70-\d+ of 1-120/u);
  });

  test('of one endless line is cut between words, in linear time', () => {
    const started = performance.now();
    const { text: shown } = cutSection(section('word '.repeat(400_000)), chunkAt(1), 100_000);
    expect(performance.now() - started).toBeLessThan(2000);
    expect(estimateTokens(shown)).toBeLessThanOrEqual(100_000);
    expect(shown).toMatch(/word\n\[cut/u);
  });
});

describe('a snippet', () => {
  test('is a stretch of the text on one line, bounded, with whole characters', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom('agent', '知识库检索', '😀😀😀', '\u001b[31m'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), fc.constantFrom(' ', '\n', ''), (pieces, glue) => {
        const source = pieces.join(glue);
        const snippet = makeSnippet(source, ['agent', '知识']);
        expect(snippet.length).toBeLessThanOrEqual(230);
        expect(snippet).not.toMatch(/\p{Cc}/u);
        expect(snippet).not.toMatch(
          /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/u,
        );
        const flat = source.replaceAll('\u001b', '').replace(/\s+/gu, ' ');
        expect(flat).toContain(snippet.replace(/^… /u, '').replace(/ …$/u, '').trim());
      }),
      { numRuns: 300 },
    );
  });

  test('shows the words that were searched, far down too', () => {
    const snippet = makeSnippet(
      `${'filler text '.repeat(200)}the certificate authority ${'more text '.repeat(200)}`,
      ['certificate', 'authority'],
    );
    expect(snippet).toContain('certificate authority');
  });

  test('shows them in text without blanks', () => {
    const snippet = makeSnippet(`${'东西南北'.repeat(100)}知识库检索${'春夏秋冬'.repeat(100)}`, [
      '知识',
      '识库',
    ]);
    expect(snippet).toContain('知识库');
  });
});

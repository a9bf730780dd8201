import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBeir } from '../../src/bench/beir.ts';
import { asMarkdown, writeDocuments } from '../../src/bench/beir-documents.ts';
import { trecOrder } from '../../src/bench/metrics.ts';
import { encodeId, formatRun, readRun } from '../../src/bench/trec.ts';
import { fold, words } from '../../src/core/words.ts';
import { parseDocument } from '../../src/markdown/parse-document.ts';
import { temporaryFolder, writeTree } from '../support/folders.ts';
import { kbErrorOf } from '../support/knowledge-base.ts';

const FILES = {
  'corpus.jsonl': '{"_id": "d 1", "title": "One", "text": "First text."}\n{"_id": "d2", "text": "Second."}\n',
  'queries.jsonl': '{"_id": "q1", "text": "first"}\n{"_id": "q2", "text": "second"}\n',
  'qrels/test.tsv': 'query-id\tcorpus-id\tscore\nq1\td 1\t2\nq1\td2\t0\ngone\td2\t1\n',
};

describe('a BEIR folder', () => {
  test('is read with its judgments of queries that are there', () => {
    const beir = readBeir(writeTree(temporaryFolder(), FILES));
    expect(beir.documents.map(({ id, title }) => [id, title])).toEqual([
      ['d 1', 'One'],
      ['d2', ''],
    ]);
    expect([...beir.judged].map(([id, grades]) => [id, [...grades]])).toEqual([
      [
        'q1',
        [
          ['d 1', 2],
          ['d2', 0],
        ],
      ],
    ]);
  });

  test.each([
    ['corpus.jsonl', '{"_id": 1, "text": "x"}', 'wants _id'],
    ['corpus.jsonl', '{"_id": "d2", "text": "x"}', 'is that of'],
    ['queries.jsonl', '{', 'JSON'],
    ['qrels/test.tsv', 'q1\td2', 'tabs between'],
    ['qrels/test.tsv', 'q1\td2\tmuch', 'no whole number'],
    ['qrels/test.tsv', 'q1\td2\t0.5', 'no whole number'],
  ])('with a broken line in %s is an error with file and line', async (file, line, problem) => {
    const folder = writeTree(temporaryFolder(), {
      ...FILES,
      [file]: `${FILES[file as keyof typeof FILES]}${line}\n`,
    });
    const error = await kbErrorOf(() => readBeir(folder));
    const last = FILES[file as keyof typeof FILES].split('\n').length;
    expect(error.code).toBe('usage-invalid');
    expect(error.message).toContain(`${join(folder, file)}:${last}: `);
    expect(error.message).toContain(problem);
  });

  test('without judgments says which there are', async () => {
    const folder = writeTree(temporaryFolder(), { ...FILES, 'qrels/dev.tsv': '' });
    expect((await kbErrorOf(() => readBeir(folder, 'train'))).message).toContain('dev, test');
  });
});

describe('a text that is words only', () => {
  const HOSTILE = [
    '# no heading\n\n---\ntitle: x\n---\n',
    '---\nlayout: none\n---\ntext',
    '    def f(x):\n        return x["a"] # not code\n',
    '{% raw %} {{ page.title }} {% include x.md %}',
    '<script>alert(1)</script> <!-- hidden --> <b>bold</b> &amp; &lt;',
    '| a | b |\n| - | - |\n| c | d |',
    '[link](http://example.org/x_y) ![image](y.png) [ref]: z\n\n[ref]: http://example.org',
    '```\nfence\n~~~\n',
    ':::note\ntext\n:::\n!!! warning\n    text\n[^1]: foot\n: definition',
    'C++ \\begin{x} a*b*c __init__ snake_case_name ~~strike~~ $x^2$',
    '=====\nunder\n=====\n1. one\n2) two\n+ three',
    'import x from "y"\n\nexport const a = 1;\n',
  ];

  function wordsOf(text: string): string[] {
    const parsed = parseDocument(asMarkdown({ title: 'A: "title" # 1', text }, 'text'), { path: 'a.md' });
    expect(parsed.sections.length).toBeLessThanOrEqual(1);
    expect(parsed.title).toBe('A: "title" # 1');
    expect(parsed.warnings).toEqual([]);
    const chunks = parsed.sections.flatMap((section) => section.chunks.map((chunk) => chunk.text));
    return words(fold(chunks.join('\n')));
  }

  test.each(HOSTILE)('is one section with all its words: %j', (text) => {
    expect(wordsOf(text)).toEqual(words(fold(text)));
  });

  test('is one section with all its words, whatever it is', () => {
    const piece = fc.constantFrom(
      ...HOSTILE.flatMap((text) => text.split(/(?<=\s)/u)),
      'word ',
      '\n',
      '\n\n',
      '  ',
      '`',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        expect(wordsOf(text)).toEqual(words(fold(text)));
      }),
      { numRuns: 200 },
    );
  });
});

test('documents get names of letters, and their ids back', () => {
  const folder = temporaryFolder();
  const documents = ['../x', 'a/b', '123', 'ä', 'https://example.org/?q=1#x'].map((id) => ({
    id,
    title: '',
    text: 'x',
  }));
  const ids = writeDocuments(documents, folder, 'text');
  expect([...ids.values()]).toEqual(documents.map(({ id }) => id));
  for (const path of ids.keys()) expect(path).toMatch(/^[a-z]{16}\.md$/u);
});

describe('a TREC run', () => {
  test('comes back as it was written, equal scores in their order', () => {
    const file = join(temporaryFolder(), 'run.txt');
    const found = ['c', 'a', 'b b', 'd'].map((id, at) => ({ id, score: at < 3 ? 0.25 : 0 }));
    writeFileSync(file, formatRun(new Map([['q 1', found]]), 'kb'));
    const { tag, run } = readRun(file);
    expect(tag).toBe('kb');
    expect(trecOrder(run.get('q%201') ?? [])).toEqual(found.map(({ id }) => encodeId(id)));
  });

  test.each([
    ['q1 Q0 d1 1', 'wants question'],
    ['q1 Q0 d1 1 high kb', 'no number'],
    ['q1 Q0 d1 1 0.5 kb more', 'six columns'],
    ['q1 Q0 d0 1 0.5 kb', 'comes twice'],
  ])('with the line "%s" is an error with file and line', async (line, problem) => {
    const file = join(temporaryFolder(), 'run.txt');
    writeFileSync(file, `q1 Q0 d0 1 0.9 kb\n\n${line}\n`);
    const error = await kbErrorOf(() => readRun(file));
    expect(error.message).toContain(`${file}:3: `);
    expect(error.message).toContain(problem);
  });
});

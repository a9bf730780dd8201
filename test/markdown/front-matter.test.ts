import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../src/markdown/parse-document.ts';

function parse(text: string) {
  return parseDocument(text, { path: 'guides/getting-started_here.html.md' });
}

function body(text: string): string {
  return text.slice(parse(text).bodyStart);
}

describe('front matter', () => {
  test('gives title and metadata and is neither text nor heading', () => {
    const text =
      '---\ntitle: Care\ntags: [a, 1, null]\ndate: 2020-02-03\n# a comment\ndescription: x\n---\n\nBody.\n';
    const document = parse(text);
    expect(document.title).toBe('Care');
    expect(document.metadata).toEqual({
      title: 'Care',
      tags: ['a', 1, null],
      date: '2020-02-03T00:00:00.000Z',
      description: 'x',
    });
    expect(
      document.sections.map(({ headings, lines, chunks }) => ({ headings, lines, text: chunks[0]?.text })),
    ).toEqual([{ headings: [], lines: { first: 9, last: 9 }, text: 'Body.' }]);
  });

  test.each([
    ['a byte order mark', '\uFEFF---\ntitle: A\n---\nx'],
    ['CRLF', '---\r\ntitle: A\r\n---\r\nx'],
    ['lone CR', '---\rtitle: A\r---\rx'],
    ['mixed line ends', '---\ntitle: A\r\n---\r\nx'],
    ['blank lines before it', '\n\n---\ntitle: A\n---\nx'],
    ['trailing blanks on the fences', '---  \ntitle: A\n--- \nx'],
    ['dots as closing fence', '---\ntitle: A\n...\nx'],
    ['a language name', '--- yaml\ntitle: A\n---\nx'],
    ['dashes inside a value', '---\ntitle: A\nnote: b --- c\nline: |\n  ----\n  ---x\n---\nx'],
    ['TOML', '+++\ntitle = "A" # name\n[extra]\ntitle = "B"\n+++\nx'],
    ['TOML and a byte order mark', "\uFEFF+++\ndraft = true\ntitle = 'A'\n+++\nx"],
    ['JSON', '---json\n{"title": "A"}\n---\nx'],
  ])('is found with %s', (_, text) => {
    expect(body(text)).toBe('x');
    expect(parse(text).title).toBe('A');
    expect(parse(text).warnings).toEqual([]);
  });

  test('may be empty', () => {
    expect(body('---\n---\nx')).toBe('x');
    expect(body('---\n\n---\nx')).toBe('x');
    expect(body('+++\n+++\nx')).toBe('x');
  });

  test('that ends the file leaves no section', () => {
    expect(parse('---\ntitle: A\n---')).toMatchObject({ title: 'A', sections: [], bodyStart: 16 });
  });

  test.each([
    ['title: Re: booking\ntags: [a]', 'Re: booking'],
    ['title: "Quoted" and: broken: [', '"Quoted" and: broken: ['],
    ["title: 'Well quoted'\nlist:\n- %\n- @x", 'Well quoted'],
    ['\tindented: by tab\ntitle: T', 'T'],
  ])('that is not YAML is cut off, its title read by line: %j', (header, title) => {
    const text = `---\n${header}\n---\nBody`;
    expect(body(text)).toBe('Body');
    expect(parse(text).title).toBe(title);
    expect(parse(text).warnings).toEqual([{ line: 1, text: expect.stringContaining('not valid YAML') }]);
  });

  test('with a repeated key counts the last and says so', () => {
    const document = parse('---\ntitle: A\ndate: 1\ntitle: B\n---\nx');
    expect(document.title).toBe('B');
    expect(document.warnings).toEqual([{ line: 1, text: expect.stringContaining('repeats a key') }]);
  });

  test('that is not closed is body, with a warning', () => {
    const document = parse('---\ntitle: A\n\nBody\n');
    expect(document.bodyStart).toBe(0);
    expect(document.warnings).toEqual([{ line: 1, text: expect.stringContaining('not closed') }]);
  });

  test('is not seen in a rule, a list of slides or a MyST block break', () => {
    expect(parse('---\n\nOnly words between rules.\n\n---\n\nMore.').bodyStart).toBe(0);
    expect(parse('+++\nwords\n+++\nx').bodyStart).toBe(0);
    expect(parse('text\n---\ntitle: A\n---\n').bodyStart).toBe(0);
    expect(parse('----\nwords\n----\n').bodyStart).toBe(0);
  });

  test.each(['js', 'javascript', 'coffee', 'cson'])('in %s is never run', (language) => {
    const key = `kb-front-matter-${language}`;
    const document = parse(
      `---${language}\nglobalThis['${key}'] = true; module.exports = { title: 'X' }\n---\nBody`,
    );
    expect(Reflect.get(globalThis, key)).toBeUndefined();
    expect(document.title).toBe('getting started here');
    expect(document.warnings).toHaveLength(1);
    expect(document.sections[0]?.chunks[0]?.text).toBe('Body');
  });

  test('with types YAML can run is data or nothing', () => {
    const document = parse('---\ntitle: T\nf: !!js/function "function () { throw 1 }"\n---\nBody');
    expect(document.title).toBe('T');
    expect(document.metadata).toEqual({ title: 'T' });
  });

  test('that grows by aliases stays small', () => {
    const rows = Array.from(
      { length: 25 },
      (_, row) => `k${row + 1}: &k${row + 1} [*k${row}, *k${row}, *k${row}, *k${row}]`,
    );
    const document = parse(`---\nk0: &k0 [x, x]\n${rows.join('\n')}\n---\nBody`);
    expect(JSON.stringify(document.metadata).length).toBeLessThan(1_000_000);
  });

  test('keeps a key called __proto__ as data', () => {
    const { metadata } = parse('---\n__proto__: {polluted: true}\n---\nx');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(metadata, 'polluted')).toBeUndefined();
  });
});

describe('title', () => {
  test.each([
    ['the front matter’s', '---\ntitle: Front\n---\n# First\n', 'Front'],
    ['a number there', '---\ntitle: 2024\n---\n# First\n', '2024'],
    [
      'the first H1’s where that is empty or no text',
      '---\ntitle: ""\n---\n## Sub\n\n# *First* `one` {#x}\n',
      'First one',
    ],
    ['the file name’s at last', '## Sub\n', 'getting started here'],
  ])('is %s', (_, text, title) => {
    expect(parse(text).title).toBe(title);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../src/markdown/parse-document.ts';
import type { ParsedDocument } from '../../src/markdown/parsed.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');

function include(target: string): string | undefined {
  const file = join(FIXTURES, target);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** A page as its chunks hold it, in the form of the `.seen.txt` beside each fixture. */
function shown(document: ParsedDocument): string {
  return document.sections
    .map((section) => {
      const path = section.headings.join(' > ') || '(no heading)';
      const head = `=== ${path} [${section.lines.first}-${section.lines.last}] ${section.explicitAnchors.join(' ')}`;
      const chunks = section.chunks.map(({ lines, text }) => `--- ${lines.first}-${lines.last}\n${text}\n`);
      return `${head.trim()}\n${chunks.join('')}`;
    })
    .join('\n');
}

function text(markdown: string): string {
  return parseDocument(markdown, { path: 'page.md' })
    .sections.flatMap((section) => section.chunks.map((chunk) => chunk.text))
    .join('\n\n');
}

describe('chunk text', () => {
  test.each(['liquid', 'markup', 'anchors'])('of the page %s is what its reader sees', (name) => {
    const page = readFileSync(join(FIXTURES, `${name}.page.txt`), 'utf8');
    const seen = readFileSync(join(FIXTURES, `${name}.seen.txt`), 'utf8');
    expect(shown(parseDocument(page, { path: `${name}.md`, include }))).toBe(seen);
  });

  test('keeps words in angle brackets that are no element', () => {
    expect(text('Copy <certname>.pem and <b>not</b> <YOUR_FILE>, see <Tabs>tabs</Tabs>.')).toBe(
      'Copy <certname>.pem and not <YOUR_FILE>, see tabs.',
    );
    expect(text('An <img alt="inner" style={{ "max-height": "6px" }} src="x" /> image')).toBe(
      'An inner image',
    );
  });

  test('keeps globs, identifiers and arithmetic whole', () => {
    expect(text('Match **/*.md or call __init__ of my_module_name, then a_b.')).toBe(
      'Match **/*.md or call init of my_module_name, then a_b.',
    );
    expect(text('2*3 and 4 * 5 * 6, not ***this*** or _that_')).toBe('2*3 and 4 * 5 * 6, not this or that');
  });

  test('drops marks that hide inside words, and keeps the joiners Persian and emoji need', () => {
    expect(text('soft\u00ADhyphen zero\u200Bwidth \u202Ebidi\u202C نمی\u200Cخواهم')).toBe(
      'softhyphen zerowidth bidi نمی\u200Cخواهم',
    );
  });

  test('takes an image in a link, a link in brackets and a reference apart', () => {
    expect(text('[![build](a.svg)](ci) [[docs](d)] [x][y]\n\n[Y]: z')).toBe('build [docs] x');
    expect(text('[ops/runbook|the fallback] and [[ops/runbook-42|the fallback plan]]')).toBe(
      '[ops/runbook|the fallback] and the fallback plan (runbook-42)',
    );
  });

  test('replaces payloads and keeps the words beside them', () => {
    const payload = 'iVBORw0KGgo'.repeat(200);
    expect(text(`![Fig](data:image/png;base64,${payload}) after`)).toBe('Fig after');
    expect(text(`\`\`\`\nconst icon = 'data:image/png;base64,${payload}'\n\`\`\``)).toBe(
      "const icon = '[data]'",
    );
    expect(text(`before ${payload} after`)).toBe('before [data] after');
    const key = Array.from({ length: 20 }, () => 'MIIEpAIBAAKCAQEA'.repeat(4)).join('\n');
    expect(text(`\`\`\`\n-----BEGIN KEY-----\n${key}\n-----END KEY-----\n\`\`\``)).toBe(
      '-----BEGIN KEY-----\n[data]\n-----END KEY-----',
    );
    const path = `/${'very/long/path/of/words/'.repeat(20)}`;
    expect(text(path)).toBe(path);
  });

  test('leaves comments out of prose and in code', () => {
    expect(text('a <!-- hidden\nstill hidden --> b `<!-- code -->`\n\n```\n<!-- kept -->\n```')).toBe(
      'a\nb <!-- code -->\n\n<!-- kept -->',
    );
  });

  test('drops control characters and escapes of a terminal', () => {
    expect(text('red \u001b[31mtext\u0007 and \u0000nul')).toBe('red [31mtext and nul');
  });

  test('keeps Liquid that is no tag: percent braces, placeholders with slashes, Go templates', () => {
    const line = 'Write %{facts.os.family}, {{path/to/file}}, {{ .Values.image }} and {%bytes}.';
    expect(text(line)).toBe(line);
  });

  test('keeps the words of arguments over several lines and in either quotes', () => {
    const tag = `{% include alert.html type='note'\n  title='Don\\'t panic'\n  content="First.\n\nSecond **part**." %}\n\nAfter.`;
    expect(text(tag)).toBe("Don't panic\nFirst.\n\nSecond part.\n\nAfter.");
  });

  test('reads shortcodes as their words', () => {
    expect(
      text('Run a {{< glossary_tooltip text="Pod" term_id="pod" >}} now. {{% notice title="Mind" %}}'),
    ).toBe('Run a Pod now. Mind');
  });

  test('takes a heading inside a Liquid comment or a highlighted listing for none', () => {
    const document = parseDocument(
      '# A\n\n{% comment %}\n# B\n{% endcomment %}\n\n{% highlight sh %}\n# C\n{% endhighlight %}\n\n# D\n',
      { path: 'x.md' },
    );
    expect(document.sections.map((section) => section.headings)).toEqual([['A'], ['D']]);
    expect(document.sections[0]?.chunks[0]?.text).toBe('# C');
  });

  test('cuts an include that includes itself, and names it', () => {
    const document = parseDocument('start\n\n{% include_relative a.md %}\n\nend', {
      path: 'x.md',
      include: () => 'part\n\n{% include_relative a.md %}',
    });
    expect(document.sections[0]?.chunks[0]).toEqual({
      text: 'start\n\npart\n\nend',
      lines: { first: 1, last: 5 },
    });
  });

  test('bounds includes that double at every level', () => {
    let reads = 0;
    const include = (target: string): string => {
      reads += 1;
      const next = Number(target) + 1;
      return `${'word '.repeat(20_000)}\n\n{% include_relative ${next} %}\n\n{% include_relative ${next} %}\n`;
    };
    const document = parseDocument('{% include_relative 0 %}', { path: 'x.md', include });
    expect(document.sections).toHaveLength(1);
    expect(reads).toBeLessThan(200);
  });

  test('shows words below the nesting limit as text', () => {
    const document = parseDocument(`${'> '.repeat(500)}deep words\n\nafter`, { path: 'x.md' });
    expect(document.sections[0]?.chunks.map((chunk) => chunk.text).join(' ')).toMatch(
      /deep words[\s\S]*after/u,
    );
  });
});

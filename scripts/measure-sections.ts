// npx tsx scripts/measure-sections.ts [SHARED]: where the headings kb finds differ from CommonMark's on the test bed, file
// by file and why. Writes docs/decisions/sections-on-real-sites.md.
import { writeFileSync } from 'node:fs';
import type { ParsedDocument } from '../src/markdown/parsed.ts';

const [, , shared] = process.argv;
if (shared !== undefined) process.env['KB_SHARED'] = shared;
const { headingLines, bodyStartOf, parseFile, referenceHeadings, testbedFile } = await import(
  '../test/markdown/shared-data.ts'
);

interface Difference {
  readonly file: string;
  readonly more: number;
  readonly fewer: number;
  readonly why: string;
}

function whyMore(lines: readonly string[], number: number): string {
  const line = lines[number - 1] ?? '';
  if (/^\s*<h[1-6]\b/u.test(line)) return 'an HTML heading with an id';
  if (/^<Update\b|^\{%\s*update\b/u.test(line)) return "the site's changelog component is a heading";
  for (let at = number - 2; at >= 0; at -= 1) {
    const above = (lines[at] ?? '').trim();
    if (/^<\/?[A-Z]/u.test(above)) return 'stands in a component of MDX, which shows it';
    if (/^<\/?[a-z]/u.test(above)) return 'stands below an HTML tag without a blank line';
    if (/^(?:\{%|!!!|\?\?\?|===|:::|\/\/\/)/u.test(above)) return 'stands in a container of the site';
    if (/^(?:import|export) /u.test(above)) return 'stands below an import of MDX';
    if (/^#{1,6} /u.test(above)) break;
  }
  return 'stands in a block of the site that CommonMark takes for code or HTML';
}

function whyFewer(lines: readonly string[], number: number, headerLines: number): string {
  if (number <= headerLines) return 'a line of front matter';
  return /^ {0,3}#{1,6}[\s#]*$/u.test(lines[number - 1] ?? '')
    ? 'a heading without words'
    : 'a setext line of the site';
}

function differenceOf(
  file: string,
  text: string,
  document: ParsedDocument,
  common: readonly string[],
): Difference | undefined {
  const own = headingLines(document);
  if (own.join() === common.join()) return undefined;
  const lines = text.split(/\r\n?|\n/u);
  const headerLines = text.slice(0, bodyStartOf(text, document)).split(/\r\n?|\n/u).length - 1;
  const more = own
    .filter((heading) => !common.includes(heading))
    .map((heading) => Number.parseInt(heading, 10));
  const fewer = common
    .filter((heading) => !own.includes(heading))
    .map((heading) => Number.parseInt(heading, 10));
  const reasons = [
    ...more.map((number) => whyMore(lines, number)),
    ...fewer.map((number) => whyFewer(lines, number, headerLines)),
  ];
  return { file, more: more.length, fewer: fewer.length, why: [...new Set(reasons)].join('; ') };
}

const reference = [...referenceHeadings()];
const differences = reference.flatMap(([key, common]) => {
  const file = testbedFile(key);
  return differenceOf(key, file.text, parseFile(file), common) ?? [];
});
const rows = differences.map(
  ({ file, more, fewer, why }) => `| ${file.replaceAll('|', '\\|')} | ${more} | ${fewer} | ${why} |`,
);
writeFileSync(
  'docs/decisions/sections-on-real-sites.md',
  `---
title: Sections on 36 real sites
---

# Sections on 36 real sites

Written by \`npx tsx scripts/measure-sections.ts\`: the lines on which kb finds headings, beside those of a split that knows
nothing but CommonMark.

- The same in ${reference.length - differences.length} of ${reference.length} files.
- In the other ${differences.length}, all of them listed below, the site shows something else than CommonMark says, or a heading has no words:
  that line is part of the section above.

| File | More | Fewer | Why |
|---|---|---|---|
${rows.join('\n')}
`,
);
console.log(`${reference.length - differences.length} of ${reference.length} files alike`);

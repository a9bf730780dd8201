import type { AnchorReport, Miss, SiteReport } from './measure.ts';

/** The report as a page of the documentation. */
export function renderReport({ sites, misses, totals }: AnchorReport): string {
  const resolvable = misses.filter(({ link }) => link.rules.length > 0);
  const broken = misses.filter(({ link }) => link.rules.length === 0);
  return `# Anchors on 36 real sites

Written by \`npx tsx scripts/measure-anchors.ts\`: every site is ingested as a knowledge base of its own with
\`anchors: auto\`; then the fragment links that its authors wrote are followed.

- ${totals.right} of the ${totals.resolvable} links that any rule resolves lead to the right section (${share(totals.right, totals.resolvable)}).
- The rule of the generator is found for ${totals.detected} of ${sites.length} sites.
- ${totals.links - totals.resolvable} links are resolved by no rule; they are listed at the end.

## Sites

| Site | Generator | Its rule | Found | By | Links | Right |
|---|---|---|---|---|---|---|
${sites.map(siteRow).join('\n')}

## Links that some rule resolves and that lead nowhere here

${table(resolvable)}

## Links that no rule resolves

${table(broken)}
`;
}

function siteRow({ site, generator, expected, detected, isRight, resolvable, right }: SiteReport): string {
  const rules = [...new Set(detected.map(({ rule }) => rule))].join(', ');
  const by = [...new Set(detected.map(({ by }) => by))].join(', ');
  const found = isRight ? rules : `**${rules}**`;
  return `| ${site} | ${generator} | ${expected} | ${found} | ${by} | ${resolvable} | ${right} |`;
}

/** Equal misses of one page are one row. */
function table(misses: readonly Miss[]): string {
  if (misses.length === 0) return 'None.';
  const rows = new Map<string, number>();
  for (const { link, reason } of misses) {
    const row = `| ${link.site} | ${cell(link.target)} | \`${link.fragment}\` | ${cell(reason)} |`;
    rows.set(row, (rows.get(row) ?? 0) + 1);
  }
  const lines = [...rows].map(([row, count]) => `${row} ${count} |`);
  return `| Site | Page | Fragment | Why | Links |\n|---|---|---|---|---|\n${lines.join('\n')}`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(2)} %`;
}

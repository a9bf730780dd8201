// Measures anchors on the real sites of a test bed and writes docs/decisions/anchors-on-real-sites.md:
//   npx tsx scripts/measure-anchors.ts [FOLDER with testbed/ and testbed-truth/]
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { measureAnchors } from './anchors/measure.ts';
import { renderReport } from './anchors/render-report.ts';

const report = await measureAnchors(resolve(process.argv[2] ?? '../shared'));
writeFileSync('docs/decisions/anchors-on-real-sites.md', renderReport(report));
const { resolvable, right, detected } = report.totals;
console.log(
  `${right} of ${resolvable} links (${((100 * right) / resolvable).toFixed(2)} %), ${detected} of ${report.sites.length} rules`,
);

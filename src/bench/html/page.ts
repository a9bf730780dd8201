import type { BenchResult, TierResult } from '../result.ts';
import { formatBytes, groupOf, METRIC_NAMES, type Table, tablesOf } from '../tables.ts';
import { escapeHtml } from './escape.ts';
import { barPlot, legend, linePlot, type Series } from './plots.ts';
import { questionLists } from './questions.ts';
import { STYLE } from './style.ts';

/** One page with everything in it: no script, and nothing that is fetched. */
export function renderPage(result: BenchResult): string {
  const names = result.tiers.map((tier) => tier.tier);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${escapeHtml(`kb bench: ${result.dataset.name}`)}</title>
<style>
${STYLE}
</style>
</head>
<body>
<h1>${escapeHtml(result.dataset.name)}</h1>
${facts(result)}
${tablesOf(result).map(table).join('\n')}
<h2>Plots</h2>
${legend(names)}
<div class="plots">
${figure(`${METRIC_NAMES['ndcg@10']} by kind, with 95 % intervals`, kinds(result, names))}
${figure('Recall by rank', recallPlot(result.tiers))}
${latencyFigure(result.tiers)}
</div>
${questionLists(result)}
</body>
</html>
`;
}

function facts({ index, settings, machine, created, kb_version: version }: BenchResult): string {
  const lines = [
    `Index ${index.name}: ${index.documents} documents, ${index.sections} sections, ${index.chunks} chunks, ${formatBytes(index.bytes)}, identity ${index.identity}.`,
    `kb ${version}, ${settings.level} level, depth ${settings.depth}, fusion ${settings.fusion}; ${created}.`,
    `${machine.cpu}, ${machine.cores} cores, ${machine.memory_gb} GB, ${machine.platform}, Node ${machine.node}.`,
  ];
  return lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n');
}

function table({ title, columns, rows }: Table): string {
  const head = columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`);
  return `<div class="scroll"><table><caption>${escapeHtml(title)}</caption><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function figure(caption: string, plot: string): string {
  return `<figure><figcaption>${escapeHtml(caption)}</figcaption>${plot}</figure>`;
}

function kinds({ tiers }: BenchResult, names: readonly string[]): string {
  const groups = (tiers[0]?.groups ?? []).map(({ kind, questions }) => ({
    label: `${kind} (${questions})`,
    values: tiers.map((tier) => groupOf(tier, kind)?.metrics['ndcg@10'] ?? { mean: 0, low: 0, high: 0 }),
  }));
  return barPlot(names, groups, 'nDCG@10 by kind');
}

function recallPlot(tiers: readonly TierResult[]): string {
  const series = tiers.map(
    ({ tier, recall_by_rank: recall }): Series => ({
      name: tier,
      points: [[0, 0], ...recall.map((value, at): [number, number] => [at + 1, value])],
    }),
  );
  const depth = Math.max(1, ...tiers.map((tier) => tier.recall_by_rank.length));
  const axes = {
    x: { max: depth, format: (value: number) => value.toFixed(0) },
    y: { max: 1, format: (value: number) => value.toFixed(2) },
    xTitle: 'rank',
  };
  return linePlot(series, axes, 'Recall by rank');
}

/** Share of searches that took no longer than so long; the slowest hundredth is left out, since it would squeeze the rest. */
function latencyFigure(tiers: readonly TierResult[]): string {
  const timed = tiers.flatMap(({ tier, latency }) => (latency === undefined ? [] : [{ tier, latency }]));
  if (timed.length === 0) return '';
  const max = Math.max(...timed.map(({ latency }) => latency.p99));
  const series = timed.map(({ tier, latency }): Series => {
    const shown = latency.samples.filter((value) => value <= max);
    return {
      name: tier,
      points: [
        [0, 0],
        ...shown.map((value, at): [number, number] => [value, (at + 1) / latency.samples.length]),
      ],
    };
  });
  const axes = {
    x: { max, format: (value: number) => value.toFixed(max < 10 ? 1 : 0) },
    y: { max: 1, format: (value: number) => `${Math.round(value * 100)} %` },
    xTitle: 'milliseconds a search',
  };
  return figure('Latency: share of searches that took no longer', linePlot(series, axes, 'Latency'));
}

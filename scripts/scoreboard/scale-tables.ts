/** Milliseconds of one search. */
export interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface ScaleResult {
  readonly sections: number;
  readonly documents: number;
  readonly questions: number;
  readonly machine: string;
  readonly ingest: { readonly ms: number; readonly memoryMb: number };
  /** Building of the reference's index from the same texts. */
  readonly build: { readonly ms: number; readonly memoryMb: number };
  readonly indexBytes: number;
  readonly textBytes: number;
  readonly search: Times & { readonly memoryMb: number; readonly ndcg: number };
  readonly plainOr: Times & { readonly ndcg: number };
  readonly minisearch: Times & { readonly memoryMb: number; readonly ndcg: number };
}

/** One table for what it takes, one for the times. */
export function formatScale(results: readonly ScaleResult[]): string {
  const cost = results.map((one) =>
    row([
      String(one.sections),
      String(Math.round(one.sections / (one.ingest.ms / 1000))),
      ratio(one.ingest.ms, one.build.ms),
      megabytes(one.indexBytes),
      ratio(one.indexBytes, one.textBytes),
      `${Math.round(one.ingest.memoryMb)} MB`,
      `${Math.round(one.search.memoryMb)} MB`,
      ratio(one.search.memoryMb, one.minisearch.memoryMb),
    ]),
  );
  const times = results.flatMap((one) =>
    (
      [
        ['kb search', one.search],
        ['FTS5, OR of all words', one.plainOr],
        ['minisearch, OR', one.minisearch],
      ] as const
    ).map(([name, measured]) =>
      row([
        String(one.sections),
        name,
        ms(measured.p50),
        ms(measured.p95),
        ms(measured.p99),
        ratio(measured.p50, one.search.p50),
        measured.ndcg.toFixed(3),
      ]),
    ),
  );
  const [first] = results;
  return [
    row([
      'sections',
      'ingest, sections a second',
      'time to minisearch',
      'index',
      'index to text',
      'memory of ingest',
      'memory of search',
      'to minisearch',
    ]),
    `|${' ---: |'.repeat(8)}`,
    ...cost,
    '',
    row(['sections', 'search', 'p50', 'p95', 'p99', 'p50 to kb', 'nDCG@10']),
    `| ---: | --- |${' ---: |'.repeat(5)}`,
    ...times,
    '',
    `${first?.questions ?? 0} questions, ten sections each, after a warm-up; ${first?.machine ?? ''}.`,
  ].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function ratio(value: number, reference: number): string {
  return `${(value / reference).toFixed(2)} x`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

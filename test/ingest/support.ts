import { expect } from 'vitest';
import type { IngestReport } from '../../src/ingest/report.ts';
import { openForReading, openForWriting } from '../../src/store/index-file.ts';
import { checkIntegrity } from '../../src/store/maintenance.ts';
import type { TestBase } from '../support/knowledge-base.ts';

export const PAGE = (word: string) => `# ${word}\n\nAll about ${word}.\n\n## Use\n\nHow ${word} is used.\n`;

export function expectTotalsAddUp(report: IngestReport): void {
  const { seen, removed, ...others } = report.totals;
  expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(seen);
  expect(report.files).toHaveLength(seen + removed);
}

/** Leaves a mark on every document's row, which is lost when the document is parsed and written again. */
export function markDocuments(base: TestBase): void {
  const index = openForWriting(base.indexPath);
  index.run("UPDATE document SET title = 'marked'");
  index.close();
}

/** Paths of the documents that were not written since {@link markDocuments}. */
export function untouched(base: TestBase): string[] {
  const index = openForReading(base.indexPath);
  const rows = index.all<{ path: string }>("SELECT path FROM document WHERE title = 'marked' ORDER BY path");
  index.close();
  return rows.map((row) => row.path);
}

export function soundness(base: TestBase): string[] {
  const index = openForReading(base.indexPath);
  try {
    return checkIntegrity(index);
  } finally {
    index.close();
  }
}

export function paths(base: TestBase): Promise<string[]> {
  return base.use((kb) => kb.documents().map((one) => one.path));
}

import type { DocPath, Ref } from '../core/ref.ts';
import type { DocumentScope } from '../core/scope.ts';
import type { CopyPlace } from '../core/search.ts';
import { inScope } from './documents.ts';
import type { IndexFile } from './index-file.ts';

export interface Copies {
  /** Sections with the text, the asked one among them. */
  readonly count: number;
  /** The first of them by path; addresses on the web are not known here. */
  readonly places: readonly CopyPlace[];
}

/** Where the same section text stands more than once among the documents of a scope, by its hash; places up to a limit. */
export function copiesOf(
  index: IndexFile,
  hashes: readonly string[],
  scope: DocumentScope,
  limit: number,
): Map<string, Copies> {
  // First by the index on hashes alone: nearly always there is no copy, and nothing else is read.
  const repeated = index.all<{ hash: string }>(
    'SELECT hash FROM section WHERE hash IN (SELECT value FROM json_each(?)) GROUP BY hash HAVING count(*) > 1',
    JSON.stringify(hashes),
  );
  const [where, values] = inScope(scope);
  const from = `FROM section JOIN document ON document.id = document_id WHERE section.hash = ? AND ${where}`;
  return new Map(
    repeated.map(({ hash }) => {
      const count = index.get<{ n: number }>(`SELECT count(*) AS n ${from}`, hash, ...values)?.n ?? 0;
      const rows = index.all<{ ref: Ref; path: DocPath; anchors: string }>(
        `SELECT ref, path, anchors ${from} ORDER BY path, position LIMIT ?`,
        hash,
        ...values,
        limit,
      );
      return [hash, { count, places: rows.map(toPlace) }];
    }),
  );
}

function toPlace({ ref, path, anchors }: { ref: Ref; path: DocPath; anchors: string }): CopyPlace {
  const [anchor] = JSON.parse(anchors) as string[];
  return { ref, path, ...(anchor === undefined ? {} : { anchor }) };
}

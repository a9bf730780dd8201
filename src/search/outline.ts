import { citationUrl } from '../config/citation-url.ts';
import type { Outline, OutlineEntry, OutlineQuery } from '../core/knowledge.ts';
import { countChunks } from '../store/lexical.ts';
import { countSectionsUnder, type OutlineRow, outlineUnder, sectionById } from '../store/sections.ts';
import { analyse } from './query.ts';
import { rankSections } from './rank.ts';
import type { SearchContext } from './search.ts';
import { tierLine } from './tier.ts';

/** Headings without text: in document order, or the best for a query first. */
export function outline(context: SearchContext, wanted: OutlineQuery): Outline {
  const { index, config } = context;
  const tier = tierLine(config);
  return index.snapshot(() => {
    if (countChunks(index) === 0) return { status: 'index_empty', tier, total: 0, entries: [] };
    const path = wanted.path ?? '';
    const offset = wanted.offset ?? 0;
    if (wanted.query === undefined) {
      const rows = outlineUnder(index, path, wanted.limit, offset);
      const total = countSectionsUnder(index, path);
      return { status: 'ok', tier, total, entries: rows.map((row) => toEntry(context, row)) };
    }
    const ranked = rankSections(index, analyse(index, wanted.query), offset + wanted.limit, path);
    const rows = ranked.slice(offset).flatMap((one) => sectionById(index, one.sectionId) ?? []);
    return { status: 'ok', tier, total: ranked.length, entries: rows.map((row) => toEntry(context, row)) };
  });
}

function toEntry(context: SearchContext, row: OutlineRow): OutlineEntry {
  const anchor = row.anchors[0];
  const url = citationUrl(row.path, anchor, context.citationRules);
  return {
    ref: row.ref,
    path: row.path,
    title: row.title,
    headings: row.headings,
    ...(anchor === undefined ? {} : { anchor }),
    ...(url === undefined ? {} : { url }),
  };
}

import type { Outline, OutlineEntry, OutlineQuery } from '../core/knowledge.ts';
import { scopeOf } from '../core/scope.ts';
import { pinnedIdentity } from '../store/embeddings.ts';
import { countChunks } from '../store/lexical.ts';
import { countSectionsUnder, type OutlineRow, outlineUnder, sectionsById } from '../store/sections.ts';
import { analyse } from './query.ts';
import { retrieve, settleTier } from './retrieve.ts';
import type { SearchContext } from './search.ts';
import { type ActiveTier, standingTierLine, tierLine } from './tier.ts';

/** Headings without text: in document order, or the best for a query first. */
export function outline(
  context: SearchContext,
  wanted: OutlineQuery,
  prepared: ActiveTier | undefined,
): Outline {
  const { index, config } = context;
  return index.snapshot(() => {
    const active = prepared === undefined ? undefined : settleTier(index, prepared);
    const tier = active === undefined ? standingTierLine(config, pinnedIdentity(index)) : tierLine(active);
    if (countChunks(index) === 0) return { status: 'index_empty', tier, total: 0, entries: [] };
    const scope = scopeOf(wanted);
    const offset = wanted.offset ?? 0;
    if (wanted.query === undefined || active === undefined) {
      const rows = outlineUnder(index, scope, wanted.limit, offset);
      const total = countSectionsUnder(index, scope);
      return { status: 'ok', tier, total, entries: rows.map((row) => toEntry(context, row)) };
    }
    const query = analyse(index, wanted.query);
    const ranked = retrieve(index, active, { query, limit: offset + wanted.limit, scope });
    const ids = ranked.slice(offset).map((one) => one.sectionId);
    const rows = sectionsById(index, ids);
    return { status: 'ok', tier, total: ranked.length, entries: rows.map((row) => toEntry(context, row)) };
  });
}

function toEntry(context: SearchContext, row: OutlineRow): OutlineEntry {
  const anchor = row.anchors[0];
  const url = context.links.urlOf(row.path, anchor);
  return {
    ref: row.ref,
    path: row.path,
    title: row.title,
    headings: row.headings,
    ...(anchor === undefined ? {} : { anchor }),
    ...(url === undefined ? {} : { url }),
  };
}

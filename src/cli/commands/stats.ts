import type { Stats } from '../../kb/stats.ts';
import { type CommonOptions, type Context, printJson } from '../context.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { renderRows } from '../render/table.ts';
import { withKb } from '../with-kb.ts';

export async function statsCommand(context: Context, options: CommonOptions): Promise<ExitCode> {
  return withKb(context, options, async (kb) => {
    const stats = await kb.stats();
    if (options.json === true) printJson(context, toJson(stats));
    else context.print(`${renderRows(toRows(stats), [{}, {}], context.stdout)}\n${stats.tier}`);
    return EXIT.answered;
  });
}

function toRows(stats: Stats): string[][] {
  const { fresh, changed, missing } = stats.freshness;
  return [
    ['knowledge base', stats.knowledgeBase],
    ['index', `${stats.index} (${(stats.bytes / 1_000_000).toFixed(1)} MB)`],
    ['documents', `${stats.documents} (${stats.empty} more without text, ${stats.failed} not readable)`],
    ['sections', `${stats.sections} in ${stats.chunks} chunks`],
    ...(stats.embeddings === undefined
      ? []
      : [['vectors', `${stats.embeddings.vectors} of ${stats.embeddings.inputs} different texts`]]),
    ['files since', `${fresh} as indexed, ${changed} changed, ${missing} missing`],
    ['anchors', stats.anchorRule],
    ['ingested', stats.ingestedAt],
  ];
}

function toJson(stats: Stats): object {
  return {
    knowledge_base: stats.knowledgeBase,
    index: stats.index,
    bytes: stats.bytes,
    documents: stats.documents,
    empty: stats.empty,
    failed: stats.failed,
    sections: stats.sections,
    chunks: stats.chunks,
    ...(stats.embeddings === undefined ? {} : { embeddings: stats.embeddings }),
    freshness: stats.freshness,
    anchor_rule: stats.anchorRule,
    ingested_at: stats.ingestedAt,
    tier: stats.tier,
  };
}

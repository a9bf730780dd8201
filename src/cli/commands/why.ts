import type { Why } from '../../kb/why.ts';
import { type CommonOptions, type Context, printJson } from '../context.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { renderWhy } from '../render/why.ts';
import { withKb } from '../with-kb.ts';

export async function whyCommand(
  context: Context,
  query: string,
  address: string,
  options: CommonOptions,
): Promise<ExitCode> {
  return withKb(context, options, async (kb) => {
    const why = await kb.why(query, address, context.signal);
    if (options.json === true) printJson(context, toJson(kb.located.name, why));
    else context.print(renderWhy(why, context.stdout));
    return why.verdict === 'comes' ? EXIT.answered : EXIT.notFound;
  });
}

function toJson(knowledgeBase: string | undefined, { section, ...why }: Why): object {
  return {
    knowledge_base: knowledgeBase ?? null,
    ...why,
    nearest: why.nearest,
    section:
      section === undefined
        ? null
        : {
            ref: section.ref,
            path: section.path,
            title: section.title,
            headings: section.headings,
            anchor: section.anchors[0] ?? null,
            lines: section.lines,
            chunks: section.chunks,
          },
  };
}

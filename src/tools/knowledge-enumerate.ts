import * as z from 'zod';
import type { Knowledge } from '../core/knowledge.ts';
import { wants } from './knowledge-search.ts';
import { outlineReply } from './outline-reply.ts';
import type { ToolOptions } from './reply.ts';
import { defineTool, type Tool } from './tool.ts';
import { filtersOf, whereInput } from './where.ts';

/** Many headings, no content. */
export function knowledgeEnumerate(knowledge: Knowledge, options: ToolOptions): Tool {
  const tokens = options.maxOutputTokens ?? options.maxInjectedTokens;
  return defineTool({
    name: 'knowledge_enumerate',
    description:
      'Lists headings of the knowledge base with their refs, without content: a table of contents, for looking before ' +
      'searching or reading. A heading alone is no source.',
    input: z.strictObject({
      query: z
        .string({ error: wants('text: words the headings should match') })
        .optional()
        .describe('best matching headings first; document order when absent'),
      path: z
        .string({ error: wants('text: a folder or file path') })
        .optional()
        .describe('only documents under this folder or file path'),
      where: whereInput(),
    }),
    run: ({ query, path, where }) =>
      outlineReply(knowledge, {
        tokens,
        ...(query === undefined ? {} : { query }),
        ...(path === undefined ? {} : { path }),
        ...(where === undefined ? {} : { where: filtersOf(where) }),
      }),
  });
}

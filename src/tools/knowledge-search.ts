import * as z from 'zod';
import type { Knowledge } from '../core/knowledge.ts';
import type { ToolOptions } from './reply.ts';
import { searchReply, TOP_K_CEILING } from './search-reply.ts';
import { defineTool, type Tool } from './tool.ts';
import { filtersOf, whereInput } from './where.ts';

/** Words to sections with their content. */
export function knowledgeSearch(knowledge: Knowledge, options: ToolOptions): Tool {
  return defineTool({
    name: 'knowledge_search',
    description:
      'Finds the sections of the knowledge base that best match a query and gives their content with a ref to cite. ' +
      'Use the words of the question; search again with other words when the results do not answer it.',
    input: z.strictObject({
      query: z.string({ error: wants('text: what to look for') }).describe('what to look for'),
      top_k: z
        .int({ error: wants(`a whole number from 1 to ${TOP_K_CEILING}`) })
        .min(1, `must be 1 to ${TOP_K_CEILING}`)
        .max(TOP_K_CEILING, `must be 1 to ${TOP_K_CEILING}`)
        .optional()
        .describe(`sections wanted, 1 to ${TOP_K_CEILING}; ${options.topK} when absent`),
      path: z
        .string({ error: wants('text: a folder or file path') })
        .optional()
        .describe('only documents under this folder or file path'),
      where: whereInput(),
    }),
    run: ({ query, top_k, path, where }) =>
      searchReply(knowledge, options, {
        query,
        ...(top_k === undefined ? {} : { topK: top_k }),
        ...(path === undefined ? {} : { path }),
        ...(where === undefined ? {} : { where: filtersOf(where) }),
      }),
  });
}

/** Says what a parameter must be, and whether it was wrong or missing. */
export function wants(what: string): (issue: { readonly input?: unknown }) => string {
  return (issue) => (issue.input === undefined ? `is missing (${what})` : `must be ${what}`);
}

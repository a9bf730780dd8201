import type { Knowledge } from '../core/knowledge.ts';
import { knowledgeEnumerate } from './knowledge-enumerate.ts';
import { knowledgeRead } from './knowledge-read.ts';
import { knowledgeSearch } from './knowledge-search.ts';
import type { ToolOptions } from './reply.ts';
import type { Tool } from './tool.ts';

/** The tools of a knowledge base, the same for the agent, MCP and the library. All of them only read. */
export function createTools(knowledge: Knowledge, options: ToolOptions): readonly Tool[] {
  return [
    knowledgeSearch(knowledge, options),
    ...(options.readTool ? [knowledgeRead(knowledge, options)] : []),
    knowledgeEnumerate(knowledge, options),
  ];
}

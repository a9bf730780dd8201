export type { Answer, AskMode, Citation, Outcome, RemovedCitation, Unsupported } from './core/answer.ts';
export type { Budget, Spend } from './core/budget.ts';
export type {
  ChatModel,
  ChatReply,
  ChatRequest,
  Message,
  ToolCall,
  ToolOutcome,
  ToolSpec,
} from './core/chat.ts';
export type { Config } from './core/config.ts';
export type { Document, Freshness, LineRange, Section } from './core/document.ts';
export { type ErrorCode, type ErrorDetails, isKbError, KbError } from './core/errors.ts';
export type { EventSink, SessionEvent } from './core/event.ts';
export type {
  Knowledge,
  OpenedSection,
  Outline,
  OutlineEntry,
  OutlineQuery,
  SectionLookup,
} from './core/knowledge.ts';
export { type Address, type DocPath, formatAddress, parseAddress, type Ref } from './core/ref.ts';
export type { Evidence, Explanation, Hit, SearchQuery, SearchResult, Tier } from './core/search.ts';
export type { FileReport, IngestReport } from './ingest/report.ts';
export { type IngestKbOptions, ingestKb } from './kb/ingest-kb.ts';
export { type AskOptions, Kb, type ListedDocument, type OpenOptions, openKb } from './kb.ts';
export type { ToolReply } from './tools/reply.ts';
export type { Tool } from './tools/tool.ts';

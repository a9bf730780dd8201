import type { Answer, Citation } from '../../../src/core/answer.ts';
import { NOTHING_SPENT } from '../../../src/core/budget.ts';
import type { DocPath, Ref } from '../../../src/core/ref.ts';
import type { Hit, SearchResult } from '../../../src/core/search.ts';

export const TIER = 'tier: lexical (FTS5) - no embeddings configured';

export const hit: Hit = {
  ref: 'abc234' as Ref,
  path: 'docs/configuration.md' as DocPath,
  title: 'Configuration',
  headings: ['Configuration', 'Run interval'],
  anchor: 'run-interval',
  url: 'https://docs.example.org/configuration.html#run-interval',
  lines: { first: 12, last: 40 },
  hash: '0123456789abcdef',
  score: 12.3456,
  evidence: [{ retriever: 'lexical', rank: 1, score: 12.3456 }],
  freshness: 'fresh',
  content: '',
  cut: false,
  snippet: 'The agent runs every 30 minutes; `runinterval` configures how often.',
};
const { url: _, anchor: __, ...bare } = hit;
export const result: SearchResult = {
  status: 'ok',
  tier: TIER,
  hits: [
    hit,
    {
      ...bare,
      ref: 'def567' as Ref,
      headings: [],
      title: '',
      lines: { first: 1, last: 1 },
      freshness: 'changed',
      snippet: '',
    },
  ],
};

export const citation: Citation = { ...hit, marker: 1 };
const { url: ___, ...local } = citation;
export const answer: Answer = {
  question: 'How often?',
  markdown: 'Every **30 minutes** [1]. Set `runinterval` [2].',
  citations: [
    citation,
    { ...local, marker: 2, ref: 'def567' as Ref, title: 'C_[x]', headings: [], lines: { first: 3, last: 3 } },
  ],
  removed: [{ text: '(#zzzzzz)', reason: 'not-shown' }],
  unsupported: [{ kind: 'number', text: '30', sentence: 'Every *30* minutes.', refs: ['abc234' as Ref] }],
  sentences: { total: 5, uncited: 2 },
  outcome: 'answered',
  mode: 'tools',
  model: 'qwen3:8b',
  tier: TIER,
  spend: { turns: 3, toolCalls: 2, tokens: 12_345, seconds: 4.2 },
  warnings: ['the server cut the prompt'],
  ms: 4210,
};
export const extract: Answer = {
  ...answer,
  mode: 'extract',
  removed: [],
  unsupported: [],
  sentences: { total: 2, uncited: 0 },
  warnings: [],
  spend: NOTHING_SPENT,
  ms: 37,
};

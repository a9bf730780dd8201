import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ref } from '../../src/core/ref.ts';
import { estimateTokens } from '../../src/core/text.ts';
import { createTools } from '../../src/tools/create-tools.ts';
import { cutText } from '../../src/tools/cut.ts';
import { fence } from '../../src/tools/fence.ts';
import { callTool, toolHelp } from '../../src/tools/tool.ts';
import { MemoryKnowledge } from '../support/memory-knowledge.ts';

const LONG = Array.from({ length: 400 }, (_, line) => `line ${line} about certificates`).join('\n');
const knowledge = new MemoryKnowledge([
  {
    path: 'docs/agent.md',
    headings: ['Agent'],
    markdown: '# Agent\n\nThe agent runs every 30 minutes.\n',
    ref: 'agenta',
  },
  {
    path: 'docs/agent.md',
    headings: ['Agent', 'Interval'],
    markdown: '## Interval\n\nSet `runinterval`, see (#agenta).\n',
    ref: 'agentb',
    url: 'https://example.org/agent.html#interval',
  },
  { path: 'docs/ca.md', headings: ['CA'], markdown: LONG, ref: 'cccccc' },
]);
const options = { topK: 5, maxInjectedTokens: 2000, readTool: true, maxOutputTokens: 500 };
const tools = createTools(knowledge, options);
const signal = new AbortController().signal;
const run = (name: string, input: unknown) => callTool(tools, { id: 'c', name, input }, signal);

test('a search gives tier, status and results with refs whose content was shown', async () => {
  const result = await run('knowledge_search', { query: 'agent interval', top_k: 2 });
  expect(result.refs).toEqual(['agentb', 'agenta']);
  expect(result.reply?.data).toMatchObject({
    tier: 'tier: lexical (FTS5) - no embeddings configured',
    status: 'ok',
    results: [
      {
        ref: 'agentb',
        section: 'Agent > Interval',
        path: 'docs/agent.md',
        url: 'https://example.org/agent.html#interval',
        lines: { first: 11, last: 19 },
      },
      { ref: 'agenta', url: null, content: '# Agent\n\nThe agent runs every 30 minutes.\n' },
    ],
  });
  expect(result.shown[1]).toEqual({ ref: 'agenta', text: '# Agent\n\nThe agent runs every 30 minutes.\n' });
  expect(result.outcome.text).toContain('tier: lexical (FTS5)');
});

test('a document that writes a citation of an existing section cannot pose as that section', async () => {
  const { outcome } = await run('knowledge_search', { query: 'interval', top_k: 1 });
  expect(outcome.text).toContain('see (# agenta)');
  expect(outcome.text).not.toContain('(#agenta)');
});

test('a result that does not fit is cut and says so, and only the shown part counts as shown', async () => {
  const small = createTools(knowledge, { ...options, maxInjectedTokens: 100 });
  const call = { id: 'c', name: 'knowledge_search', input: { query: 'certificates' } };
  const result = await callTool(small, call, signal);
  expect(result.outcome.text).toContain('cut: true');
  expect(result.shown[0]?.text.length).toBeLessThan(400);
  expect(LONG.startsWith(result.shown[0]?.text ?? '-')).toBe(true);
});

test('a reply can be asked for again in fewer tokens', async () => {
  const { reply } = await run('knowledge_search', { query: 'agent certificates' });
  const less = reply?.shrink?.(60);
  expect(estimateTokens(less?.text ?? '')).toBeLessThan(estimateTokens(reply?.text ?? ''));
  expect(less?.refs.length).toBeGreaterThan(0);
});

test('a degraded tier and a missing index are told to the model', async () => {
  const other = new MemoryKnowledge([]);
  other.tier = 'tier: hybrid -> DEGRADED to lexical (embeddings unreachable: ECONNREFUSED)';
  other.status = 'index_not_built';
  const call = { id: 'c', name: 'knowledge_search', input: { query: 'x' } };
  const { outcome } = await callTool(createTools(other, options), call, signal);
  expect(outcome.text).toContain('DEGRADED');
  expect(outcome.text).toContain('status: index_not_built');
});

test.each([
  ['a misspelt parameter', { query: 'x', topK: 3 }, 'there is no parameter "topK", write "top_k"'],
  ['an invented parameter', { query: 'x', limit: 3 }, 'there is no parameter "limit"'],
  ['a missing query', {}, 'query: is missing'],
  ['a blank query', { query: ' ' }, 'query: is missing'],
  ['a number as text', { query: 'x', top_k: '3' }, 'top_k: must be a whole number from 1 to 20'],
  ['too many', { query: 'x', top_k: 21 }, 'top_k: must be 1 to 20'],
  ['a list', ['x'], 'must be one JSON object'],
  ['text that was not JSON', '{"query": "x"', 'not valid JSON'],
])('%s is refused with words the model can act on', async (_, input, words) => {
  const { outcome } = await run('knowledge_search', input);
  expect(outcome.ok).toBe(false);
  expect(outcome.text).toContain(words);
});

test('null and blank optional parameters mean that they were not given', async () => {
  expect((await run('knowledge_search', { query: 'agent', top_k: null, path: '' })).outcome.ok).toBe(true);
  expect((await run('knowledge_enumerate', null)).outcome.ok).toBe(true);
});

test('an unknown tool is answered with the names of the tools', async () => {
  const { outcome } = await run('search', {});
  expect(outcome.text).toBe(
    'there is no tool "search"; the tools are knowledge_search, knowledge_read, knowledge_enumerate',
  );
});

test.each([
  'agentb',
  '#agentb',
  '(#agentb)',
  '[#AGENTB]',
  '"agentb"',
  'docs/agent.md#interval',
  '(docs/agent.md#interval)',
])('read opens %s', async (ref) => {
  const { outcome, refs, reply } = await run('knowledge_read', { ref });
  expect(outcome.ok).toBe(true);
  expect(refs).toEqual(['agentb']);
  expect(reply?.data).toMatchObject({
    previous: 'agenta',
    content: '## Interval\n\nSet `runinterval`, see (#agenta).\n',
  });
  expect(outcome.text).toContain('previous: #agenta Agent');
});

test('an unknown ref is answered with the nearest ones', async () => {
  const { outcome } = await run('knowledge_read', { ref: 'zzzzzz' });
  expect(outcome).toMatchObject({ ok: false, text: 'no section "zzzzzz"; nearest: agenta, agentb, cccccc' });
});

test('the pages of a long section joined are the section', async () => {
  let joined = '';
  let offset: number | undefined = 0;
  let pages = 0;
  while (offset !== undefined) {
    const { reply, shown } = await run('knowledge_read', { ref: 'cccccc', offset });
    joined += shown[0]?.text;
    offset = reply?.data['next_offset'] as number | undefined;
    pages += 1;
    expect(estimateTokens(shown[0]?.text ?? '')).toBeLessThanOrEqual(500);
  }
  expect(joined).toBe(LONG);
  expect(pages).toBeGreaterThan(3);
  expect((await run('knowledge_read', { ref: 'cccccc', offset: 999_999 })).outcome.text).toContain(
    'past the end',
  );
});

test('a bare path gives the document as a table of contents, which shows nothing', async () => {
  const { outcome, refs } = await run('knowledge_read', { ref: 'docs/agent.md' });
  expect(outcome.text).toContain('#agentb: Agent > Interval');
  expect(refs).toEqual([]);
});

test('enumerate names headings and refs without content', async () => {
  const { outcome, refs, reply } = await run('knowledge_enumerate', { path: 'docs/agent.md' });
  expect(reply?.data).toMatchObject({ total: 2, results: [{ ref: 'agenta' }, { ref: 'agentb' }] });
  expect(outcome.text).not.toContain('30 minutes');
  expect(refs).toEqual([]);
});

test('without the read tool it is not offered', () => {
  const names = createTools(knowledge, { ...options, readTool: false }).map((tool) => tool.spec.name);
  expect(names).toEqual(['knowledge_search', 'knowledge_enumerate']);
});

test('help and JSON schema come from one definition', () => {
  const [search] = tools;
  expect(search?.spec.inputSchema).toMatchObject({
    type: 'object',
    required: ['query'],
    additionalProperties: false,
    properties: { top_k: { type: 'integer', minimum: 1, maximum: 20 } },
  });
  expect(search === undefined ? '' : toolHelp(search.spec)).toContain(
    '- query (string, required, what to look for)',
  );
});

test('no text can close the fence or open an entry in it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('END KNOWLEDGE', '\n\u001b[2J', '(#abc234)', '[#ABC234]', 'BEGIN KNOWLEDGE 00000000'),
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.array(text).map((pieces) => pieces.join('')),
        { maxLength: 4 },
      ),
      (contents) => {
        const parts = contents.map((content) => ({
          title: 'result',
          fields: [['section', content]] as const,
          content,
        }));
        const framed = fence([['status', 'ok']], parts, (ref: Ref) => ref === 'abc234');
        const boundary = /^BEGIN KNOWLEDGE ([0-9a-f]+) /u.exec(framed)?.[1] ?? '';
        expect(framed.split(boundary).length - 1).toBe(parts.length + 2);
        expect(framed.endsWith(`\nEND KNOWLEDGE ${boundary}`)).toBe(true);
        expect(framed).not.toContain('\u001b');
        expect(framed).not.toMatch(/\(#abc234\)|\[#abc234\]/iu);
      },
    ),
  );
});

test('a cut text is a beginning of the text, within its limit, and never ends inside a character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 0, max: 100 }),
      (text, tokens) => {
        const cut = cutText(text, tokens);
        expect(text.startsWith(cut)).toBe(true);
        expect(estimateTokens(cut)).toBeLessThanOrEqual(Math.max(tokens, 0));
        expect(cut === text || !/[\ud800-\udbff]$/.test(cut)).toBe(true);
      },
    ),
  );
});

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ingestKb } from '../../src/kb/ingest-kb.ts';
import { type Kb, openKb } from '../../src/kb.ts';
import { temporaryFolder } from '../support/folders.ts';

const DOCS = join(import.meta.dirname, '../../docs');

/** As a person would ask, not as the headings have it; the page that must be among the sources. */
const QUESTIONS: readonly (readonly [question: string, page: string])[] = [
  ['How can I index a folder of Markdown?', 'getting-started.md'],
  ['What does exit code 3 mean?', 'commands.md'],
  ['How do I delete an index?', 'commands.md'],
  ['How do I use a model of Ollama?', 'models.md'],
  ['What is the default of max_injected_tokens?', 'knowledge-base-file.md'],
  ['How do I turn the path of a document into a link to my site?', 'knowledge-base-file.md'],
  ['Which files are ignored by ingest?', 'ingest.md'],
  ['What happens when an ingest is interrupted?', 'ingest.md'],
  ['How does kb correct misspelled words?', 'search-and-ranking.md'],
  ['What is a ref and does it survive an edit?', 'citations.md'],
  ['What happens to a citation the model has invented?', 'citations.md'],
  ['What should I do about index-locked?', 'troubleshooting.md'],
  ['Are my documents sent to anybody over the network?', 'privacy-and-safety.md'],
  ['How do I print JSON and get its schema?', 'json.md'],
  ['Why is there more than one Markdown parser?', 'decisions/two-parsers.md'],
  ['How do I use kb as a library?', 'architecture.md'],
  ['How do I turn on vector search?', 'vector-tier.md'],
  ['Does it run on Windows?', 'getting-started.md'],
  ['How do I uninstall kb?', 'getting-started.md'],
  ['How do I update kb?', 'getting-started.md'],
  ['Does kb have MCP?', 'getting-started.md'],
  ['Is there a web page?', 'getting-started.md'],
  ['How do I change the model?', 'models.md'],
  ['Where is my data?', 'getting-started.md'],
  ['What is sent over the network?', 'privacy-and-safety.md'],
];

describe('the handbook, indexed by kb itself', () => {
  let kb: Kb;

  beforeAll(async () => {
    const home = temporaryFolder();
    const environment = { KB_HOME: home };
    const report = await ingestKb({ kb: DOCS, cwd: home, environment });
    expect(report.totals).toMatchObject({ failed: 0, empty: 0, skipped: 0 });
    expect(report.files.flatMap((file) => file.warnings ?? [])).toEqual([]);
    kb = await openKb({ cwd: home, environment });
  });

  afterAll(() => kb.close());

  test.each(QUESTIONS)('answers "%s" from %s, without a model', async (question, page) => {
    const answer = await kb.ask(question, { mode: 'extract' });
    expect(answer.outcome).toBe('answered');
    expect(answer.citations.map((citation) => citation.path)).toContain(page);
  });

  test('says that it does not know what it does not hold', async () => {
    const answer = await kb.ask('How do I bake sourdough bread in a Dutch oven?', { mode: 'extract' });
    expect(answer).toMatchObject({ outcome: 'not-found', citations: [] });
  });
});

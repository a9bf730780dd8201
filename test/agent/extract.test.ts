import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXTRACT_LABEL, EXTRACT_UNITS } from '../../src/agent/extract.ts';
import { coverage, isFound } from '../../src/agent/found.ts';
import { plainText } from '../../src/agent/plain.ts';
import { stripControls } from '../../src/core/text.ts';
import { askScripted } from '../support/asking.ts';
import { MemoryKnowledge } from '../support/memory-knowledge.ts';

const extractOf = (question: string, knowledge?: MemoryKnowledge) =>
  askScripted([], { mode: 'extract', question, ...(knowledge === undefined ? {} : { knowledge }) });

describe('an extract', () => {
  test('is lines of the best sections, verbatim, cited and labelled, without a model', async () => {
    const { answer, model } = await extractOf('How often does the agent run?');
    expect(model.requests).toEqual([]);
    expect(answer).toMatchObject({
      outcome: 'answered',
      mode: 'extract',
      removed: [],
      unsupported: [],
      warnings: [],
    });
    expect(answer.model).toBeUndefined();
    expect(answer.markdown).toBe(`${EXTRACT_LABEL}\n\n- The agent runs every 30 minutes. [1]`);
    expect(answer.citations.map((citation) => citation.ref)).toEqual(['agenta']);
    expect(answer.sentences).toEqual({ total: 1, uncited: 0 });
  });

  test('is not found when nothing scores or too little of the question is held', async () => {
    for (const question of ['kafka zookeeper?', '', '???', 'agent kafka topic partition zookeeper']) {
      const { answer } = await extractOf(question);
      expect(answer).toMatchObject({ outcome: 'not-found', citations: [], mode: 'extract' });
      expect(answer.markdown).toBe('The knowledge base does not answer this question.');
    }
  });

  test('takes list items together with the line that announces them', async () => {
    const knowledge = new MemoryKnowledge([
      {
        path: 'a.md',
        headings: ['Modes'],
        markdown:
          '# Modes\n\nUnrelated words here.\n\nThe startup mode can be:\n\n- Automatic\n- Manual\n\n```ini\nmode = manual\n```\n',
        ref: 'modesa',
      },
    ]);
    const { answer } = await extractOf('which startup mode values', knowledge);
    expect(answer.markdown).toContain('- The startup mode can be: [1]\n  - Automatic [1]\n  - Manual [1]');
  });

  test('takes a step of a list together with the code block that belongs to it', async () => {
    const knowledge = new MemoryKnowledge([
      {
        path: 'a.md',
        headings: ['Steps'],
        markdown:
          '## Steps\n\n1. Stop the service first of all.\n2. Clean the certificate store:\n\n   ```sh\n   kb clean --all\n   ```\n',
        ref: 'stepsa',
      },
    ]);
    const { answer } = await extractOf('How do I clean the certificate store?', knowledge);
    expect(answer.markdown).toContain('- Clean the certificate store: [1]\n\n```\nkb clean --all\n```');
    expect(answer).toMatchObject({ unsupported: [], sentences: { uncited: 0 } });
  });

  test('begins with the section whose heading asks the question, not with a line that shares a word', async () => {
    const knowledge = new MemoryKnowledge([
      {
        path: 'a.md',
        headings: ['Colours'],
        markdown: 'A line about vector drawings and search boxes on the page.',
        ref: 'colour',
      },
      {
        path: 'b.md',
        headings: ['How do I turn on vector search?'],
        markdown: 'Add a block to the settings and ingest again.\n\nIt may be removed later. Yes.',
        ref: 'vector',
      },
    ]);
    const { answer } = await extractOf('How do I turn on vector search?', knowledge);
    expect(answer.markdown.split('\n')[2]).toBe('- Add a block to the settings and ingest again. [1]');
    expect(answer.markdown).not.toContain('Yes.');
    expect(answer.citations[0]?.ref).toBe('vector');
  });

  test('cites no section that is far weaker than the best', async () => {
    const knowledge = new MemoryKnowledge([
      {
        path: 'a.md',
        headings: ['Agent run interval'],
        markdown: 'The run interval of the agent is set with runinterval.',
        ref: 'agenta',
      },
      { path: 'b.md', headings: ['Other'], markdown: 'An agent of the state came by train.', ref: 'otherb' },
    ]);
    const { answer } = await extractOf('agent run interval runinterval', knowledge);
    expect(answer.citations.map((citation) => citation.ref)).toEqual(['agenta']);
  });

  test('shows text of documents as inert as text of a model', async () => {
    const knowledge = new MemoryKnowledge([
      {
        path: 'a.md',
        headings: ['Agent'],
        markdown:
          'The agent \u001b[31mruns <script>alert(1)</script> daily ![x](http://evil.example) [7] (#zzzzzz) (#agentb).\n',
        ref: 'agenta',
      },
      { path: 'b.md', headings: ['B'], markdown: 'Other.', ref: 'agentb' },
    ]);
    const { answer } = await extractOf('agent runs daily', knowledge);
    expect(answer.markdown).not.toMatch(/<script|evil|zzzzzz|\[7\]/u);
    expect(stripControls(answer.markdown)).toBe(answer.markdown);
    expect(answer.citations.map((citation) => citation.ref)).toEqual(['agenta']);
  });

  test('of any sections has at most six lines, each cited and in its section', async () => {
    const line = fc.constantFrom(
      'The agent runs daily.',
      '- agent item',
      '| agent | row |',
      '## agent heading',
      '```\nagent code\n```',
      'Agent `x_y` v1.2.3.',
      '',
      'agent:',
      '> agent quote',
    );
    const section = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(fc.array(section, { minLength: 1, maxLength: 8 }), async (sections) => {
        const knowledge = new MemoryKnowledge(
          sections.map((markdown, index) => ({ path: `p${index}.md`, headings: ['agent'], markdown })),
        );
        const { answer } = await extractOf('agent', knowledge);
        expect(answer.unsupported).toEqual([]);
        expect(answer.sentences.uncited).toBe(0);
        const lines = answer.markdown.split('\n').filter((text) => /^ *- /u.test(text));
        expect(lines.length).toBeLessThanOrEqual(EXTRACT_UNITS);
        for (const text of lines) {
          const words = text
            .replace(/^ *- /u, '')
            .replace(/ ?\[\d+\]:?/gu, '')
            .replace(/^Code$/u, '');
          const held = sections.some(
            (markdown) =>
              plainText(markdown, { keepCode: true })
                .replace(/^> /gmu, '')
                .replace(/\s+/gu, ' ')
                .includes(words) || words.includes(' - '),
          );
          expect(held).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the rule for not found', () => {
  const knowledge = new MemoryKnowledge([
    { path: 'a.md', headings: ['Agent'], markdown: 'The agent runs hourly and sends reports.' },
    { path: 'b.md', headings: ['Server'], markdown: 'The server compiles catalogs for the agent.' },
  ]);
  const judge = async (question: string) => {
    const { hits, explanation } = await knowledge.search({ text: question, explain: true, topK: 10 });
    if (explanation === undefined) throw new Error('asked for, but not explained');
    return { found: isFound(hits, explanation), share: coverage(hits, explanation) };
  };

  test('a question whose words stand in one section is found', async () => {
    expect(await judge('which reports does it send')).toMatchObject({ found: true });
    expect((await judge('agent runs hourly')).share).toBe(1);
  });

  test('a word no section holds counts as the rarest', async () => {
    expect((await judge('agent kafka queue')).share).toBeLessThan(0.4);
    expect(await judge('agent kafka queue')).toMatchObject({ found: false });
    expect((await judge('')).share).toBe(0);
  });

  test('is a share between 0 and 1 for any question', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (question) => {
        const { share } = await judge(`${question} agent`);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(1);
      }),
    );
  });
});

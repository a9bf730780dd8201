import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { removeFromIndex } from '../../src/kb/remove.ts';
import { TestBase } from '../support/knowledge-base.ts';

const WORDS = 'agent server certificate report catalog module fact environment node class'.split(' ');

const page = fc
  .array(fc.array(fc.constantFrom(...WORDS), { minLength: 3, maxLength: 60 }), { minLength: 1, maxLength: 4 })
  .map((sections) => sections.map((text, n) => `# Part ${n} ${text[0]}\n\n${text.join(' ')}\n`).join('\n'));
const state = fc.record(
  { 'a.md': page, 'b.md': page, 'c.md': page, 'd.md': page, 'e.md': page },
  { requiredKeys: ['a.md'] },
);

/** Score by ref of every section, for a query of all words. */
async function scores(base: TestBase): Promise<Record<string, number>> {
  const { hits } = await base.use((kb) => kb.search({ text: WORDS.join(' '), topK: 10 }));
  return Object.fromEntries(hits.map((hit) => [hit.ref, Number(hit.score.toFixed(9))]));
}

test('an index that has seen edits scores as one made today', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(state, { minLength: 2, maxLength: 4 }),
      fc.boolean(),
      async (states, reindex) => {
        const edited = new TestBase();
        for (const files of states) {
          rmSync(edited.docs, { recursive: true, force: true });
          edited.write(files as Record<string, string>);
          await edited.ingest({ force: true, reindex });
        }
        const fresh = new TestBase(states.at(-1) as Record<string, string>);
        await fresh.ingest();
        expect(await scores(edited)).toEqual(await scores(fresh));
      },
    ),
    { numRuns: 8 },
  );
});

test('an index a document was taken out of scores as one that never had it', async () => {
  const files = {
    'a.md': '# A\n\nagent server agent\n',
    'b.md': '# B\n\nserver node\n',
    'c.md': '# C\n\nagent node\n',
  };
  const [taken, never] = [new TestBase(files), new TestBase(files)];
  await taken.ingest();
  removeFromIndex(taken.indexPath, 'b.md');
  rmSync(join(never.docs, 'b.md'));
  await never.ingest();
  expect(await scores(taken)).toEqual(await scores(never));
});

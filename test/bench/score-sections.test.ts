import { beforeAll, expect, test } from 'vitest';
import { scoreQuestions } from '../../src/bench/score-sections.ts';
import { TestBase } from '../support/knowledge-base.ts';

const base = new TestBase({
  'a.md': '# Lantern\n\nA lantern is lit at dusk.\n\n## Oil\n\nOnly clean oil burns.\n',
  'b.md': '# Quarry\n\nStones are cut in the quarry.\n',
});
beforeAll(async () => {
  await base.ingest();
});

test('recall counts every relevant section, answers only those of the highest grade', async () => {
  const relevant = [
    { path: 'a.md', line: 1, grade: 2 },
    { path: 'b.md', line: 1, grade: 1 },
  ];
  const asked = (id: string, question: string) => ({ id, kind: 'k', question, relevant });
  const scored = await base.use((kb) =>
    scoreQuestions(kb, [asked('both', 'lantern quarry'), asked('best', 'dusk'), asked('other', 'stones')]),
  );
  expect(scored.map((one) => [one.id, one['recall@50'], one['answers@50']])).toEqual([
    ['both', 1, 1],
    ['best', 0.5, 1],
    ['other', 0.5, 0],
  ]);
  expect(scored[1]?.ranks).toEqual([1, null]);
});

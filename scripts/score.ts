// Scores a knowledge base on questions with known sections:
//   npm run score -- FILE [--kb NAME] [--questions] [--extract] [--json]
// FILE has one JSON object a line: id, kind, question, relevant [{path, line, grade}]. A hit counts for the section
// whose heading line it carries. With --extract each question is asked in extract mode instead. The knowledge base is the one ingested last unless named.
import { parseArgs } from 'node:util';
import { readQuestions } from '../src/bench/questions.ts';
import { scoreExtracts } from '../src/bench/score-extract.ts';
import { SCORES, scoreQuestions, summarise } from '../src/bench/score-sections.ts';
import { KbError } from '../src/core/errors.ts';
import { openKb } from '../src/kb.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kb: { type: 'string', short: 'k' },
    json: { type: 'boolean' },
    questions: { type: 'boolean' },
    extract: { type: 'boolean' },
  },
});

async function main(file: string | undefined): Promise<void> {
  if (file === undefined) {
    throw new KbError(
      'usage-invalid',
      'name a file of questions',
      { argument: 'FILE' },
      { hint: 'npm run score -- FILE' },
    );
  }
  const kb = await openKb({
    environment: process.env,
    ...(values.kb === undefined ? {} : { kb: values.kb }),
  });
  try {
    await kb.stats(); // says what to do when nothing has been ingested
    if (values.extract === true) {
      printExtracts(await scoreExtracts(kb, readQuestions(file)));
      return;
    }
    const scored = await scoreQuestions(kb, readQuestions(file));
    const summary = summarise(scored);
    if (values.json === true)
      console.log(JSON.stringify({ scores: Object.fromEntries(summary), questions: scored }, null, 2));
    else printTable(summary);
    if (values.questions === true && values.json !== true)
      for (const one of scored) console.log(formatQuestion(one));
  } finally {
    kb.close();
  }
}

function printTable(summary: Awaited<ReturnType<typeof summarise>>): void {
  console.log(
    `${'kind'.padEnd(14)}${'n'.padStart(5)}${SCORES.map((column) => column.padStart(11)).join('')}`,
  );
  for (const [kind, scores] of summary) {
    const cells = SCORES.map((column) => scores[column].toFixed(4).padStart(11)).join('');
    console.log(`${kind.padEnd(14)}${String(scores.questions).padStart(5)}${cells}`);
  }
}

function printExtracts(scores: Awaited<ReturnType<typeof scoreExtracts>>): void {
  if (values.json === true) {
    console.log(JSON.stringify({ extracts: Object.fromEntries(scores) }, null, 2));
    return;
  }
  console.log(
    `${'kind'.padEnd(14)}${'n'.padStart(5)}${'answered'.padStart(11)}${'correct source'.padStart(17)}`,
  );
  for (const [kind, { questions, answered, correctSource }] of scores) {
    const cells = [answered.toFixed(4).padStart(11), correctSource.toFixed(4).padStart(17)];
    console.log(`${kind.padEnd(14)}${String(questions).padStart(5)}${cells.join('')}`);
  }
}

function formatQuestion(one: Awaited<ReturnType<typeof scoreQuestions>>[number]): string {
  const ranks = one.ranks.map((rank) => rank ?? '-').join(',');
  return `${one.id} ${one.kind} ndcg ${one['ndcg@10'].toFixed(2)} ranks ${ranks}  ${one.question}`;
}

main(positionals[0]).catch((error: unknown) => {
  console.error(
    error instanceof KbError
      ? `${error.message}${error.hint === undefined ? '' : `\ntry: ${error.hint}`}`
      : error,
  );
  process.exitCode = error instanceof KbError ? 2 : 70;
});

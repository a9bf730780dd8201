/** Asks one question through each provider and prints the answers; run in an environment full of foreign variables. */
import { anthropicAt, ask, openAiAt } from './support.ts';

const server = { origin: process.argv[2] ?? '' };
const answers = [await ask(await openAiAt(server)), await ask(await anthropicAt(server))];
process.stdout.write(JSON.stringify(answers.map((answer) => answer.message.text)));

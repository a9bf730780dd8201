import { Command } from 'commander';
import { nearest } from '../config/nearest.ts';
import { KbError } from '../core/errors.ts';
import type { Context } from './context.ts';
import type { ExitCode } from './render/errors.ts';
import { parseText } from './values.ts';
import { VERSION } from './version.ts';

/** Ends the process with this code once everything is written. */
export type Finish = (code: ExitCode) => void;

const EXAMPLES = `
Examples:
  kb ingest ./docs                     index a folder of Markdown
  kb ingest openvox-docs               index what corpora/openvox-docs.yaml describes
  kb search "where does puppet.conf live"
  kb read abc234                       the section a ref names, or path#anchor
  kb ask "What port does OpenVox Server listen on?"

Exit codes: 0 answered, 1 not found (or unsupported with --strict), 2 usage or settings, 3 index,
4 model, 5 budget, 70 bug, 130 interrupted.`;

/** The words of the command line. Each command's code is loaded when it is called. */
export function buildProgram(context: Context, finish: Finish): Command {
  const program = new Command('kb')
    .description('Answers questions about Markdown documentation, with citations you can open and check.')
    .version(VERSION)
    .enablePositionalOptions()

    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments()
    .action(() => {
      const [word] = program.args;
      if (word !== undefined) throw unknownCommand(word, program);
      program.outputHelp();
    });
  addIngest(program, context, finish);
  addSearch(program, context, finish);
  addRead(program, context, finish);
  addAsk(program, context, finish);
  addUpkeep(program, context, finish);
  addMeasuring(program, context, finish);
  addRemoval(program, context, finish);
  addHelp(program);
  return program;
}

/** Said here because a program with an action of its own takes an unknown command for an argument too many. */
function unknownCommand(word: string, program: Command): KbError {
  const near = nearest(
    word,
    program.commands.map((command) => command.name()),
  );
  const guess = near === undefined ? '' : `; did you mean ${near}?`;
  return new KbError(
    'usage-invalid',
    `no command "${word}"${guess}`,
    { argument: word },
    { hint: near === undefined ? 'kb --help' : `kb ${near} --help` },
  );
}

function addHelp(program: Command): void {
  program
    .command('help [command]')
    .allowExcessArguments(false)
    .description('Show what a command does, and its options.')
    .action((name: string | undefined) => {
      const command = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (command === undefined) throw unknownCommand(name ?? '', program);
      command.outputHelp();
    });
}

function common(command: Command): Command {
  return command
    .allowExcessArguments(false)
    .option(
      '-k, --kb <name>',
      'knowledge base: a name, a folder or a YAML file (default: the one ingested last)',
    )
    .option('--config <file>', 'knowledge-base file to use')
    .option('--json', 'print one JSON document (kb schema COMMAND describes it)');
}

function addIngest(program: Command, context: Context, finish: Finish): void {
  common(program.command('ingest [kb]'))
    .description('Index a folder or a described knowledge base; unchanged files are kept as they are.')
    .option('--source <name=folder>', 'use a local folder instead of cloning a source (repeatable)', collect)
    .option('--name <name>', 'name of the index')
    .option('--reindex', 'parse every file again; with embeddings, make every vector anew')
    .option('--force', 'allow a path to lose all its documents, or take over an index of the same name')
    .option('--compact', 'give freed space back to the disk')
    .option('--dry-run', 'say what would be indexed and embedded, and change nothing')
    .option('-v, --verbose', 'say what became of each file')
    .addHelpText(
      'after',
      '\nExamples:\n  kb ingest ./docs\n  kb ingest openvox-docs --source openvox-docs=../openvox-docs',
    )
    .action(async (word: string | undefined, options) => {
      const { ingestCommand } = await import('./commands/ingest.ts');
      finish(await ingestCommand(context, word, options));
    });
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function addSearch(program: Command, context: Context, finish: Finish): void {
  common(program.command('search <query...>'))
    .description('Find sections. Any text is a query; after -- it may begin with a dash.')
    .option('-n, --top-k <count>', 'sections to show')
    .option('-p, --path <prefix>', 'only documents at or below this path')
    .option('--where <key=value>', 'only documents whose front matter says so (repeatable)', collect)
    .option('--max-injected-tokens <count>', 'tokens all contents together may have (--json)')
    .option('--tier <tier>', 'lexical, vector or hybrid (default: the best there is)')
    .option('--fusion <way>', 'how hybrid joins its lists: rrf or minmax')
    .option('--explain', 'show how the words were read and how scores came about')
    .addHelpText(
      'after',
      '\nExamples:\n  kb search reports retention\n  kb search -n 10 --path openvox-docs/docs/_openvoxdb_8x "node ttl"\n  kb search -- --no-daemonize',
    )
    .action(async (words: string[], options) => {
      const query = parseText('search', 'query', words);
      const { searchCommand } = await import('./commands/search.ts');
      finish(await searchCommand(context, query, options));
    });
}

function addRead(program: Command, context: Context, finish: Finish): void {
  common(program.command('read <address>'))
    .description(
      'Print a section as it stands in its file: by ref, path#anchor, or a whole document by path.',
    )
    .option('--render', 'lay the Markdown out for the terminal')
    .addHelpText('after', '\nExamples:\n  kb read abc234\n  kb read docs/install.md#windows')
    .action(async (address: string, options) => {
      const { readCommand } = await import('./commands/read.ts');
      finish(await readCommand(context, address, options));
    });
  common(program.command('list [prefix]'))
    .description('List documents, or with --outline their headings with refs.')
    .option('--outline', 'headings with refs')
    .option('--where <key=value>', 'only documents whose front matter says so (repeatable)', collect)
    .addHelpText('after', '\nExamples:\n  kb list\n  kb list --outline docs/install.md')
    .action(async (prefix: string | undefined, options) => {
      const { listCommand } = await import('./commands/list.ts');
      finish(await listCommand(context, prefix, options));
    });
}

function addAsk(program: Command, context: Context, finish: Finish): void {
  modelOptions(common(program.command('ask <question...>')))
    .description('Answer a question with citations. Without a model: an extract of the best sections.')
    .option(
      '--mode <mode>',
      'tools (the model searches), direct (one search, one call) or extract (no model)',
    )
    .option('--strict', 'exit with 1 when something in the answer is not supported by its sources')
    .addHelpText(
      'after',
      '\nExamples:\n  kb ask "What port does OpenVox Server listen on?"\n  kb ask --mode extract "what is a node ttl"\n  kb ask --provider openai --base-url http://127.0.0.1:11434/v1 --model qwen3:8b "…"',
    )
    .action(async (words: string[], options) => {
      const question = parseText('ask', 'question', words);
      const { askCommand } = await import('./commands/ask.ts');
      finish(await askCommand(context, question, options));
    });
}

function modelOptions(command: Command): Command {
  return command
    .option('--provider <name>', 'openai (any compatible server), anthropic or none')
    .option('--base-url <url>', 'address of the model server')
    .option('--model <name>', 'model to ask')
    .option('--key-env <variable>', 'environment variable that holds the key')
    .option('--max-tokens <count>', 'tokens one question may cost')
    .option('--max-iterations <count>', 'turns one question may take')
    .option('--call-timeout <time>', 'longest silence of the server, e.g. 120s');
}

function addUpkeep(program: Command, context: Context, finish: Finish): void {
  common(program.command('stats'))
    .description('What the index holds, and how fresh it is.')
    .action(async (options) => {
      const { statsCommand } = await import('./commands/stats.ts');
      finish(await statsCommand(context, options));
    });
  common(program.command('doctor'))
    .description('Check index, sources and settings, and say what mends them.')
    .action(async (options) => {
      const { doctorCommand } = await import('./commands/doctor.ts');
      finish(await doctorCommand(context, options));
    });
  modelOptions(common(program.command('info [kb]')))
    .description('Show settings with their origin, and all a model would see: prompt, tools, budget.')
    .action(async (word: string | undefined, options) => {
      const { infoCommand } = await import('./commands/info.ts');
      finish(await infoCommand(context, word, options));
    });
  program
    .command('schema [command]')
    .allowExcessArguments(false)
    .description('Print the JSON Schema of what a command prints with --json.')
    .action(async (name: string | undefined) => {
      const { schemaCommand } = await import('./commands/schema.ts');
      finish(await schemaCommand(context, name));
    });
}

function addMeasuring(program: Command, context: Context, finish: Finish): void {
  modelOptions(common(program.command('bench')))
    .description('Measure how well and how fast sections are found, tier by tier.')
    .option('--questions <file>', 'questions with the sections that answer them, one JSON object a line')
    .option('--dataset <folder>', 'BEIR folder to ingest and measure on, instead of a knowledge base')
    .option('--split <name>', 'judgments of the folder: qrels/NAME.tsv (default: test)')
    .option('--format <format>', 'what the texts of the folder are: markdown or text (default: text)')
    .option('--work <folder>', "keep the folder's index here for the next time")
    .option('--tier <tiers>', 'lexical, vector, hybrid, with commas between (default: all there are)')
    .option('--fusion <way>', 'how hybrid joins its lists: rrf or minmax')
    .option('--level <level>', 'judge sections, or documents by their best sections')
    .option('--depth <count>', 'results ranked for each question (default: 100)')
    .option('--run <file>', 'TREC run of another program, scored beside the tiers (repeatable)', collect)
    .option('--run-out <file>', 'write what was found as a TREC run')
    .option('--save <file>', 'write the whole result, to compare with later')
    .option('--baseline <file>', 'compare with a saved result')
    .option('--fail-under', 'exit with 1 when a metric is worse than the baseline by more than its interval')
    .option('--markdown', 'print the tables as Markdown')
    .option('--html <file>', 'write one page with plots and every question')
    .option('--make-questions [file]', 'make questions from the links of the documents instead of measuring')
    .option('--model-questions <count>', 'of these, written by the model (default: 20 where there is one)')
    .addHelpText(
      'after',
      '\nExamples:\n  kb bench --make-questions questions.jsonl\n  kb bench --questions questions.jsonl --tier lexical,hybrid --html bench.html\n  kb bench --questions questions.jsonl --baseline before.json --fail-under',
    )
    .action(async (options) => {
      const { benchCommand } = await import('./commands/bench.ts');
      finish(await benchCommand(context, options));
    });
  common(program.command('why <query> <address>'))
    .description('Say why a section does or does not come for a query.')
    .addHelpText('after', '\nExamples:\n  kb why "how often does the agent run" docs/agent.md#interval')
    .action(async (query: string, address: string, options) => {
      const text = parseText('why', 'query', [query]);
      const { whyCommand } = await import('./commands/why.ts');
      finish(await whyCommand(context, text, address, options));
    });
}

function addRemoval(program: Command, context: Context, finish: Finish): void {
  common(program.command('rm <path>'))
    .description('Take the documents at or below a path out of the index.')
    .action(async (path: string, options) => {
      const { rmCommand } = await import('./commands/remove.ts');
      finish(await rmCommand(context, path, options));
    });
  common(program.command('reset'))
    .description('Delete an index.')
    .option('--force', 'really')
    .action(async (options) => {
      const { resetCommand } = await import('./commands/remove.ts');
      finish(await resetCommand(context, options));
    });
}

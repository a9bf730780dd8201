import { systemPrompt } from '../../agent/prompt.ts';
import { describeConfig, type SettingRow } from '../../config/describe.ts';
import { folderConfigWithOrigins, type LoadedConfig, loadConfigWithOrigins } from '../../config/load.ts';
import { resolveKnowledgeBase } from '../../config/workspace.ts';
import type { Budget } from '../../core/budget.ts';
import type { ToolSpec } from '../../core/chat.ts';
import { KbError } from '../../core/errors.ts';
import { budgetOf, defaultMode } from '../../kb/ask.ts';
import { asPath, locateKb } from '../../kb/locate.ts';
import { openKb } from '../../kb.ts';
import { IndexKnowledge } from '../../search/index-knowledge.ts';
import { createTools } from '../../tools/create-tools.ts';
import { type Context, printJson, whereOf } from '../context.ts';
import { type ModelOptions, overridesOf } from '../model-options.ts';
import { EXIT, type ExitCode } from '../render/errors.ts';
import { renderRows } from '../render/table.ts';
import { stylesOf } from '../render/terminal.ts';

interface Info {
  readonly knowledgeBase: string;
  readonly settings: readonly SettingRow[];
  readonly mode: string;
  readonly prompt: string;
  readonly tools: readonly ToolSpec[];
  readonly budget: Budget;
}

/** Everything that is decided before a question is asked: settings with their origin, prompt, tools, budget. */
export async function infoCommand(
  context: Context,
  word: string | undefined,
  options: ModelOptions,
): Promise<ExitCode> {
  const loaded = await load(context, word, options);
  const { config } = loaded;
  const mode = defaultMode(config);
  const { topK, maxInjectedTokens, readTool } = config.knowledge;
  const info: Info = {
    knowledgeBase: config.name,
    settings: describeConfig(config, loaded.origins, context.environment),
    mode,
    prompt: systemPrompt({
      hasTools: mode !== 'direct',
      ...(config.identity === undefined ? {} : { identity: config.identity }),
      ...(config.systemPrompt === undefined ? {} : { systemPrompt: config.systemPrompt }),
    }),
    tools: createTools(new IndexKnowledge(undefined), { topK, maxInjectedTokens, readTool }).map(
      (tool) => tool.spec,
    ),
    budget: budgetOf(config),
  };
  if (options.json === true) printJson(context, toJson(info));
  else context.print(format(context, info));
  return EXIT.answered;
}

/** By name, file or folder; with nothing named, what the last ingest used. Need not have been ingested. */
async function load(
  context: Context,
  word: string | undefined,
  options: ModelOptions,
): Promise<LoadedConfig> {
  const where = whereOf(context, word === undefined ? options : { ...options, kb: word });
  const overrides = overridesOf(options);
  const named = where.config === undefined ? where.kb : asPath(where.config);
  const { workspace } = locateKb(where);
  if (named !== undefined) {
    const meant = resolveKnowledgeBase(named, workspace);
    if (meant.kind === 'config') return loadConfigWithOrigins(meant.file, context.environment, overrides);
    if (meant.kind === 'folder') return folderConfigWithOrigins(meant.folder, context.environment, overrides);
  }
  const kb = await openKb(where);
  try {
    const { config } = kb;
    if (config === undefined) {
      throw new KbError(
        'usage-invalid',
        'name a knowledge base: nothing has been ingested yet',
        { argument: 'kb' },
        { hint: 'index a folder first: kb ingest ./FOLDER' },
      );
    }
    return config.file === undefined
      ? folderConfigWithOrigins(config.root, context.environment, overrides)
      : loadConfigWithOrigins(config.file, context.environment, overrides);
  } finally {
    kb.close();
  }
}

function format(context: Context, info: Info): string {
  const { bold } = stylesOf(context.stdout);
  // The value last: a list of patterns would push what stands after it out of sight.
  const rows = info.settings.map((row) => [row.key, { text: row.from, dim: true }, row.value]);
  const tools = info.tools.map(
    (tool) => `${bold(tool.name)}: ${tool.description}\n${JSON.stringify(tool.inputSchema)}`,
  );
  const { turns, toolCalls, tokens, seconds } = info.budget;
  return [
    `${bold('Settings')} of ${info.knowledgeBase}`,
    renderRows(rows, [{}, {}, { shrinkTo: 30 }], context.stdout),
    '',
    `${bold('Mode')}: ${info.mode}`,
    `${bold('Budget')} of one question: ${turns} turns, ${toolCalls} tool calls, ${tokens} tokens, ${seconds} s`,
    '',
    bold('Prompt'),
    info.prompt,
    '',
    bold('Tools'),
    ...tools,
  ].join('\n');
}

function toJson(info: Info): object {
  return {
    knowledge_base: info.knowledgeBase,
    settings: info.settings,
    mode: info.mode,
    prompt: info.prompt,
    tools: info.tools,
    budget: info.budget,
  };
}

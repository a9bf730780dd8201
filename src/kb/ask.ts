import { ask } from '../agent/ask.ts';
import type { Environment } from '../config/overrides.ts';
import type { Answer, AskMode } from '../core/answer.ts';
import type { Budget } from '../core/budget.ts';
import type { ChatModel } from '../core/chat.ts';
import type { Config } from '../core/config.ts';
import type { EventSink } from '../core/event.ts';
import type { Knowledge } from '../core/knowledge.ts';

export interface AskKnowledgeOptions {
  readonly config: Config;
  readonly knowledge: Knowledge;
  readonly environment: Environment;
  readonly mode?: AskMode;
  readonly signal?: AbortSignal;
  readonly onEvent?: EventSink;
  readonly budget?: Partial<Budget>;
  readonly model?: ChatModel;
}

/** Asks with the settings of a knowledge base. */
export async function askKnowledge(question: string, options: AskKnowledgeOptions): Promise<Answer> {
  const { config, knowledge } = options;
  const mode = options.mode ?? defaultMode(config, options.model);
  const model =
    mode === 'extract' ? undefined : (options.model ?? (await configuredModel(config, options.environment)));
  return ask(question, {
    knowledge,
    mode,
    ...(model === undefined ? {} : { model }),
    budget: { ...budgetOf(config), ...options.budget },
    replyTokens: config.llm.maxOutputTokens,
    topK: config.knowledge.topK,
    maxInjectedTokens: config.knowledge.maxInjectedTokens,
    readTool: config.knowledge.readTool,
    ...(config.identity === undefined ? {} : { identity: config.identity }),
    ...(config.systemPrompt === undefined ? {} : { systemPrompt: config.systemPrompt }),
    signal: options.signal ?? new AbortController().signal,
    emit: options.onEvent ?? (() => undefined),
    now: () => performance.now(),
  });
}

/** What one question may cost by the settings. */
export function budgetOf(config: Config): Budget {
  const { maxIterations, maxToolCalls, maxTokens, totalSeconds } = config.llm.budget;
  return { turns: maxIterations, toolCalls: maxToolCalls, tokens: maxTokens, seconds: totalSeconds };
}

export function defaultMode(config: Config, model?: ChatModel): AskMode {
  return config.llm.provider === 'none' && model === undefined ? 'extract' : 'tools';
}

/** The SDKs take a tenth to a quarter of a second to load: only when a model is asked. */
/** The model the settings name; loading its code waits for that. */
export async function configuredModel(
  config: Config,
  environment: Environment,
): Promise<ChatModel | undefined> {
  if (config.llm.provider === 'none') return undefined; // the agent says what is missing
  const { createChatModel } = await import('../models/create-model.ts');
  return createChatModel(config.llm, environment);
}

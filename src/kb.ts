import type { Environment, Overrides } from './config/overrides.ts';
import type { Answer, AskMode } from './core/answer.ts';
import type { Budget } from './core/budget.ts';
import type { ChatModel } from './core/chat.ts';
import type { Config } from './core/config.ts';
import type { Embedder } from './core/embedder.ts';
import { KbError } from './core/errors.ts';
import type { EventSink } from './core/event.ts';
import type { Knowledge, Outline, OutlineQuery, SectionLookup } from './core/knowledge.ts';
import type { DocumentScope } from './core/scope.ts';
import type { SearchQuery, SearchResult } from './core/search.ts';
import { type Located, locateKb, type Where } from './kb/locate.ts';
import { ingestCommandFor } from './kb/next-command.ts';
import { settingsOf } from './kb/settings.ts';
import { IndexKnowledge } from './search/index-knowledge.ts';
import { documentsUnder } from './store/documents.ts';
import { type IndexFile, openForReading } from './store/index-file.ts';
import { type Origin, readOrigin } from './store/origin.ts';
import { refuseVectorExtension } from './store/vector-extension.ts';
import type { Tool } from './tools/tool.ts';

export interface OpenOptions extends Where {
  readonly overrides?: Overrides;
  /** Given the embedder of the settings when a query needs it; what it gives back is used in its place. */
  readonly wrapEmbedder?: ((embedder: Embedder) => Embedder) | undefined;
}

export interface AskOptions {
  /** By default `tools` with a model and `extract` without one. */
  readonly mode?: AskMode;
  readonly signal?: AbortSignal;
  readonly onEvent?: EventSink;
  /** Limits below those of the settings. */
  readonly budget?: Partial<Budget>;
  /** Instead of the configured one. */
  readonly model?: ChatModel;
}

export interface ListedDocument {
  readonly path: string;
  readonly title: string;
  readonly status: 'indexed' | 'empty' | 'failed';
  /** Why it is not indexed. */
  readonly note?: string;
}

interface OpenIndex {
  readonly index: IndexFile;
  readonly origin: Origin;
  readonly config: Config;
}

/**
 * An opened knowledge base: everything that only reads. One that has not been ingested opens too; its answers say
 * `index_not_built`.
 */
export class Kb implements Knowledge {
  readonly located: Located;
  readonly #open: OpenIndex | undefined;
  readonly #knowledge: IndexKnowledge;
  readonly #environment: Environment;

  readonly #ingestHint: string;

  constructor(located: Located, open: OpenIndex | undefined, options: OpenOptions) {
    const { environment = {} } = options;
    this.located = located;
    this.#ingestHint = ingestCommandFor(options);
    this.#open = open;
    this.#knowledge = new IndexKnowledge(
      open === undefined ? undefined : { ...open, createEmbedder: embedderOf(open.config, options) },
    );
    this.#environment = environment;
  }

  /** Settings in force; undefined where nothing has been ingested. */
  get config(): Config | undefined {
    return this.#open?.config;
  }

  search(query: SearchQuery): Promise<SearchResult> {
    return this.#knowledge.search(query);
  }

  open(address: string): SectionLookup {
    return this.#knowledge.open(address);
  }

  outline(query: OutlineQuery): Promise<Outline> {
    return this.#knowledge.outline(query);
  }

  /** Documents of a scope, those without sections too. */
  documents(scope: DocumentScope = {}): ListedDocument[] {
    const { index } = this.#built();
    return documentsUnder(index, scope).map(({ path: name, title, status, note }) => ({
      path: name,
      title,
      status,
      ...(note === null ? {} : { note }),
    }));
  }

  /** The tools a model gets: knowledge_search, knowledge_read, knowledge_enumerate. */
  async tools(): Promise<readonly Tool[]> {
    const { createTools } = await import('./tools/create-tools.ts');
    const { topK, maxInjectedTokens, readTool } = this.#built().config.knowledge;
    return createTools(this.#knowledge, { topK, maxInjectedTokens, readTool });
  }

  /** A cited answer. Rejects with `model-*` where the model cannot be reached; everything else is an outcome. */
  async ask(question: string, options: AskOptions = {}): Promise<Answer> {
    const { config } = this.#built();
    const { askKnowledge } = await import('./kb/ask.ts');
    return askKnowledge(question, {
      config,
      knowledge: this.#knowledge,
      environment: this.#environment,
      ...options,
    });
  }

  /** The model of the settings; undefined where none is configured. */
  async model(): Promise<ChatModel | undefined> {
    const { configuredModel } = await import('./kb/ask.ts');
    return configuredModel(this.#built().config, this.#environment);
  }

  async stats(): Promise<import('./kb/stats.ts').Stats> {
    const { index, origin, config } = this.#built();
    const { statsOf } = await import('./kb/stats.ts');
    return statsOf(index, origin, config);
  }

  /** Of the documents, how they were cut, and the vectors' model: two indexes that share it find the same. */
  async identity(): Promise<string> {
    const { index, origin } = this.#built();
    const { indexIdentity } = await import('./kb/index-identity.ts');
    return indexIdentity(index, origin);
  }

  /** Why the section at a ref or `path#anchor` does or does not come for a query. Throws what a search throws. */
  async why(
    text: string,
    address: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<import('./kb/why.ts').Why> {
    const { index, config } = this.#built();
    const { explainSection } = await import('./kb/why.ts');
    return explainSection({ index, config, knowledge: this.#knowledge }, { text, address, signal });
  }

  /** Asks the model and embeddings servers that the settings name, and nobody else. Rejects with `aborted`. */
  async doctor(
    signal: AbortSignal = new AbortController().signal,
  ): Promise<import('./kb/doctor.ts').Check[]> {
    const { index, origin, config } = this.#built();
    const { workspace } = this.located;
    const { checkIndex, checkModel } = await import('./kb/doctor.ts');
    const { checkEmbeddings } = await import('./kb/doctor-embeddings.ts');
    return [
      ...checkIndex(index, origin, config, { cwd: workspace.start, corporaDir: workspace.corporaDir }),
      ...(await checkEmbeddings(index, config, this.#environment, signal)),
      ...(await checkModel(config, this.#environment)),
    ];
  }

  close(): void {
    this.#open?.index.close();
  }

  #built(): OpenIndex {
    if (this.#open !== undefined) return this.#open;
    const { name, indexPath, workspace } = this.located;
    const path = indexPath ?? workspace.indexesDir;
    const message =
      name === undefined
        ? `nothing has been ingested yet (looked in ${path})`
        : `"${name}" has not been ingested yet`;
    throw new KbError('index-missing', message, { path }, { hint: this.#ingestHint });
  }
}

/** Made when a query needs it: its code is slow to load. */
function embedderOf(config: Config, options: OpenOptions): (() => Promise<Embedder>) | undefined {
  const { embeddings } = config.knowledge;
  const { environment = {}, wrapEmbedder } = options;
  if (embeddings === undefined) return undefined;
  return async () => {
    const { createEmbedder } = await import('./models/create-embedder.ts');
    const embedder = await createEmbedder(embeddings, environment);
    return wrapEmbedder?.(embedder) ?? embedder;
  };
}

/** Variable that has vectors compared without sqlite-vec, should it do harm on a platform. */
const NO_EXTENSION = 'KB_NO_VECTOR_EXTENSION';

/** Opens a knowledge base for reading. Throws `index-*` for a file that is there but unusable, and config errors. */
export async function openKb(options: OpenOptions = {}): Promise<Kb> {
  const environment = options.environment ?? {};
  const located = locateKb(options);
  const index = openIfBuilt(located.indexPath);
  if (index === undefined) return new Kb(located, undefined, options);
  try {
    const origin = readOrigin(index);
    if (origin === undefined) {
      index.close();
      return new Kb(located, undefined, options);
    }
    const config = await settingsOf(origin, environment, options.overrides ?? {});
    if ((environment[NO_EXTENSION] ?? '') !== '') refuseVectorExtension(index, `${NO_EXTENSION} is set`);
    return new Kb(located, { index, origin, config }, options);
  } catch (error) {
    index.close();
    throw error;
  }
}

function openIfBuilt(path: string | undefined): IndexFile | undefined {
  if (path === undefined) return undefined;
  try {
    return openForReading(path);
  } catch (error) {
    if (error instanceof KbError && error.code === 'index-missing') return undefined;
    throw error;
  }
}

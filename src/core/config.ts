/** How anchors of headings are made; `auto` takes the rule that resolves most of a site's own fragment links. */
export const ANCHOR_RULES = [
  'github',
  'kramdown',
  'mkdocs',
  'pymdownx',
  'vitepress',
  'mdbook',
  'hugo',
  'blackfriday',
  'docfx',
  'rails',
  'nodedoc',
  'zola',
  'myst',
  'gitbook',
  'slate',
  'devsite',
  'obsidian',
] as const;
export type AnchorRule = (typeof ANCHOR_RULES)[number];

/** Site generators and hosts by name, each with the rule it makes anchors by. */
export const ANCHOR_ALIASES = {
  astro: 'github',
  docsify: 'github',
  docusaurus: 'github',
  mintlify: 'github',
  nextra: 'github',
  starlight: 'github',
  jekyll: 'kramdown',
  'material-for-mkdocs': 'mkdocs',
  'python-markdown': 'mkdocs',
  vuepress: 'vitepress',
  goldmark: 'hugo',
  'ms-learn': 'docfx',
  sphinx: 'myst',
  foam: 'github',
  quartz: 'github',
} as const satisfies Readonly<Record<string, AnchorRule>>;
export type AnchorAlias = keyof typeof ANCHOR_ALIASES;
export const ANCHOR_NAMES = Object.keys(ANCHOR_ALIASES) as readonly AnchorAlias[];

/** The rule that a name in a knowledge-base file stands for. */
export function anchorRuleOf(name: AnchorRule | AnchorAlias): AnchorRule {
  return name in ANCHOR_ALIASES ? ANCHOR_ALIASES[name as AnchorAlias] : (name as AnchorRule);
}

export interface SourceConfig {
  readonly git: string;
  readonly ref?: string;
}

/** One rule that turns a document path (and anchor) into a URL. The first that matches is used. */
export interface CitationRule {
  readonly pattern: string;
  readonly replace: string;
}

/** How a site's page addresses end: `guide/`, `guide.html` or `guide`. */
export const PAGE_ENDINGS = ['slash', 'html', 'none'] as const;
export type PageEnding = (typeof PAGE_ENDINGS)[number];

/** Generators and hosts whose page addresses are known. */
export const SITE_GENERATORS = [
  'docsify',
  'docfx',
  'docusaurus',
  'eleventy',
  'gitbook',
  'github',
  'github-wiki',
  'hugo',
  'jekyll',
  'mdbook',
  'mintlify',
  'mkdocs',
  'nextra',
  'obsidian',
  'quartz',
  'sphinx',
  'starlight',
  'vitepress',
  'vuepress',
  'zola',
] as const;
export type SiteGenerator = (typeof SITE_GENERATORS)[number];

/** The rule of a generator's anchors; undefined where a site has none of its own. */
export function anchorRuleOfSite(generator: SiteGenerator): AnchorRule | undefined {
  if (generator === 'eleventy') return undefined;
  return generator === 'github-wiki' ? 'github' : anchorRuleOf(generator);
}

/** A published site: links to its pages need no patterns. */
export interface SiteConfig {
  readonly generator: SiteGenerator;
  /** Address of the folder that holds the pages, with a `/` at its end. */
  readonly baseUrl: string;
  /** That folder; where absent, the generator's usual one in or around a configured path. */
  readonly path?: string;
  /** Where it differs from the generator's default. */
  readonly ending?: PageEnding;
}

/** How the vectors of a text's tokens become one: their mean, the first (`cls`) or the last. */
export const POOLINGS = ['mean', 'cls', 'last_token'] as const;
export type Pooling = (typeof POOLINGS)[number];

export interface EmbeddingsConfig {
  /** `openai`: any server that speaks its embeddings API; `transformers`: in this process. */
  readonly provider: 'openai' | 'transformers';
  /** Of the server; `openai` only, and always there for it. */
  readonly baseUrl?: string;
  /** The server's name of a model; a hub name, or a directory as the file writes it. */
  readonly model: string;
  /** Absolute path of `model` where it is a directory; `transformers` only. */
  readonly modelFolder?: string;
  readonly apiKeyEnv?: string;
  /** One request with documents, seconds. */
  readonly timeoutSeconds: number;
  /** Embedding a query, all attempts together, seconds. */
  readonly queryTimeoutSeconds: number;
  /** Asked of the server, and checked; absent: whatever the model gives. */
  readonly dimensions?: number;
  /** Upper limits of one request; smaller ones are learned from what the server refuses. */
  readonly batch?: {
    readonly items?: number;
    /** Estimated tokens of one text; longer ones are shortened before they are sent. */
    readonly inputTokens?: number;
    readonly requestBytes?: number;
  };
  /** Whether a model that is not on this machine may be fetched; `transformers` only. */
  readonly allowDownload: boolean;
  /** Instead of what the model is known to need; `transformers` only. */
  readonly pooling?: Pooling;
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
}

export interface LlmConfig {
  readonly provider: 'openai' | 'anthropic' | 'none';
  readonly baseUrl?: string;
  readonly model?: string;
  /** Name of the environment variable that holds the key; never the key. */
  readonly apiKeyEnv?: string;
  readonly budget: {
    readonly maxTokens: number;
    readonly maxIterations: number;
    readonly maxToolCalls: number;
    /** One call to the model, seconds. */
    readonly callTimeoutSeconds: number;
    /** The whole question, seconds. */
    readonly totalSeconds: number;
  };
  readonly maxOutputTokens: number;
}

/** A knowledge base, resolved: plain JSON data, every default filled in. */
export interface Config {
  /** Name of the index: the YAML file's base name, or the folder's. */
  readonly name: string;
  /** Absolute path of the YAML file; absent when a bare folder is the knowledge base. */
  readonly file?: string;
  /** Absolute folder that `paths` and document paths are relative to. */
  readonly root: string;
  readonly identity?: string;
  readonly iconUrl?: string;
  readonly systemPrompt?: string;
  readonly knowledge: {
    readonly enabled: boolean;
    readonly sources: Readonly<Record<string, SourceConfig>>;
    readonly paths: readonly string[];
    readonly exclude: readonly string[];
    readonly anchors: AnchorRule | 'auto';
    readonly expandToSection: boolean;
    readonly readTool: boolean;
    readonly topK: number;
    readonly maxInjectedTokens: number;
    readonly embeddings?: EmbeddingsConfig;
    readonly citations: readonly CitationRule[];
    /** Asked in order where no citation rule matches. */
    readonly sites?: readonly SiteConfig[];
  };
  readonly llm: LlmConfig;
}

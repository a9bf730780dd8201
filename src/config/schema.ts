import * as z from 'zod';
import { ANCHOR_NAMES, ANCHOR_RULES, PAGE_ENDINGS, POOLINGS, SITE_GENERATORS } from '../core/config.ts';
import { endpointProblem } from '../core/endpoint.ts';
import { stripControls } from '../core/text.ts';
import { compileCitationRule } from './citation-url.ts';
import { TOP_K_CEILING } from './defaults.ts';
import { DURATION_FORMS, parseDuration } from './duration.ts';
import { gitRefProblem, locateGit } from './git-url.ts';
import { nearest } from './nearest.ts';
import { folderPathProblem, sourceNameProblem } from './path-rules.ts';
import { siteBaseProblem } from './url-parts.ts';

const DAY_SECONDS = 86_400;

/** A value as a message may show it: short, on one line, harmless on a terminal. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (typeof value !== 'string') return String(value);
  const text = stripControls(JSON.stringify(value));
  return text.length > 60 ? `${text.slice(0, 57)}…"` : text;
}

/** The end of a sentence that begins with the key's name. */
function expected(what: string): { error: (issue: { input?: unknown }) => string } {
  return {
    error: ({ input }) => (input === undefined ? 'is missing' : `must be ${what}, not ${show(input)}`),
  };
}

/** For values that may be secrets put in the wrong place: never shown. */
function expectedUnseen(what: string): { error: (issue: { input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? 'is missing' : `must be ${what}`) };
}

const mapping = expected('a mapping of settings');
const flag = z.boolean(expected('true or false'));
const anyText = z.string(expected('text'));
const text = anyText.refine((value) => value.trim() !== '', { error: 'must not be empty' });

function whole(low: number, high: number) {
  const message = expected(`a whole number from ${low} to ${high}`);
  return z.number(message).int(message).min(low, message).max(high, message);
}

/** Text that a function judges; it answers with what is wrong, or undefined. */
function judged(judge: (value: string) => string | undefined, unseen: boolean) {
  const base = unseen ? z.string(expectedUnseen('text')) : anyText;
  return base.superRefine((value, context) => {
    const problem = judge(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });
}

/** Output: seconds. */
const duration = z.union([z.string(), z.number()], expected(DURATION_FORMS)).transform((value, context) => {
  const seconds = parseDuration(value);
  if (seconds !== undefined && seconds > 0 && seconds <= DAY_SECONDS) return seconds;
  const reason = seconds === undefined ? `must be ${DURATION_FORMS}` : 'must be more than 0 and at most 24h';
  context.addIssue({ code: 'custom', message: `${reason}, not ${show(value)}` });
  return z.NEVER;
});

function oneOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.enum(names, {
    error: ({ input }) => {
      const near = typeof input === 'string' ? nearest(input, names) : undefined;
      const guess = near === undefined ? '' : ` (did you mean ${near}?)`;
      return `must be one of ${names.join(', ')}, not ${show(input)}${guess}`;
    },
  });
}

const variableName = z
  .string(expectedUnseen('the name of an environment variable'))
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,199}$/u,
    'must be the name of an environment variable such as KB_LLM_KEY, never the key itself',
  );
const endpoint = judged(endpointProblem, true);

const source = z.strictObject(
  {
    git: judged((value) => {
      const location = locateGit(value);
      return 'problem' in location ? location.problem : undefined;
    }, true),
    ref: judged(gitRefProblem, false).optional(),
  },
  mapping,
);

const sources = z.record(judged(sourceNameProblem, false), source, mapping);

const citation = z.strictObject({ pattern: text, replace: text }, mapping).superRefine((rule, context) => {
  const compiled = compileCitationRule(rule);
  if ('problem' in compiled) {
    context.addIssue({ code: 'custom', path: [compiled.key], message: compiled.problem });
  }
});

const site = z.strictObject(
  {
    generator: oneOf(SITE_GENERATORS),
    base_url: judged(siteBaseProblem, true),
    path: judged(folderPathProblem, false).optional(),
    ending: oneOf(PAGE_ENDINGS).optional(),
  },
  mapping,
);

const embeddings = z
  .strictObject(
    {
      provider: oneOf(['openai', 'transformers']).optional(),
      base_url: endpoint.optional(),
      model: text,
      api_key_env: variableName.optional(),
      timeout: duration.optional(),
      query_timeout: duration.optional(),
      dimensions: whole(1, 65_536).optional(),
      batch: z
        .strictObject(
          {
            items: whole(1, 10_000).optional(),
            input_tokens: whole(16, 1_000_000).optional(),
            request_bytes: whole(1024, 1_000_000_000).optional(),
          },
          mapping,
        )
        .optional(),
      allow_download: flag.optional(),
      pooling: oneOf(POOLINGS).optional(),
      query_prefix: anyText.optional(),
      document_prefix: anyText.optional(),
    },
    mapping,
  )
  .superRefine((data, context) => {
    const problem = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message });
    if (data.provider === 'transformers') {
      for (const key of ['base_url', 'api_key_env'] as const) {
        if (data[key] !== undefined)
          problem(key, 'has no meaning with provider transformers: no server is asked');
      }
      return;
    }
    if (data.base_url === undefined)
      problem('base_url', 'is missing: name the server, for example http://127.0.0.1:11434/v1');
    for (const key of ['allow_download', 'pooling'] as const) {
      if (data[key] !== undefined) problem(key, 'has a meaning with provider transformers only');
    }
  });

const knowledge = z.strictObject(
  {
    enabled: flag.optional(),
    sources: sources.optional(),
    paths: z.array(judged(folderPathProblem, false), expected('a list of files and folders')).optional(),
    exclude: z.array(text, expected('a list of glob patterns')).optional(),
    anchors: oneOf(['auto', ...ANCHOR_RULES, ...ANCHOR_NAMES]).optional(),
    expand_to_section: flag.optional(),
    read_tool: flag.optional(),
    top_k: whole(1, TOP_K_CEILING).optional(),
    max_injected_tokens: whole(1, 1_000_000).optional(),
    embeddings: embeddings.optional(),
    citations: z.array(citation, expected('a list of pattern and replace pairs')).optional(),
    site: site.optional(),
    sites: z.array(site, expected('a list of sites')).optional(),
  },
  mapping,
);

const llm = z.strictObject(
  {
    provider: oneOf(['openai', 'anthropic', 'none']).optional(),
    base_url: endpoint.optional(),
    model: text.optional(),
    api_key_env: variableName.optional(),
    max_output_tokens: whole(1, 1_000_000).optional(),
    budget: z
      .strictObject(
        {
          max_tokens: whole(1, 1_000_000_000).optional(),
          max_iterations: whole(1, 1000).optional(),
          max_tool_calls: whole(1, 10_000).optional(),
          call_timeout: duration.optional(),
          total_timeout: duration.optional(),
        },
        mapping,
      )
      .optional(),
  },
  mapping,
);

/** The whole file format. Every message is the end of a sentence that begins with the key's name. */
export const FILE_SCHEMA = z.strictObject(
  {
    identity: text.optional(),
    icon_url: endpoint.optional(),
    harness: z.strictObject({ knowledge: knowledge.optional() }, mapping).optional(),
    llm: llm.optional(),
    system_prompt: anyText.optional(),
  },
  mapping,
);

/** What the file says, checked, durations in seconds, defaults not yet filled in. */
export type FileData = z.output<typeof FILE_SCHEMA>;

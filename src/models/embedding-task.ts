import { type EmbeddingRole, isEmbeddable } from '../core/embedder.ts';
import { type EmbeddingInput, embeddingInput, shortened } from './embedding-input.ts';
import { type Prefixes, titled } from './embedding-prefixes.ts';

/** Sent in place of a text with nothing in it, which a server would refuse together with all others of its request. */
const NOTHING = '.';

/** What is sent for each text: the prefix of its role, and the text. */
export function inputsOf(
  texts: readonly string[],
  as: EmbeddingRole,
  titles: readonly (string | undefined)[] | undefined,
  rules: Prefixes & { readonly maxTokens: number | undefined },
): EmbeddingInput[] {
  return texts.map((text, index) => {
    const prefix = as === 'query' ? rules.queryPrefix : titled(rules.documentPrefix, titles?.[index]);
    return within(
      embeddingInput(index, prefix, isEmbeddable(text) ? text : NOTHING),
      rules.maxTokens ?? Number.POSITIVE_INFINITY,
    );
  });
}

function within(input: EmbeddingInput, maxTokens: number): EmbeddingInput {
  let fitting = input;
  while (fitting.tokens > maxTokens) {
    const shorter = shortened(fitting, maxTokens / fitting.tokens);
    if (shorter === undefined) break;
    fitting = shorter;
  }
  return fitting;
}

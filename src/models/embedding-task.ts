import { type EmbeddingRole, isEmbeddable } from '../core/embedder.ts';
import { type EmbeddingInput, embeddingInput, shortened } from './embedding-input.ts';
import { type Prefixes, titled } from './embedding-prefixes.ts';

/**
 * What is sent for each text: the prefix of its role, and the text.
 * @throws RangeError for a text with nothing to embed
 */
export function inputsOf(
  texts: readonly string[],
  as: EmbeddingRole,
  titles: readonly (string | undefined)[] | undefined,
  rules: Prefixes & { readonly maxTokens: number | undefined },
): EmbeddingInput[] {
  return texts.map((text, index) => {
    if (!isEmbeddable(text)) throw new RangeError(`text ${index} has nothing to embed`);
    const prefix = as === 'query' ? rules.queryPrefix : titled(rules.documentPrefix, titles?.[index]);
    return within(embeddingInput(index, prefix, text), rules.maxTokens ?? Number.POSITIVE_INFINITY);
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

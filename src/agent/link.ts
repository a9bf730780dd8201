const LABEL_LIMIT = 500;

/** An inline link or, behind a `!`, an image. */
export interface Link {
  readonly label: string;
  readonly target: string;
  readonly next: number;
}

/** An inline link whose `[` is at `index`. */
export function readLink(text: string, index: number): Link | undefined {
  const close = labelEnd(text, index);
  if (close === undefined || text[close + 1] !== '(') return undefined;
  const rest = text.slice(close + 2, close + 2 + 2 * LABEL_LIMIT);
  const found =
    /^\s*(?:<([^<>\n]*)>|((?:[^\s()]|\([^\s()]*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/u.exec(rest);
  if (found === null) return undefined;
  return {
    label: text.slice(index + 1, close),
    target: found[1] ?? found[2] ?? '',
    next: close + 2 + found[0].length,
  };
}

function labelEnd(text: string, index: number): number | undefined {
  let depth = 0;
  const limit = Math.min(text.length, index + LABEL_LIMIT);
  for (let at = index; at < limit; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '[') depth += 1;
    else if (text[at] === ']') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
}

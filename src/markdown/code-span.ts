/** Where the last backtick run of each length stands: a run without a later twin is not searched for. */
export function lastBacktickRuns(text: string): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  if (!text.includes('`')) return last;
  for (const found of text.matchAll(/`+/gu)) last.set(found[0].length, found.index);
  return last;
}

/** Offset of the next run of exactly `length` backticks, or -1. */
export function findRun(text: string, from: number, length: number): number {
  let at = text.indexOf('`', from);
  while (at !== -1) {
    let end = at;
    while (text.charCodeAt(end) === 0x60) end += 1;
    if (end - at === length) return at;
    at = text.indexOf('`', end);
  }
  return -1;
}

/**
 * Function, question and auxiliary words left out of queries (never out of the index): they occur in nearly
 * every section, cost most of the time and add nothing to the ranking. Contractions are listed whole.
 */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `
a am an and are as at be been being but by can can't could did do does doesn't doing don don't for
had has have having he her hers herself him himself his how i i'm if in into is isn't it it's its
itself may me might must my myself no not of on or our ours ourselves shall she should such that the
their theirs them themselves then there these they this to us was we were what when where which who
whom why will with would you your yours yourself yourselves
`
    .trim()
    .split(/\s+/u),
);

const KINDS = new Set(
  (
    'note tip info warning danger caution important details example question abstract summary success failure bug quote hint ' +
    'error attention seealso todo tldr check faq missing fail cite deprecated experimental'
  ).split(' '),
);

/** The word that sites show for an admonition without a title; empty for blocks that are no admonition. */
export function kindWord(kind: string): string {
  const name = kind.toLowerCase();
  return KINDS.has(name) ? name.charAt(0).toUpperCase() + name.slice(1) : '';
}

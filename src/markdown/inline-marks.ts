/** A link of a vault: `[[note#part|shown]]`. */
export interface Wikilink {
  /** Offset after it. */
  readonly end: number;
  /** What a reader sees, and the note's name where that says something else. */
  readonly words: string;
}

const WIKILINK =
  /(?<embed>!)?\[\[(?<target>[^[\]|\n]{1,400}?)(?:\\?\|(?<shown>[^[\]\n]{0,400}))?\]\](?!\()/uy;
const MEDIA = /\.(?:png|jpe?g|gif|svg|webp|bmp|avif|mp[34]|webm|ogg|wav|mov|pdf|canvas|base|excalidraw)$/iu;

/** The link of a vault that begins at a place; undefined for other brackets, such as tests of a shell. */
export function wikilinkAt(text: string, position: number): Wikilink | undefined {
  WIKILINK.lastIndex = position;
  const found = WIKILINK.exec(text);
  const target = found?.groups?.['target'] ?? '';
  if (found === null || target.trim() !== target) return undefined;
  const end = position + found[0].length;
  const [note = '', ...parts] = target.split('#');
  if (found.groups?.['embed'] !== undefined && MEDIA.test(note)) return { end, words: '' };
  const name = [note, ...parts.map((part) => part.replace(/^\^/u, ''))]
    .filter((part) => part !== '')
    .join(' > ');
  const shown = found.groups?.['shown']?.trim() ?? '';
  if (shown === '' || shown === name) return { end, words: name };
  const last = note.split('/').at(-1) ?? '';
  const told = last === '' || shown.toLowerCase().includes(last.toLowerCase());
  return { end, words: told ? shown : `${shown} (${last})` };
}

const HIDDEN = /%%[^%\n]{0,2000}(?:%[^%\n]{1,2000}){0,20}%%(?![\p{L}\p{N}%])/uy;

/** Offset after a note to the author (`%%hidden%%`) that begins at a place; undefined for percent signs. */
export function hiddenNoteEnd(text: string, position: number): number | undefined {
  if (/[\p{L}\p{N}%]/u.test(text.charAt(position - 1))) return undefined;
  HIDDEN.lastIndex = position;
  const found = HIDDEN.exec(text);
  return found === null || found[0].length < 5 ? undefined : position + found[0].length;
}

const MARKED = /==(?=[^\s=])[^\n]{0,300}?[^\s=]==(?!=)/uy;

/** Offset of the marks that end `==marked text==`; undefined for a comparison. */
export function markedEnd(text: string, position: number): number | undefined {
  if (/[=\p{L}\p{N}]/u.test(text.charAt(position - 1))) return undefined;
  MARKED.lastIndex = position;
  const found = MARKED.exec(text);
  return found === null ? undefined : position + found[0].length - 2;
}

const BADGE =
  /^https?:\/\/(?:img\.shields\.io|shields\.io|badgen\.net|badge\.fury\.io|badges?\.[\w.-]+|[\w.-]*travis-ci\.(?:org|com)|codecov\.io|coveralls\.io|circleci\.com|ci\.appveyor\.com|api\.codacy\.com|app\.codacy\.com|api\.netlify\.com|snyk\.io|opencollective\.com|deps\.rs|goreportcard\.com)\/|\/(?:badge|badges)(?:\.svg|\/)|\bbadge\.svg\b/iu;

/** Whether an image is a badge: its words ("build", "stars") say nothing of the page. */
export function isBadge(target: string): boolean {
  return target.length < 2000 && BADGE.test(target);
}

/** `{: .x #id key="v" }` after any span, `{.x}` only where it closes up to one. */
export const ATTRIBUTES =
  /\{(?:::?(?!\/)[^{}\n]*|\s*(?:[#.][\w:.-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+))(?:\s+(?:[#.][\w:.-]+|[\w-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s{}"']+)))*\s*)\}/uy;

/** A bracket that is open. */
export interface Bracket {
  /** Index of the part that holds it. */
  readonly part: number;
  /** Offset of what follows it. */
  readonly position: number;
  readonly image: boolean;
}

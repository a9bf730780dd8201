/** Scheme and host must be written out; a host that came out of a file name could be anybody's. */
export const WRITTEN_HOST = /^(?:https?:\/\/[^/?#$@\s]+|file:\/\/)(?=[/?#])/u;

/** What is wrong with the address of a site's pages; undefined when it is a folder of a host that is written out. */
export function siteBaseProblem(url: string): string | undefined {
  if (!WRITTEN_HOST.test(`${url}/`) || !URL.canParse(url)) {
    return 'must begin with https://, http:// or file://, and a host written out';
  }
  return /[?#]/u.test(url) ? 'must be the address of a folder: without ? and #' : undefined;
}

/** In the one form that an URL begins with it or does not: with a slash at its end. */
export function normalizeSiteBase(url: string): string {
  return new URL(url.endsWith('/') ? url : `${url}/`).href;
}

/** A path with each part percent-encoded. `..` leads up, never above the first part. */
export function encodePath(value: string): string {
  const kept: string[] = [];
  for (const segment of value.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(encode(segment, /%(?:3A|40|2C|3D)/gu));
  }
  return kept.join('/');
}

export function encodeFragment(value: string): string {
  return encode(value, /%(?:21|24|26|2A|2B|2C|2F|3A|3B|3D|3F|40)/gu);
}

/** Percent-encoding, parentheses and quotes included (they end links in Markdown and HTML); `keep` is undone. */
function encode(value: string, keep: RegExp): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[!'()*]/gu, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(keep, (code) => decodeURIComponent(code));
}
